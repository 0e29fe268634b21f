//! Who may talk to the server: who knows the token, from this computer, and no page of another origin.

use tungstenite::handshake::server::Request;
use tungstenite::http::StatusCode;

use super::http::Problem;

/// The secret of a view, and the names of its server.
#[derive(Debug)]
pub(super) struct Auth {
    port: u16,
    token: String,
    /// Hosts, with the port, by which the server may be called.
    hosts: [String; 2],
}

impl Auth {
    pub(super) fn new(port: u16) -> Result<Self, getrandom::Error> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)?;
        Ok(Self {
            port,
            token: bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
            hosts: [format!("127.0.0.1:{port}"), format!("localhost:{port}")],
        })
    }

    /// The address of the page.
    pub(super) fn address(&self) -> String {
        format!("http://127.0.0.1:{}/?token={}", self.port, self.token)
    }

    /// The host by which a request calls the server.
    ///
    /// A page of another server that has its name point here gives its own name; a script of another page gives its origin.
    pub(super) fn host<'a>(&'a self, request: &Request) -> Result<&'a str, Problem> {
        let forbidden = |text| Problem::new(StatusCode::FORBIDDEN, text);
        let mut given = request.headers().get_all("host").iter();
        let host = match (given.next(), given.next()) {
            (Some(host), None) => self.hosts.iter().find(|known| *host == known.as_str()),
            _ => None,
        };
        let host = host.ok_or_else(|| forbidden("this host is not served here"))?;
        let origins = request.headers().get_all("origin").iter();
        for origin in origins {
            let is_own = origin
                .to_str()
                .ok()
                .and_then(|origin| origin.strip_prefix("http://"))
                .is_some_and(|origin| origin == host);
            if !is_own {
                return Err(forbidden("requests of other pages are refused"));
            }
        }
        let site = request.headers().get("sec-fetch-site");
        if site.is_some_and(|site| site == "cross-site" && request.uri().path() != "/") {
            return Err(forbidden("requests of other pages are refused"));
        }
        Ok(host)
    }

    /// Refuses a request without the token.
    pub(super) fn check_token(&self, request: &Request) -> Result<(), Problem> {
        let query = request.uri().query().unwrap_or_default();
        let given = query
            .split('&')
            .find_map(|part| part.strip_prefix("token="))
            .unwrap_or_default();
        // in a time that does not tell how many letters are right
        let differences = given
            .bytes()
            .zip(self.token.bytes())
            .fold(0, |sum, (a, b)| sum | (a ^ b));
        if given.len() == self.token.len() && differences == 0 {
            return Ok(());
        }
        Err(Problem::new(
            StatusCode::FORBIDDEN,
            "the token is wrong: open the address that `kinworld view` printed",
        ))
    }
}

//! Comparison of printed text: words exactly, numbers with a tolerance.

/// The first lines that differ, with their number; `None` where the texts agree.
pub(crate) fn difference(expected: &str, found: &str) -> Option<String> {
    let (mut expected, mut found) = (expected.lines(), found.lines());
    for number in 1.. {
        match (expected.next(), found.next()) {
            (None, None) => return None,
            (Some(a), Some(b)) if is_same(a, b) => {}
            (a, b) => {
                let line = |text: Option<&str>| text.unwrap_or("(the end)").to_owned();
                return Some(format!("line {number}\n- {}\n+ {}", line(a), line(b)));
            }
        }
    }
    None
}

/// Returns whether two lines have the same words, and numbers that differ in their last digits only; counts of iterations
/// may differ.
fn is_same(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    let (a, b) = (parts(a), parts(b));
    let is_same = |(a, b): (&String, &String)| match (a.parse::<f64>(), b.parse::<f64>()) {
        // half a turn in degrees may have either sign
        (Ok(x), Ok(y)) => {
            let half_turn = x.abs().min(y.abs()) > 180.0 - TOLERANCE && (x + y).abs() < TOLERANCE;
            half_turn || (x - y).abs() <= TOLERANCE * x.abs().max(y.abs()).max(1.0)
        }
        _ => a == b,
    };
    a.len() == b.len() && a.iter().zip(&b).all(is_same)
}

/// The numbers of a line, and the words between them without spaces: columns of tables grow with their numbers.
fn parts(line: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let words: Vec<&str> = line.split_whitespace().collect();
    for (i, &word) in words.iter().enumerate() {
        // rounding of instruction sets changes how many iterations a search takes
        let next = words.get(i + 1);
        if next.is_some_and(|next| next.starts_with("iteration")) && word.parse::<u32>().is_ok() {
            parts.push("some".to_owned());
            continue;
        }
        let mut rest = word;
        while !rest.is_empty() {
            let is_in_name = rest.len() < word.len()
                && word[..word.len() - rest.len()]
                    .ends_with(|c: char| c.is_alphanumeric() || c == '_');
            let length = if is_in_name { 0 } else { number_length(rest) };
            let length = match length {
                0 => rest.chars().next().map_or(0, char::len_utf8),
                length => length,
            };
            parts.push(rest[..length].to_owned());
            rest = &rest[length..];
        }
    }
    parts
}

/// Length of the longest number at the start of a text.
fn number_length(text: &str) -> usize {
    let end = text.find(|c: char| !c.is_ascii_digit() && !"+-.eE".contains(c));
    let mut length = end.unwrap_or(text.len());
    while length > 0
        && !(text[..length].parse::<f64>().is_ok()
            && text[..length].contains(|c: char| c.is_ascii_digit()))
    {
        length -= 1;
    }
    length
}

/// Tolerance of numbers, of their size and of 1: instruction sets differ in the last bits, which solvers amplify.
const TOLERANCE: f64 = 2e-6;

/// The comparison sees a changed word, number, and a missing line.
pub(crate) fn a_wrong_line_is_seen() {
    assert_eq!(
        difference("4 iterations, 1 start", "5 iterations, 1 start"),
        None
    );
    assert!(difference("4 iterations, 1 start", "4 iterations, 2 starts").is_some());
    let printed = "robot arm6: 6 dofs\nlink2  0.500000  -1.2e-17 rad\n";
    assert_eq!(difference(printed, printed), None);
    for (change, is_seen) in [
        ("robot arm6: 6 dofs\nlink2  0.5000001   0 rad\n", false),
        ("robot arm6: 6 dofs\nlink2  0.50001  -1.2e-17 rad\n", true),
        ("robot arm6: 6 dofs\nlink3  0.500000  -1.2e-17 rad\n", true),
        ("robot arm7: 6 dofs\nlink2  0.500000  -1.2e-17 rad\n", true),
        ("robot arm6: 7 dofs\nlink2  0.500000  -1.2e-17 rad\n", true),
        ("robot arm6: 6 dofs\nlink2  0.500000  -1.2e-17 deg\n", true),
        ("robot arm6: 6 dofs\n", true),
    ] {
        assert_eq!(difference(printed, change).is_some(), is_seen, "{change}");
    }
}

//! Parser of expressions into a tree: the subset of Python that robot descriptions use.

use super::token::{Token, tokens};
use super::value::Value;

/// An expression.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Expr {
    Value(Value),
    Name(String),
    List(Vec<Self>),
    Attribute(Box<Self>, String),
    Index(Box<Self>, Box<Self>),
    Slice(Box<Self>, Option<Box<Self>>, Option<Box<Self>>),
    Call(Box<Self>, Vec<Self>),
    /// `-`, `+`, `~` or `not`.
    Unary(&'static str, Box<Self>),
    /// Arithmetic, `and`, `or`.
    Binary(&'static str, Box<Self>, Box<Self>),
    /// `a < b <= c`.
    Compare(Box<Self>, Vec<(&'static str, Self)>),
    /// `a if condition else b`, the condition first.
    If(Box<[Self; 3]>),
    /// `[item for names in list if condition]`.
    Each {
        item: Box<Self>,
        names: Vec<String>,
        list: Box<Self>,
        condition: Option<Box<Self>>,
    },
}

/// Parses an expression.
pub(super) fn parse(text: &str) -> Result<Expr, String> {
    let mut parser = Parser {
        tokens: tokens(text)?,
        next: 0,
        depth: 0,
    };
    if parser.tokens.is_empty() {
        return Err("it is empty".to_owned());
    }
    let expr = parser.tuple()?;
    match parser.peek() {
        None => Ok(expr),
        Some(token) => Err(format!("{} is not expected there", shown(token))),
    }
}

fn shown(token: &Token) -> String {
    match token {
        Token::Name(name) => format!("`{name}`"),
        Token::Literal(value) => format!("`{}`", value.to_text()),
        Token::Sign(sign) => format!("`{sign}`"),
    }
}

struct Parser {
    tokens: Vec<Token>,
    next: usize,
    depth: usize,
}

type Parsed = Result<Expr, String>;

/// Operators by precedence, lowest first; all are left-associative.
const LEVELS: [&[&str]; 6] = [
    &["|"],
    &["^"],
    &["&"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "//", "%"],
];

/// Largest depth of brackets.
const DEEPEST: usize = 50;

impl Parser {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.next)
    }

    /// Takes a sign if it is next.
    fn take(&mut self, sign: &str) -> bool {
        let is_next = matches!(self.peek(), Some(Token::Sign(s)) if *s == sign);
        self.next += usize::from(is_next);
        is_next
    }

    /// Takes a word if it is next.
    fn word(&mut self, word: &str) -> bool {
        let is_next = matches!(self.peek(), Some(Token::Name(name)) if name == word);
        self.next += usize::from(is_next);
        is_next
    }

    fn expect(&mut self, sign: &str) -> Result<(), String> {
        if self.take(sign) {
            return Ok(());
        }
        Err(match self.peek() {
            Some(token) => format!("`{sign}` is expected before {}", shown(token)),
            None => format!("`{sign}` is missing at its end"),
        })
    }

    fn name(&mut self) -> Result<String, String> {
        match self.peek().cloned() {
            Some(Token::Name(name)) => {
                self.next += 1;
                Ok(name)
            }
            _ => Err("a name is expected".to_owned()),
        }
    }

    /// One expression, or several with commas between them.
    fn tuple(&mut self) -> Parsed {
        let first = self.ternary()?;
        if !self.take(",") {
            return Ok(first);
        }
        let mut items = vec![first];
        while self.peek().is_some_and(|token| !is_closing(token)) {
            items.push(self.ternary()?);
            if !self.take(",") {
                break;
            }
        }
        Ok(Expr::List(items))
    }

    fn ternary(&mut self) -> Parsed {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(format!("brackets are nested more than {DEEPEST} deep"));
        }
        let value = self.or()?;
        let parsed = if self.word("if") {
            let condition = self.or()?;
            if !self.word("else") {
                return Err("`if` lacks its `else`".to_owned());
            }
            Expr::If(Box::new([condition, value, self.ternary()?]))
        } else {
            value
        };
        self.depth -= 1;
        Ok(parsed)
    }

    fn or(&mut self) -> Parsed {
        let mut left = self.and()?;
        while self.word("or") {
            left = Expr::Binary("or", Box::new(left), Box::new(self.and()?));
        }
        Ok(left)
    }

    fn and(&mut self) -> Parsed {
        let mut left = self.not()?;
        while self.word("and") {
            left = Expr::Binary("and", Box::new(left), Box::new(self.not()?));
        }
        Ok(left)
    }

    fn not(&mut self) -> Parsed {
        let mut negated = false;
        let mut any = false;
        while self.word("not") {
            negated = !negated;
            any = true;
        }
        let value = self.comparison()?;
        if !any {
            return Ok(value);
        }
        let once = Expr::Unary("not", Box::new(value));
        Ok(if negated {
            once
        } else {
            Expr::Unary("not", Box::new(once))
        })
    }

    fn comparison(&mut self) -> Parsed {
        let first = self.binary(0)?;
        let mut rest = Vec::new();
        while let Some(sign) = self.comparing() {
            rest.push((sign, self.binary(0)?));
        }
        if rest.is_empty() {
            return Ok(first);
        }
        Ok(Expr::Compare(Box::new(first), rest))
    }

    fn comparing(&mut self) -> Option<&'static str> {
        let signs = ["==", "!=", "<=", ">=", "<", ">"];
        if let Some(sign) = signs.into_iter().find(|sign| self.take(sign)) {
            return Some(sign);
        }
        let at = self.next;
        if self.word("not") {
            if self.word("in") {
                return Some("not in");
            }
            self.next = at;
            return None;
        }
        if self.word("is") {
            return Some(if self.word("not") { "!=" } else { "==" });
        }
        self.word("in").then_some("in")
    }

    fn binary(&mut self, level: usize) -> Parsed {
        let Some(&signs) = LEVELS.get(level) else {
            return self.unary();
        };
        let mut left = self.binary(level + 1)?;
        while let Some(&sign) = signs.iter().find(|sign| self.take(sign)) {
            let right = self.binary(level + 1)?;
            left = Expr::Binary(sign, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn unary(&mut self) -> Parsed {
        let mut signs = Vec::new();
        while let Some(sign) = ["-", "+", "~"].into_iter().find(|sign| self.take(sign)) {
            signs.push(sign);
            if signs.len() > DEEPEST {
                return Err(format!("more than {DEEPEST} signs in a row"));
            }
        }
        let value = self.power()?;
        let with = |value, sign| Expr::Unary(sign, Box::new(value));
        Ok(signs.into_iter().rev().fold(value, with))
    }

    /// `**` binds tighter than a sign before it, and is right-associative.
    fn power(&mut self) -> Parsed {
        let base = self.postfix()?;
        if !self.take("**") {
            return Ok(base);
        }
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(format!("more than {DEEPEST} powers of powers"));
        }
        let exponent = self.unary()?;
        self.depth -= 1;
        Ok(Expr::Binary("**", Box::new(base), Box::new(exponent)))
    }

    fn postfix(&mut self) -> Parsed {
        let mut value = self.atom()?;
        loop {
            if self.take(".") {
                value = Expr::Attribute(Box::new(value), self.name()?);
            } else if self.take("(") {
                value = Expr::Call(Box::new(value), self.items(")")?);
            } else if self.take("[") {
                value = self.index(value)?;
            } else {
                return Ok(value);
            }
        }
    }

    fn index(&mut self, value: Expr) -> Parsed {
        let is_end = |token: Option<&Token>| matches!(token, Some(Token::Sign(":" | "]")));
        let from = if is_end(self.peek()) {
            None
        } else {
            Some(self.tuple()?)
        };
        if let (Some(index), true) = (&from, self.take("]")) {
            return Ok(Expr::Index(Box::new(value), Box::new(index.clone())));
        }
        self.expect(":")?;
        let to = if is_end(self.peek()) {
            None
        } else {
            Some(self.ternary()?)
        };
        self.expect("]")?;
        Ok(Expr::Slice(
            Box::new(value),
            from.map(Box::new),
            to.map(Box::new),
        ))
    }

    /// Expressions up to a closing bracket.
    fn items(&mut self, end: &str) -> Result<Vec<Expr>, String> {
        let mut items = Vec::new();
        while !self.take(end) {
            items.push(self.ternary()?);
            if items.len() == 1 && self.word("for") {
                let each = items.pop().ok_or("an item is missing")?;
                items.push(self.each(each)?);
                self.expect(end)?;
                return Ok(items);
            }
            if !self.take(",") {
                self.expect(end)?;
                break;
            }
        }
        Ok(items)
    }

    fn each(&mut self, item: Expr) -> Parsed {
        let mut names = vec![self.name()?];
        while self.take(",") {
            names.push(self.name()?);
        }
        if !self.word("in") {
            return Err("`for` lacks its `in`".to_owned());
        }
        let list = Box::new(self.or()?);
        let condition = if self.word("if") {
            Some(Box::new(self.or()?))
        } else {
            None
        };
        Ok(Expr::Each {
            item: Box::new(item),
            names,
            list,
            condition,
        })
    }

    fn atom(&mut self) -> Parsed {
        let token = self.peek().cloned();
        self.next += 1;
        match token {
            Some(Token::Literal(Value::Text(mut text))) => {
                // adjacent texts are one
                while let Some(Token::Literal(Value::Text(more))) = self.peek() {
                    text = format!("{text}{more}").into();
                    self.next += 1;
                }
                Ok(Expr::Value(Value::Text(text)))
            }
            Some(Token::Literal(value)) => Ok(Expr::Value(value)),
            Some(Token::Name(name)) => match name.as_str() {
                "True" => Ok(Expr::Value(Value::Bool(true))),
                "False" => Ok(Expr::Value(Value::Bool(false))),
                "None" => Ok(Expr::Value(Value::None)),
                "lambda" | "if" | "else" | "for" | "in" | "and" | "or" | "is" => {
                    Err(format!("`{name}` is not expected there"))
                }
                _ => Ok(Expr::Name(name)),
            },
            Some(Token::Sign("(")) => {
                if self.take(")") {
                    return Ok(Expr::List(Vec::new()));
                }
                let inside = self.tuple()?;
                self.expect(")")?;
                Ok(inside)
            }
            Some(Token::Sign("[")) => {
                let mut items = self.items("]")?;
                match (items.len(), items.pop()) {
                    (1, Some(each @ Expr::Each { .. })) => Ok(each),
                    (_, last) => Ok(Expr::List(items.into_iter().chain(last).collect())),
                }
            }
            Some(token) => Err(format!("{} is not expected there", shown(&token))),
            None => Err("it ends too early".to_owned()),
        }
    }
}

fn is_closing(token: &Token) -> bool {
    matches!(token, Token::Sign(")" | "]" | ":"))
}

//! Text with `${…}` and `$(…)` in it, and the expressions there.

use std::rc::Rc;

use super::expand::Expander;
use super::expression::{Expr, parse};
use super::functions::{self, items};
use super::operators::{binary, compare, unary};
use super::part::{at, slice};
use super::scope::Slot;
use super::value::{LONGEST, Value};
use super::yaml;
use crate::Diagnostic;
use crate::io::hidden::hidden;
use crate::io::resolve::Referrer;

/// Error in an expression, without its position.
pub(super) type Outcome = Result<Value, String>;

/// Largest number of steps of the expressions of one file.
const MOST_STEPS: usize = 2_000_000;
/// Largest depth of properties that depend on one another.
const DEEPEST: usize = 60;
/// Largest depth of an expression.
const DEEPEST_BRANCH: usize = 100;

impl Expander<'_, '_> {
    /// The value of a text: that of a lone `${…}`, else a text.
    pub(super) fn text(&mut self, text: &str, scope: usize) -> Outcome {
        let mut whole: Option<Value> = None;
        let mut rest = text;
        while !rest.is_empty() {
            let (part, after) = self.part(rest, scope)?;
            rest = after;
            whole = Some(match whole {
                None => part,
                Some(before) => Value::text(before.to_text() + &part.to_text()),
            });
            if let Some(Value::Text(text)) = &whole
                && text.len() > LONGEST
            {
                return Err(format!("a text of more than {LONGEST} bytes"));
            }
        }
        Ok(whole.unwrap_or_else(|| Value::text("")))
    }

    /// The value of the beginning of a text, and the rest of the text.
    fn part<'t>(&mut self, text: &'t str, scope: usize) -> Result<(Value, &'t str), String> {
        let Some(dollars) = text.strip_prefix('$') else {
            let (plain, after) = text.split_at(text.find('$').unwrap_or(text.len()));
            return Ok((Value::text(plain), after));
        };

        // `$${` stands for `${` itself
        let more = dollars.trim_start_matches('$');
        if more.len() < dollars.len() && more.starts_with(['{', '(']) {
            let end = dollars.len() - more.len() + 1;
            let (plain, after) = dollars.split_at(end);
            return Ok((Value::text(plain), after));
        }
        let close = |inside: &'t str, end: char| {
            inside
                .split_once(end)
                .ok_or_else(|| format!("`{}` lacks its `{end}`", shortened(text)))
        };
        if let Some(inside) = dollars.strip_prefix('{') {
            let (inside, after) = close(inside, '}')?;
            let value = self.expression(inside, scope);
            let value = value.map_err(|problem| in_expression(inside, problem))?;
            return Ok((value, after));
        }
        if let Some(inside) = dollars.strip_prefix('(') {
            let (inside, after) = close(inside, ')')?;
            let inside = self.text(inside, scope)?.to_text();
            return Ok((self.extension(&inside, scope)?, after));
        }
        let end = dollars.find('$').map_or(text.len(), |at| at + 1);
        let (plain, after) = text.split_at(end);
        Ok((Value::text(plain), after))
    }

    fn expression(&mut self, inside: &str, scope: usize) -> Outcome {
        let inside = match inside.contains('$') {
            true => self.text(inside, scope)?.to_text(),
            false => inside.to_owned(),
        };
        let tree = parse(inside.trim())?;
        self.evaluate(&tree, scope, 0)
    }

    /// `$(find package)`, `$(arg name)` and the like.
    fn extension(&mut self, inside: &str, scope: usize) -> Outcome {
        let mut words = inside.split_whitespace();
        let command = words.next().unwrap_or_default();
        let first = words.next();
        match (command, first) {
            ("arg", Some(name)) => self.argument(name).map(Value::text),
            ("find", Some(package)) => {
                let from = self.open_file().to_path_buf();
                let folder = self.context.find_package(Referrer::new(&from), package);
                let folder = folder.map_err(|error| with_help(&error))?;
                Ok(Value::text(folder.display().to_string()))
            }
            ("dirname", None) => {
                let folder = self.open_file().parent();
                Ok(Value::text(
                    folder.map_or_else(String::new, |f| f.display().to_string()),
                ))
            }
            ("eval", Some(_)) => {
                let inside = inside.trim_start().strip_prefix("eval").unwrap_or(inside);
                let tree = parse(inside.trim())?;
                self.evaluate(&tree, scope, 0)
            }
            ("optenv", Some(name)) => {
                let default: Vec<&str> = words.collect();
                let problem = format!(
                    "`$(optenv {name})` is not read from the environment; its default is used"
                );
                self.warn(problem);
                Ok(Value::text(default.join(" ")))
            }
            ("env", Some(name)) => Err(format!(
                "`$(env {name})` is refused: a file does not read the environment; make it an argument, `$(arg {name})`"
            )),
            ("arg" | "find" | "env" | "optenv", None) => {
                Err(format!("`$({command})` needs a name"))
            }
            _ => Err(format!(
                "`$({})` is not known; known are $(arg NAME), $(find PACKAGE) and $(dirname)",
                shortened(inside)
            )),
        }
    }

    fn argument(&mut self, name: &str) -> Result<String, String> {
        if !self.known_args.contains(name) {
            self.known_args.insert(name.to_owned());
        }
        self.args.get(name).cloned().ok_or_else(|| {
            format!(
                "the argument `{name}` has no value; give it one (option `xacro_args`, `--xacro-arg {name}=VALUE`), \
                 or a default with <xacro:arg name=\"{name}\" default=\"…\"/>"
            )
        })
    }

    /// The value of a name.
    fn name(&mut self, name: &str, scope: usize) -> Outcome {
        let local = self.locals.iter().rev().find(|(known, _)| known == name);
        if let Some((_, value)) = local {
            return Ok(value.clone());
        }
        let unknown = || format!("`{name}` is not defined");
        match self.scopes.slot(scope, name) {
            None => functions::global(name).ok_or_else(unknown),
            Some((_, Slot::Ready(value))) => Ok(value.clone()),
            Some((_, Slot::Busy)) => Err(format!("the property `{name}` is defined by itself")),
            Some((home, Slot::Raw(text))) => {
                let text = Rc::clone(text);
                self.property(name, &text, home)
            }
        }
    }

    /// Evaluates a property for the first time, in the scope that defined it.
    fn property(&mut self, name: &str, text: &str, home: usize) -> Outcome {
        if self.waiting == DEEPEST {
            return Err(format!(
                "properties depend on one another more than {DEEPEST} deep"
            ));
        }
        self.waiting += 1;
        self.scopes.set(home, name, Slot::Busy);
        let locals = std::mem::take(&mut self.locals);
        let value = self.text(text, home);
        self.locals = locals;
        self.waiting -= 1;
        let value = match value {
            Ok(Value::Text(text)) => Value::literal(&text),
            Ok(value) => value,
            Err(problem) => {
                self.scopes.set(home, name, Slot::Raw(text.into()));
                return Err(match problem.contains(" (of the property `") {
                    true => problem,
                    false => format!("{problem} (of the property `{name}`)"),
                });
            }
        };
        self.scopes.set(home, name, Slot::Ready(value.clone()));
        Ok(value)
    }

    fn evaluate(&mut self, expr: &Expr, scope: usize, depth: usize) -> Outcome {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return Err(format!(
                "the expressions of this file take more than {MOST_STEPS} steps"
            ));
        }
        if depth > DEEPEST_BRANCH {
            return Err(format!("it branches more than {DEEPEST_BRANCH} deep"));
        }
        let value = checked(self.branch(expr, scope, depth + 1)?)?;
        // large values take long
        self.steps = self.steps.saturating_add(value.size() / 16);
        Ok(value)
    }

    fn branch(&mut self, expr: &Expr, scope: usize, depth: usize) -> Outcome {
        match expr {
            Expr::Value(value) => Ok(value.clone()),
            Expr::Name(name) => self.name(name, scope),
            Expr::List(items) => self.all(items, scope, depth).map(Value::list),
            Expr::Unary(sign, value) => unary(sign, &self.evaluate(value, scope, depth)?),
            Expr::Binary("and", a, b) => match self.evaluate(a, scope, depth)? {
                value if !value.is_true() => Ok(value),
                _ => self.evaluate(b, scope, depth),
            },
            Expr::Binary("or", a, b) => match self.evaluate(a, scope, depth)? {
                value if value.is_true() => Ok(value),
                _ => self.evaluate(b, scope, depth),
            },
            Expr::Binary(sign, a, b) => {
                let a = self.evaluate(a, scope, depth)?;
                binary(sign, &a, &self.evaluate(b, scope, depth)?)
            }
            Expr::Compare(first, rest) => {
                let mut left = self.evaluate(first, scope, depth)?;
                for (sign, right) in rest {
                    let right = self.evaluate(right, scope, depth)?;
                    if !compare(sign, &left, &right)? {
                        return Ok(Value::Bool(false));
                    }
                    left = right;
                }
                Ok(Value::Bool(true))
            }
            Expr::If(parts) => {
                let [condition, yes, no] = &**parts;
                let holds = self.evaluate(condition, scope, depth)?.is_true();
                self.evaluate(if holds { yes } else { no }, scope, depth)
            }
            Expr::Attribute(of, name) => {
                let of = self.evaluate(of, scope, depth)?;
                self.attribute(&of, name)
            }
            Expr::Index(of, index) => {
                let of = self.evaluate(of, scope, depth)?;
                at(&of, &self.evaluate(index, scope, depth)?)
            }
            Expr::Slice(of, from, to) => {
                let of = self.evaluate(of, scope, depth)?;
                let mut end = |end: &Option<Box<Expr>>| match end {
                    Some(end) => self.evaluate(end, scope, depth).map(Some),
                    None => Ok(None),
                };
                slice(&of, end(from)?, end(to)?)
            }
            Expr::Call(function, args) => {
                let function = self.evaluate(function, scope, depth)?;
                let args = self.all(args, scope, depth)?;
                self.call(&function, &args)
            }
            Expr::Each {
                item,
                names,
                list,
                condition,
            } => {
                let list = self.evaluate(list, scope, depth)?;
                let list = items(&list)
                    .ok_or_else(|| format!("`for` cannot iterate over {}", list.kind()))?;
                let before = self.locals.len();
                let found = self.each(item, names, list, condition.as_deref(), scope, depth);
                self.locals.truncate(before);
                found
            }
        }
    }

    fn all(&mut self, items: &[Expr], scope: usize, depth: usize) -> Result<Vec<Value>, String> {
        items
            .iter()
            .map(|item| self.evaluate(item, scope, depth))
            .collect()
    }

    fn each(
        &mut self,
        item: &Expr,
        names: &[String],
        list: Vec<Value>,
        condition: Option<&Expr>,
        scope: usize,
        depth: usize,
    ) -> Outcome {
        let mut found = Vec::new();
        let before = self.locals.len();
        for value in list {
            self.locals.truncate(before);
            match names {
                [name] => self.locals.push((name.clone(), value)),
                names => {
                    let parts = items(&value).filter(|parts| parts.len() == names.len());
                    let parts = parts
                        .ok_or_else(|| format!("`for` needs {} values each time", names.len()))?;
                    self.locals.extend(names.iter().cloned().zip(parts));
                }
            }
            if let Some(condition) = condition
                && !self.evaluate(condition, scope, depth)?.is_true()
            {
                continue;
            }
            found.push(self.evaluate(item, scope, depth)?);
        }
        Ok(Value::list(found))
    }

    fn attribute(&mut self, of: &Value, name: &str) -> Outcome {
        match of {
            Value::Module(module) => {
                functions::member(module, name).ok_or_else(|| format!("`{module}` has no `{name}`"))
            }
            Value::Scope(scope) => self.name(name, *scope),
            Value::Map(items) => {
                let key = Value::text(name);
                let found = items.iter().find(|(known, _)| known.equals(&key));
                match found {
                    Some((_, value)) => Ok(value.clone()),
                    None if ["get", "items", "keys", "values"].contains(&name) => {
                        Ok(Value::Method(Rc::new(of.clone()), name.into()))
                    }
                    None => Err(format!("the map has no key `{name}`")),
                }
            }
            Value::Text(_) => Ok(Value::Method(Rc::new(of.clone()), name.into())),
            _ => Err(format!("{} has no `{name}`", of.kind())),
        }
    }

    fn call(&mut self, function: &Value, args: &[Value]) -> Outcome {
        match function {
            Value::Method(of, name) => functions::method(of, name, args),
            Value::Function(name) => match (*name, args) {
                ("arg", [Value::Text(name)]) => self.argument(name).map(Value::text),
                ("load_yaml", [Value::Text(name)]) => self.load_yaml(name),
                ("abs_filename", [Value::Text(name)]) => {
                    let folder = self.open_file().parent().unwrap_or(self.open_file());
                    Ok(Value::text(folder.join(&**name).display().to_string()))
                }
                ("message" | "warning" | "error" | "print_location", args) => {
                    self.warn(said(args));
                    Ok(Value::text(""))
                }
                ("fatal", args) => Err(said(args)),
                (name, args) => functions::call(name, args),
            },
            other => Err(format!("{} is not a function", other.kind())),
        }
    }

    fn load_yaml(&mut self, name: &str) -> Outcome {
        let from = self.open_file().to_path_buf();
        let path = self.context.find(Referrer::new(&from), name);
        let path = path.map_err(|error| with_help(&error))?;
        let text = self
            .context
            .read_text(&path)
            .map_err(|error| error.to_string())?;
        yaml::parse(&text).map_err(|(at, problem)| {
            let error = Diagnostic::error(problem).at(&path, at.line, at.column);
            let problem = hidden(error, &[]).message;
            format!("{}:{}: {problem}", path.display(), at.line)
        })
    }
}

fn said(args: &[Value]) -> String {
    let words: Vec<String> = args.iter().map(Value::to_text).collect();
    words.join(" ")
}

fn with_help(error: &Diagnostic) -> String {
    match &error.help {
        Some(help) => format!("{}; {help}", error.message),
        None => error.message.clone(),
    }
}

fn in_expression(inside: &str, problem: String) -> String {
    if problem.contains(" in `${") {
        return problem;
    }
    format!("{problem} in `${{{}}}`", shortened(inside))
}

/// A value, unless it is too large.
pub(super) fn checked(value: Value) -> Outcome {
    const DEEPEST_LIST: usize = 50;
    if value.depth() > DEEPEST_LIST {
        return Err(format!("lists are nested more than {DEEPEST_LIST} deep"));
    }
    if value.size() > LONGEST {
        return Err(format!("a list of more than {LONGEST} items"));
    }
    Ok(value)
}

/// The beginning of a text, for messages.
pub(super) fn shortened(text: &str) -> String {
    const SHOWN: usize = 60;
    if text.chars().count() <= SHOWN {
        return text.to_owned();
    }
    text.chars().take(SHOWN).chain(['…']).collect()
}

//! The bodies of a model: the tree of `<worldbody>` with its frames, replicas and attached models, in MuJoCo's order.

use super::asset::{Assets, Shelf};
use super::document::{Document, Node, Place};
use super::fields::Fields;
use super::inertia::explicit;
use super::model::{Body, Frame, Joint, JointType, Model};
use super::notes::Notes;
use super::settings::{InertiaFromGeom, Settings};
use super::{frame, geom, joint, replicate};
use crate::Diagnostic;
use crate::io::context::Context;
use crate::io::fields::shortened;
use crate::math::{Inertia, Pose};

/// Where an element is read: its model, the ends of its names, its class, and the frames around it.
#[derive(Debug, Clone)]
pub(super) struct Scope {
    /// Index of the document.
    pub(super) document: usize,
    pub(super) prefix: String,
    pub(super) suffix: String,
    pub(super) childclass: Option<usize>,
    /// The pose of the frames around the element, in its body.
    pub(super) pose: Pose,
    /// Elements around it, those of attached models included.
    pub(super) depth: usize,
}

impl Scope {
    /// The name that an element has in the whole model; empty where it has none.
    pub(super) fn name(&self, node: &Node) -> String {
        match node.word("name") {
            Some(name) => self.full_name(name),
            None => String::new(),
        }
    }

    /// The name in the whole model of what is called `name` in its file.
    pub(super) fn full_name(&self, name: &str) -> String {
        format!("{}{name}{}", self.prefix, self.suffix)
    }
}

/// The bodies of a model while they are read.
pub(super) struct Bodies<'a, 'c, 'r> {
    pub(super) documents: &'a [Document],
    pub(super) settings: &'a [Settings],
    pub(super) context: &'a mut Context<'c>,
    pub(super) notes: &'a mut Notes<'r>,
    pub(super) assets: Assets,
    pub(super) model: Model,
    /// The scope of each document that is attached as a whole.
    pub(super) attached: Vec<Scope>,
    pub(super) has_replicas: bool,
    /// Elements that were made so far.
    made: usize,
}

impl<'a, 'c, 'r> Bodies<'a, 'c, 'r> {
    /// An empty model.
    pub(super) fn new(
        documents: &'a [Document],
        settings: &'a [Settings],
        context: &'a mut Context<'c>,
        notes: &'a mut Notes<'r>,
    ) -> Self {
        Self {
            documents,
            settings,
            context,
            notes,
            assets: Assets::default(),
            model: Model::default(),
            attached: Vec::new(),
            has_replicas: false,
            made: 0,
        }
    }

    /// Reads the main model.
    pub(super) fn read(&mut self) -> Result<(), Diagnostic> {
        let main = Scope {
            document: 0,
            prefix: String::new(),
            suffix: String::new(),
            childclass: None,
            pose: Pose::identity(),
            depth: 0,
        };
        let place = self.document(&main).place;
        self.model.bodies.push(body("world".to_owned(), place, 0));
        self.attached.push(main.clone());
        for world in &self.document(&main).worlds {
            self.children(world, 0, &main)?;
        }
        Ok(())
    }

    fn document(&self, scope: &Scope) -> &'a Document {
        self.documents
            .get(scope.document)
            .expect("scopes name documents that were read")
    }

    fn settings(&self, scope: &Scope) -> &'a Settings {
        self.settings
            .get(scope.document)
            .expect("each document has settings")
    }

    fn body_mut(&mut self, body: usize) -> &mut Body {
        self.model.bodies.get_mut(body).expect("the body was added")
    }

    /// Reads what is in a body, or in a frame of it. Bodies come after all else, in order.
    pub(super) fn children(
        &mut self,
        node: &'a Node,
        body: usize,
        scope: &Scope,
    ) -> Result<(), Diagnostic> {
        let limits = self.context.options().limits;
        if scope.depth > limits.nesting {
            let most = limits.nesting;
            let problem = format!("bodies and attached models are nested more than {most} deep");
            return Err(self.notes.error(node.place, "model", problem));
        }
        for child in &node.children {
            self.made += 1;
            if self.made > limits.elements {
                let most = limits.elements;
                let problem = format!("it has more than {most} elements, replicas among them");
                let error = self.notes.error(child.place, "model", problem);
                return Err(error.help("raise `limits.elements` of the load options"));
            }
            self.child(child, body, scope)?;
        }
        Ok(())
    }

    fn child(&mut self, node: &'a Node, body: usize, scope: &Scope) -> Result<(), Diagnostic> {
        match node.name.as_str() {
            "body" => self.body(node, body, scope).map(drop),
            "frame" => {
                let inner = self.framed(node, scope)?;
                self.children(node, body, &inner)
            }
            "replicate" => {
                self.has_replicas = true;
                replicate::replicate(self, node, body, scope)
            }
            "attach" => self.attach(node, body, scope),
            "joint" | "freejoint" => self.joint(node, body, scope),
            "geom" => self.geom(node, body, scope),
            "site" | "camera" => self.frame(node, body, scope),
            "inertial" => self.inertial(node, body, scope),
            "light" => Ok(()),
            other => {
                let what = format!("<{}> in bodies is left out", shortened(other));
                self.notes.leave_out(what, node.place);
                Ok(())
            }
        }
    }

    /// The scope inside a `<frame>`.
    fn framed(&mut self, node: &'a Node, scope: &Scope) -> Result<Scope, Diagnostic> {
        let fields = Fields::plain(node, "frame", self.document(scope), self.notes);
        for name in ["scale", "massscale", "resize"] {
            if fields.has(name) {
                fields.warn(format!("`{name}` of <frame> is left out"));
            }
        }
        Ok(Scope {
            childclass: fields.class_of("childclass")?.or(scope.childclass),
            pose: scope.pose * frame::pose(fields, self.settings(scope))?,
            depth: scope.depth + 1,
            ..scope.clone()
        })
    }

    /// Adds a body with all that is in it.
    pub(super) fn body(
        &mut self,
        node: &'a Node,
        parent: usize,
        scope: &Scope,
    ) -> Result<usize, Diagnostic> {
        let name = scope.name(node);
        let subject = match name.as_str() {
            "" => "body".to_owned(),
            name => format!("body `{name}`"),
        };
        let fields = Fields::plain(node, &subject, self.document(scope), self.notes);
        let mut new = body(name, node.place, parent);
        new.pose = scope.pose * frame::pose(fields, self.settings(scope))?;
        new.mocap = fields.flag("mocap")?.unwrap_or(false);
        new.gravcomp = fields.number("gravcomp")?.unwrap_or(0.0);
        let inner = Scope {
            childclass: fields.class_of("childclass")?.or(scope.childclass),
            pose: Pose::identity(),
            depth: scope.depth + 1,
            ..scope.clone()
        };
        if new.mocap && parent != 0 {
            return Err(fields.error("a mocap body must be a child of the world"));
        }
        let index = self.model.bodies.len();
        self.model.bodies.push(new);
        self.children(node, index, &inner)?;
        Ok(index)
    }

    fn joint(&mut self, node: &'a Node, body: usize, scope: &Scope) -> Result<(), Diagnostic> {
        if body == 0 {
            let problem = "the world has no joints; put it into a <body>";
            return Err(self.notes.error(node.place, &node.name, problem));
        }
        let (document, settings) = (self.document(scope), self.settings(scope));
        let name = scope.name(node);
        let mut new = joint::joint(node, name, scope.childclass, document, settings, self.notes)?;
        new.position = (scope.pose * crate::math::Point::from(new.position)).coords;
        new.axis = scope.pose.rotation * new.axis;
        let owner = self.body_mut(body);
        let (is_top, joints) = (owner.parent == 0, &mut owner.joints);
        let problem = match new.kind {
            JointType::Free if !is_top => Some("a free joint is for children of the world only"),
            JointType::Free if !joints.is_empty() => {
                Some("a free joint is the only one of its body")
            }
            _ if joints.iter().any(|j: &Joint| j.kind == JointType::Free) => {
                Some("its body has a free joint, which must be the only one")
            }
            JointType::Ball | JointType::Hinge
                if joints.iter().any(|j| j.kind == JointType::Ball) =>
            {
                Some("its body has a ball joint, and no other may rotate it")
            }
            _ => None,
        };
        push(joints, new);
        match problem {
            Some(problem) => Err(self.notes.error(node.place, "joint", problem)),
            None => Ok(()),
        }
    }

    fn geom(&mut self, node: &'a Node, body: usize, scope: &Scope) -> Result<(), Diagnostic> {
        let settings = self.settings(scope);
        let weighs = body != 0 && settings.inertia_from_geom != InertiaFromGeom::Never;
        let shelf = Shelf {
            index: scope.document,
            document: self.document(scope),
            settings,
            all: (self.documents, self.settings),
            notes: self.notes,
        };
        let name = scope.name(node);
        let (assets, context) = (&mut self.assets, &mut *self.context);
        let class = scope.childclass;
        let mut new = geom::geom(node, name, class, weighs, shelf, assets, context)?;
        new.inertia = new.inertia.map(|inertia| inertia.transformed(&scope.pose));
        new.pose = scope.pose * new.pose;
        let is_discarded = settings.discard_visual && new.is_visual();
        if is_discarded {
            new.shape = super::model::GeomShape::Unknown;
        }
        push(&mut self.body_mut(body).geoms, new);
        Ok(())
    }

    fn frame(&mut self, node: &'a Node, body: usize, scope: &Scope) -> Result<(), Diagnostic> {
        let name = scope.name(node);
        if name.is_empty() {
            return Ok(());
        }
        let is_site = node.name == "site";
        let subject = format!("{} `{name}`", node.name);
        let (document, class) = (self.document(scope), scope.childclass);
        let kinds: &[&str] = if is_site { &["site"] } else { &["camera"] };
        let fields = Fields::with_classes(node, &subject, kinds, class, document, self.notes)?;
        let pose = match fields.numbers::<6>("fromto")?.filter(|_| is_site) {
            Some(ends) => frame::between(fields, ends)?.0,
            None => frame::pose(fields, self.settings(scope))?,
        };
        let pose = scope.pose * pose;
        let kind = if is_site { "site" } else { "camera" };
        push(&mut self.body_mut(body).frames, Frame { name, pose, kind });
        Ok(())
    }

    fn inertial(&mut self, node: &'a Node, body: usize, scope: &Scope) -> Result<(), Diagnostic> {
        if body == 0 {
            return Ok(());
        }
        let settings = self.settings(scope);
        let fields = Fields::plain(node, "inertial", self.document(scope), self.notes);
        let inertia = explicit(fields, settings)?.transformed(&scope.pose);
        if self.body_mut(body).inertial.replace(inertia).is_some() {
            let problem = "its body has a second <inertial>";
            return Err(self.notes.error(node.place, "inertial", problem));
        }
        Ok(())
    }

    /// Adds a body, a frame or the world of a model, of this one where none is named.
    fn attach(&mut self, node: &'a Node, body: usize, scope: &Scope) -> Result<(), Diagnostic> {
        let document = self.document(scope);
        let refuse =
            |notes: &Notes<'_>, problem: String| Err(notes.error(node.place, "attach", problem));
        let index = match node.word("model") {
            Some(model) => match document.models.get(model) {
                Some(index) => *index,
                None => return refuse(self.notes, format!("there is no model asset `{model}`")),
            },
            None => scope.document,
        };
        let prefix = node.word("prefix").unwrap_or_default();
        // what names its elements is read once for each copy
        let attached = self.documents.get(index);
        self.made += attached.map_or(0, Document::n_references);
        let inner = Scope {
            document: index,
            prefix: format!("{}{prefix}", scope.prefix),
            childclass: match index == scope.document {
                true => scope.childclass,
                false => None,
            },
            depth: scope.depth + 1,
            ..scope.clone()
        };
        let worlds = &self.document(&inner).worlds;
        let sought = ["body", "frame"]
            .into_iter()
            .find_map(|kind| Some((kind, node.word(kind)?)));
        let Some((kind, name)) = sought else {
            if index == scope.document {
                let problem = "an <attach> of the model itself names a `body` or a `frame`";
                return refuse(self.notes, problem.to_owned());
            }
            self.attached.push(inner.clone());
            return worlds
                .iter()
                .try_for_each(|world| self.children(world, body, &inner));
        };
        let Some((found, class)) = worlds
            .iter()
            .find_map(|world| find(world, kind, name, None))
        else {
            return refuse(self.notes, format!("the model has no {kind} `{name}`"));
        };
        let childclass = class.and_then(|class| self.document(&inner).class_index.get(class));
        let inner = Scope {
            childclass: childclass.copied().or(inner.childclass),
            ..inner
        };
        self.attached.push(inner.clone());
        self.child(found, body, &inner)
    }
}

/// The element of a kind and name in a tree, and the `childclass` around it.
fn find<'n>(
    node: &'n Node,
    kind: &str,
    name: &str,
    class: Option<&'n str>,
) -> Option<(&'n Node, Option<&'n str>)> {
    let class = node.word("childclass").or(class);
    node.children.iter().find_map(|child| {
        if child.name == kind && child.word("name") == Some(name) {
            return Some((child, class));
        }
        find(child, kind, name, class)
    })
}

/// Appends to a list that mostly stays one long: a vector begins with room for four, which is most of the memory of a
/// million bodies.
fn push<T>(list: &mut Vec<T>, new: T) {
    if list.is_empty() {
        list.reserve_exact(1);
    }
    list.push(new);
}

/// A body without anything.
fn body(name: String, place: Place, parent: usize) -> Body {
    Body {
        name,
        place,
        parent,
        pose: Pose::identity(),
        mocap: false,
        gravcomp: 0.0,
        joints: Vec::new(),
        geoms: Vec::new(),
        frames: Vec::new(),
        inertial: None,
        inertia: Inertia::zero(),
    }
}

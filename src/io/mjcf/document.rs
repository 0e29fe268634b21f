//! An MJCF model as written: elements with the span of every attribute, no defaults applied, includes in place.

use std::collections::HashMap;
use std::path::PathBuf;

use crate::io::position::Position;
use crate::io::xml::Attribute;

/// A position in one of the files of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    /// Index in [`Files`].
    pub(super) file: usize,
    pub(super) position: Position,
}

/// The files that a model is read from: the main file, those that it includes, and those of attached models.
#[derive(Debug, Clone, Default)]
pub(super) struct Files {
    pub(super) paths: Vec<PathBuf>,
}

/// An element.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub(super) name: String,
    pub(super) place: Place,
    pub(super) attributes: Vec<Attribute>,
    pub(super) children: Vec<Self>,
}

impl Node {
    /// The attribute of this name.
    pub(super) fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes
            .iter()
            .find(|attribute| attribute.name == name)
    }

    /// The value of an attribute, without the spaces around it.
    pub(super) fn word(&self, name: &str) -> Option<&str> {
        self.attribute(name)
            .map(|attribute| attribute.value.trim())
            .filter(|value| !value.is_empty())
    }

    /// The children of this name.
    pub(super) fn all<'n>(&'n self, name: &str) -> impl Iterator<Item = &'n Self> {
        self.children.iter().filter(move |child| child.name == name)
    }
}

/// One model: the main one, or one that it attaches.
#[derive(Debug, Clone)]
pub(super) struct Document {
    /// The file, an index in [`Files`].
    pub(super) file: usize,
    /// `model` of `<mujoco>`.
    pub(super) name: Option<String>,
    pub(super) place: Place,
    /// `<compiler>` elements; a later one overrides an earlier one.
    pub(super) compilers: Vec<Node>,
    /// `<option>` elements.
    pub(super) options: Vec<Node>,
    pub(super) classes: Vec<Class>,
    /// Indices of the classes by name.
    pub(super) class_index: HashMap<String, usize>,
    /// Children of `<asset>`.
    pub(super) assets: Vec<Node>,
    /// `<worldbody>` elements.
    pub(super) worlds: Vec<Node>,
    /// Children of `<contact>`.
    pub(super) contacts: Vec<Node>,
    /// Children of `<equality>`.
    pub(super) equalities: Vec<Node>,
    /// Children of `<tendon>`.
    pub(super) tendons: Vec<Node>,
    /// Children of `<actuator>`.
    pub(super) actuators: Vec<Node>,
    /// Children of `<keyframe>`.
    pub(super) keys: Vec<Node>,
    /// Children of `<sensor>`.
    pub(super) sensors: Vec<Node>,
    /// Other elements, which are left out.
    pub(super) others: Vec<Node>,
    /// The models of `<asset><model>`, by name: indices in the list of documents.
    pub(super) models: HashMap<String, usize>,
}

impl Document {
    /// Number of elements outside of the tree that name elements in it.
    pub(super) fn n_references(&self) -> usize {
        let sections = [
            &self.contacts,
            &self.equalities,
            &self.tendons,
            &self.actuators,
            &self.keys,
            &self.sensors,
        ];
        sections.into_iter().map(Vec::len).sum()
    }
}

/// A default class.
#[derive(Debug, Clone)]
pub(super) struct Class {
    /// The class around it.
    pub(super) parent: Option<usize>,
    /// `<geom>`, `<joint>`, … with the attributes that elements of the class get.
    pub(super) elements: Vec<Node>,
}

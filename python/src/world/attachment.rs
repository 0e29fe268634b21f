//! Objects that links carry.

use pyo3::prelude::*;

use super::{Entity, EntityIn, World, entity, object_id};
use crate::convert::{Array2, ElementKey, PoseIn, pose_array};

/// A rigid object that is attached to a link.
#[pyclass(frozen, module = "kinworld")]
pub(crate) struct Attachment {
    /// The object.
    #[pyo3(get)]
    rigid_object: Entity,
    /// The link.
    #[pyo3(get)]
    link: Entity,
    /// The elements that the object may touch.
    #[pyo3(get)]
    touch: Vec<Entity>,
    pose: PoseIn,
}

impl Attachment {
    fn new(
        world: &kinworld::WorldModel,
        object: kinworld::EntityId,
        attachment: &kinworld::world::Attachment,
    ) -> Self {
        let link = kinworld::EntityId::Link(attachment.robot(), attachment.link());
        Self {
            rigid_object: entity(world, object),
            link: entity(world, link),
            touch: attachment.touch().map(|id| entity(world, id)).collect(),
            pose: PoseIn(*attachment.pose_in_link()),
        }
    }
}

#[pymethods]
impl Attachment {
    /// Pose (4 × 4) of the object in the frame of the link.
    #[getter]
    fn pose_in_link<'py>(&self, py: Python<'py>) -> Array2<'py> {
        pose_array(py, &self.pose.0)
    }

    fn __repr__(&self) -> String {
        format!(
            "Attachment: '{}' to '{}'",
            self.rigid_object.__str__(),
            self.link.__str__()
        )
    }
}

#[pymethods]
impl World {
    /// The rigid objects that are attached to links.
    #[getter]
    fn attachments(&self) -> Vec<Attachment> {
        let attachments = self.model.attachments();
        attachments
            .map(|(object, attachment)| Attachment::new(&self.model, object.into(), attachment))
            .collect()
    }

    /// How a rigid object is attached; ``None`` where it is not.
    fn attachment(&self, rigid_object: ElementKey) -> PyResult<Option<Attachment>> {
        let id = object_id(&self.model, &rigid_object)?;
        let attachment = self.model.attachment(id);
        Ok(attachment.map(|attachment| Attachment::new(&self.model, id.into(), attachment)))
    }

    /// The link that carries an element: of a link itself, of an attached object that link; ``None`` for what moves freely.
    fn carrier(&self, element: EntityIn) -> PyResult<Option<Entity>> {
        let id = element.of(&self.model)?;
        let carrier = self.model.carrier(id);
        Ok(carrier.map(|(robot, link)| entity(&self.model, kinworld::EntityId::Link(robot, link))))
    }
}

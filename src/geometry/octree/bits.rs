//! An octree as sixteen bits for each divided cube: two for each child, of which it knows whether it is free, occupied, divided or
//! unknown.

use super::{DEPTH, LEAST, MOST, MOST_NODES, Node, Octree, UNKNOWN};

const FREE: u16 = 0b01;
const OCCUPIED: u16 = 0b10;
const DIVIDED: u16 = 0b11;

/// What is wrong with bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BadBits {
    /// They end before the cubes do.
    Short,
    /// A cube of the finest size is divided.
    Deep,
    /// There are more cubes than allowed.
    Many,
}

impl Octree {
    /// The bits of the whole map and then of each divided cube, depth first; none where nothing is known.
    pub(crate) fn to_bits(&self) -> Vec<u16> {
        let mut all = Vec::new();
        let root = self.nodes[0];
        if root.log_odds.is_some() {
            self.write(root, &mut all);
        }
        all
    }

    fn write(&self, node: Node, all: &mut Vec<u16>) {
        let children = self.children(node);
        let state = |child: &Node| match child.log_odds {
            None => 0,
            Some(_) if child.children != 0 => DIVIDED,
            Some(log_odds) if log_odds >= 0.0 => OCCUPIED,
            Some(_) => FREE,
        };
        let bits = children.iter().enumerate();
        all.push(bits.fold(0, |bits, (i, child)| bits | state(child) << (2 * i)));
        for child in children.into_iter().filter(|child| child.children != 0) {
            self.write(child, all);
        }
    }

    /// The children of a node; of the whole map, where it is not divided, eight like it.
    fn children(&self, node: Node) -> [Node; 8] {
        let first = node.children as usize;
        std::array::from_fn(|i| {
            if first == 0 {
                node
            } else {
                self.nodes[first + i]
            }
        })
    }

    /// Fills an unknown map from bits as those of [`to_bits`](Self::to_bits), with at most so many cubes: what is occupied or free is as
    /// sure as it can be.
    pub(crate) fn fill(
        &mut self,
        bits: &mut impl Iterator<Item = u16>,
        most: usize,
    ) -> Result<(), BadBits> {
        self.read(0, DEPTH, bits, most.min(MOST_NODES))
    }

    fn read(
        &mut self,
        at: usize,
        level: u32,
        bits: &mut impl Iterator<Item = u16>,
        most: usize,
    ) -> Result<(), BadBits> {
        if level == 0 {
            return Err(BadBits::Deep);
        }
        let states = bits.next().ok_or(BadBits::Short)?;
        if self.nodes.len() + 8 > most {
            return Err(BadBits::Many);
        }
        let first = self.block(None);
        self.nodes[at] = Node {
            children: first,
            ..UNKNOWN
        };
        let state = |i: usize| states >> (2 * i) & 0b11;
        for i in 0..8 {
            self.nodes[first as usize + i].log_odds = match state(i) {
                FREE => Some(LEAST),
                OCCUPIED => Some(MOST),
                _ => None,
            };
        }
        for i in (0..8).filter(|&i| state(i) == DIVIDED) {
            self.read(first as usize + i, level - 1, bits, most)?;
        }
        self.join(at);
        Ok(())
    }
}

//! Order conditions of the Butcher tableaus, one for each rooted tree.

use kinworld::sim::{Method, Tableau};

use super::METHODS;

/// Rooted tree: its number of nodes, the subtrees of its root, and Butcher's density.
#[derive(Debug, Clone)]
struct Rooted {
    nodes: u32,
    children: Vec<usize>,
    density: f64,
}

/// All rooted trees of up to `most` nodes; children precede their parents.
fn rooted_trees(most: u32) -> Vec<Rooted> {
    let mut trees: Vec<Rooted> = Vec::new();
    for nodes in 1..=most {
        let smaller = trees.clone();
        let mut found = Vec::new();
        forests(
            &smaller,
            nodes - 1,
            smaller.len(),
            &mut Vec::new(),
            &mut found,
        );
        trees.extend(found.into_iter().map(|children: Vec<usize>| {
            Rooted {
                nodes,
                density: f64::from(nodes)
                    * children
                        .iter()
                        .map(|&c| smaller[c].density)
                        .product::<f64>(),
                children,
            }
        }));
    }
    trees
}

/// All multisets of the trees before `below`, in descending order, with `nodes` nodes in total.
fn forests(
    trees: &[Rooted],
    nodes: u32,
    below: usize,
    chosen: &mut Vec<usize>,
    found: &mut Vec<Vec<usize>>,
) {
    if nodes == 0 {
        found.push(chosen.clone());
        return;
    }
    for i in (0..below).filter(|&i| trees[i].nodes <= nodes) {
        chosen.push(i);
        forests(trees, nodes - trees[i].nodes, i + 1, chosen, found);
        chosen.pop();
    }
}

/// Residual of a tableau's condition for each tree.
fn defects(table: &Tableau, trees: &[Rooted]) -> Vec<f64> {
    let s = table.stages();
    let mut weights: Vec<Vec<f64>> = Vec::new();
    let mut out = Vec::new();
    for tree in trees {
        let at = |i: usize| {
            let branch = |&child: &usize| {
                let of_stages = table.a()[i].iter().zip(&weights[child]);
                of_stages.map(|(a, w)| a * w).sum::<f64>()
            };
            tree.children.iter().map(branch).product::<f64>()
        };
        let of_tree: Vec<f64> = (0..s).map(at).collect();
        let sum: f64 = table.b().iter().zip(&of_tree).map(|(b, w)| b * w).sum();
        out.push((sum - 1.0 / tree.density).abs());
        weights.push(of_tree);
    }
    out
}

#[test]
fn there_are_as_many_rooted_trees_as_cayley_counted() {
    let trees = rooted_trees(8);
    let count = |n: u32| trees.iter().filter(|tree| tree.nodes == n).count();
    assert_eq!(
        (1..=8).map(count).collect::<Vec<_>>(),
        [1, 1, 2, 4, 9, 20, 48, 115]
    );
}

#[test]
fn every_table_meets_the_conditions_of_its_order_and_not_those_of_the_next() {
    let trees = rooted_trees(9);
    for method in METHODS {
        let Some(table) = method.tableau() else {
            continue;
        };
        let order = table.order();
        for (tree, defect) in trees.iter().zip(defects(table, &trees)) {
            if tree.nodes <= order {
                assert!(defect < 2e-14, "{method:?}, {tree:?}: off by {defect:e}");
            }
        }
        let next = trees
            .iter()
            .zip(defects(table, &trees))
            .filter(|(tree, _)| tree.nodes == order + 1);
        assert!(
            next.into_iter().any(|(_, defect)| defect > 1e-6),
            "{method:?} is of a higher order"
        );
    }
}

#[test]
fn nodes_are_the_sums_of_their_coefficients() {
    for table in METHODS.iter().filter_map(|method| method.tableau()) {
        assert_eq!(table.a().len(), table.stages());
        for (a, c) in table.a().iter().zip(table.c()) {
            assert!((a.iter().sum::<f64>() - c).abs() < 2e-14);
        }
    }
    assert_eq!(Method::Rk67.tableau().unwrap().stages(), 7);
}

//! Queries of road maps.

use super::RoadMap;
use super::graph::{EdgeState, Graph, neighbours_of};
use super::shortest::Shortest;
use crate::Result;
use crate::math::SplitMix;
use crate::planning::clock::Instant;
use crate::planning::improve::{Effort, improve};
use crate::planning::rrt_connect::{bounded, free_ends, free_only};
use crate::planning::{Budget, CSpace, Plan, RrtConnect, Termination, shortcut};

/// A search where the map does not join the ends: of what is left of a budget.
type Search<'a> = dyn FnMut(&Budget, &mut dyn FnMut(usize) -> bool) -> Result<Plan> + 'a;

/// A search in a map.
pub(super) struct Query<'a> {
    pub(super) began: Instant,
    pub(super) budget: &'a Budget,
    pub(super) observer: &'a mut dyn FnMut(usize) -> bool,
}

impl RoadMap {
    /// Finds a path, as [`RrtConnect::solve`] does: with shortcuts, and shorter ones as the [budget](Budget::improve) has it.
    ///
    /// # Errors
    ///
    /// As [`repair`](Self::repair) and [`RrtConnect::solve`].
    pub fn solve(
        &mut self,
        space: &impl CSpace,
        start: &[f64],
        goal: &[f64],
        budget: &Budget,
    ) -> Result<Plan> {
        self.solve_any(space, &[start], &[goal], budget, |_| true)
    }

    /// [`solve`](Self::solve) from any of several starts to any of several goals: [`Plan::start`] and [`Plan::goal`] are those of the
    /// path, the shortest of the map before shortcuts. Those that are not free are left out.
    ///
    /// The observer is called with the number of samples after each of them and before each path that is checked, and returns
    /// whether to go on.
    ///
    /// # Errors
    ///
    /// As [`solve`](Self::solve); of starts or goals where none is free, for the first, and [`Error::Invalid`](crate::Error::Invalid) where there is
    /// none.
    pub fn solve_any<Q: AsRef<[f64]>, G: AsRef<[f64]>>(
        &mut self,
        space: &impl CSpace,
        starts: &[Q],
        goals: &[G],
        budget: &Budget,
        mut observer: impl FnMut(usize) -> bool,
    ) -> Result<Plan> {
        let began = Instant::now();
        let ends = ends(space, starts, goals, budget);
        let mut search = |budget: &Budget, observer: &mut dyn FnMut(usize) -> bool| {
            RrtConnect::new(budget).solve_drawn(space, &ends[0], &ends[1], || Ok(None), observer)
        };
        let query = Query {
            began,
            budget,
            observer: &mut observer,
        };
        let mut plan = self.search(space, &ends, query, &mut search)?;
        let Some(path) = &mut plan.path else {
            return Ok(plan);
        };
        let drawn = plan.iterations;
        let is_over = || budget.max_time.is_some_and(|most| began.elapsed() >= most);
        let mut random = SplitMix::new(budget.seed);
        plan.iterations += space.with_workspace(|ws| {
            let mut more = || !is_over() && observer(drawn);
            let tries = budget.shortcuts;
            shortcut::shorten(space, ws, path, tries, &mut random, &mut more)?;
            if budget.improve == 0 {
                return Ok(0);
            }
            let free = free_ends(space, ws, [&ends[0], &ends[1]])?;
            let mut more = |i| !is_over() && observer(drawn + i);
            improve(
                space,
                ws,
                path,
                &free,
                Effort::of(budget),
                &mut more,
                &|_, _, _| Ok(true),
            )
        })?;
        plan.name_ends(&ends[0], &ends[1]);
        Ok(plan)
    }

    /// The shortest path of the map, or where it has none, one that `search` finds and the map learns.
    pub(super) fn search<S: CSpace>(
        &mut self,
        space: &S,
        ends: &[Vec<Vec<f64>>; 2],
        query: Query<'_>,
        search: &mut Search<'_>,
    ) -> Result<Plan> {
        let Query {
            began,
            budget,
            observer,
        } = query;
        self.repair(space)?;
        let lists = ends.each_ref().map(|all| {
            let all = all.iter().map(|q| &q[..]);
            all.collect::<Vec<&[f64]>>()
        });
        let free = space.with_workspace(|ws| -> Result<_> {
            let starts = free_only(space, ws, "start", &lists[0])?;
            Ok([starts, free_only(space, ws, "goal", &lists[1])?])
        })?;
        let is_over = || budget.max_time.is_some_and(|most| began.elapsed() >= most);
        let mut found = self.shortest_free(space, &free, &is_over, observer)?;
        let Some(Termination::Iterations) = found.as_ref().err() else {
            return Ok(found.map_or_else(
                |termination| Plan::new(None, termination, 0),
                |path| Plan::new(Some(path), Termination::Found, 0),
            ));
        };
        let left = Budget {
            improve: 0,
            ..budget.left(0, began.elapsed())
        };
        let mut plan = search(&left, observer)?;
        let Some(path) = &mut plan.path else {
            return Ok(plan);
        };
        self.learn(space, path)?;
        found = self.shortest_free(space, &free, &is_over, observer)?;
        // its own check may have refused an edge of the path that was found
        let length = shortcut::path_length(space, path);
        if let Ok(other) = found
            && shortcut::path_length(space, &other) < length
        {
            *path = other;
        }
        Ok(plan)
    }

    /// Adds the waypoints of a path as milestones, with its edges.
    fn learn(&mut self, space: &impl CSpace, path: &[Vec<f64>]) -> Result<()> {
        let mut before = None;
        for q in path {
            self.check_size()?;
            let milestone = self.graph.insert(space, q);
            if let Some(before) = before
                && before != milestone
                && !self.graph.are_joined(before, milestone)
            {
                let length = space.distance(self.graph.q(before), self.graph.q(milestone));
                self.graph.join(before, milestone, length);
            }
            before = Some(milestone);
        }
        Ok(())
    }

    /// The shortest path of free edges, or why there is none: `Iterations` where the map has none.
    fn shortest_free<S: CSpace>(
        &mut self,
        space: &S,
        ends: &[Vec<&[f64]>; 2],
        is_over: &dyn Fn() -> bool,
        observer: &mut dyn FnMut(usize) -> bool,
    ) -> Result<std::result::Result<Vec<Vec<f64>>, Termination>> {
        self.check_size()?;
        let (milestones, edges) = (self.graph.len(), self.graph.edges.len());
        let k = neighbours_of(milestones, space.n_dofs());
        let [starts, goals] = ends.each_ref().map(|all| {
            let push = |q: &&[f64]| {
                let new = self.graph.push(q);
                self.graph.join_near(space, new, k);
                new
            };
            all.iter().map(push).collect::<Vec<usize>>()
        });
        for &start in &starts {
            for &goal in &goals {
                let length = space.distance(self.graph.q(start), self.graph.q(goal));
                self.graph.join(start, goal, length);
            }
        }
        let mut lazy = Lazy {
            space,
            graph: &mut self.graph,
            milestones,
            starts: &starts,
            goals: &goals,
        };
        let found = space.with_workspace(|ws| lazy.run(ws, is_over, observer));
        self.graph.truncate(milestones, edges);
        found
    }
}

/// A lazy search in a graph whose last milestones are the ends.
struct Lazy<'a, S> {
    space: &'a S,
    graph: &'a mut Graph,
    /// Number of milestones without the ends.
    milestones: usize,
    starts: &'a [usize],
    goals: &'a [usize],
}

impl<S: CSpace> Lazy<'_, S> {
    fn run(
        &mut self,
        ws: &mut S::Workspace,
        is_over: &dyn Fn() -> bool,
        observer: &mut dyn FnMut(usize) -> bool,
    ) -> Result<std::result::Result<Vec<Vec<f64>>, Termination>> {
        let mut shortest = Shortest::default();
        loop {
            if is_over() {
                return Ok(Err(Termination::Time));
            }
            if !observer(0) {
                return Ok(Err(Termination::Cancelled));
            }
            let goals: Vec<&[f64]> = self.goals.iter().map(|&goal| self.graph.q(goal)).collect();
            let ahead = |q: &[f64]| {
                let distances = goals.iter().map(|goal| self.space.distance(q, goal));
                distances.fold(f64::INFINITY, f64::min)
            };
            let found = shortest.path(self.graph, self.starts, self.goals, ahead);
            let Some((start, edges)) = found else {
                return Ok(Err(Termination::Iterations));
            };
            if self.check(&edges, ws)? {
                return Ok(Ok(self.waypoints(start, &edges)));
            }
        }
    }

    /// Checks the edges of a path about which nothing is known, those near its ends first, until one is not free.
    fn check(&mut self, edges: &[u32], ws: &mut S::Workspace) -> Result<bool> {
        let n = edges.len();
        let inwards = (0..n).map(|i| if i % 2 == 0 { i / 2 } else { n - 1 - i / 2 });
        for edge in inwards.map(|i| edges[i] as usize) {
            if self.graph.edges[edge].state == EdgeState::Free {
                continue;
            }
            if self.graph.check(edge, self.space, ws)? {
                continue;
            }
            // most edges are not free where one of their ends is not: then no other of it is
            for end in self.graph.edges[edge].ends {
                if end < self.milestones && !self.space.is_free_with(self.graph.q(end), ws)? {
                    self.graph.block(end);
                }
            }
            return Ok(false);
        }
        Ok(true)
    }

    /// The configurations along edges from a start, of equal ones that follow each other the first.
    fn waypoints(&self, start: usize, edges: &[u32]) -> Vec<Vec<f64>> {
        let mut at = start;
        let mut path = vec![self.graph.q(at).to_vec()];
        for &edge in edges {
            let [a, b] = self.graph.edges[edge as usize].ends;
            at = if a == at { b } else { a };
            path.push(self.graph.q(at).to_vec());
        }
        let last = path.len() - 1;
        path.dedup();
        if path.len() == 1 && last > 0 {
            path.push(path[0].clone());
        }
        path
    }
}

impl Graph {
    /// Checks an edge: returns whether it is free.
    pub(super) fn check<S: CSpace>(
        &mut self,
        edge: usize,
        space: &S,
        ws: &mut S::Workspace,
    ) -> Result<bool> {
        let [a, b] = self.edges[edge].ends.map(|end| self.q(end));
        let is_free = space.is_edge_free_with(a, b, ws)?;
        self.edges[edge].state = if is_free {
            EdgeState::Free
        } else {
            EdgeState::Blocked
        };
        Ok(is_free)
    }

    /// Marks all edges of a milestone that is not free.
    fn block(&mut self, milestone: usize) {
        for i in 0..self.edges_of(milestone).len() {
            let edge = self.edges_of(milestone)[i];
            self.edges[edge as usize].state = EdgeState::Blocked;
        }
    }
}

/// The starts and goals, those a little beyond bounds at them.
pub(super) fn ends<Q: AsRef<[f64]>, G: AsRef<[f64]>>(
    space: &impl CSpace,
    starts: &[Q],
    goals: &[G],
    budget: &Budget,
) -> [Vec<Vec<f64>>; 2] {
    let bounds = space.bounds();
    let inside = |q: &[f64]| bounded(q, &bounds, budget.end_tolerance);
    [
        starts.iter().map(|q| inside(q.as_ref())).collect(),
        goals.iter().map(|q| inside(q.as_ref())).collect(),
    ]
}

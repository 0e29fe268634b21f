//! Plans for robots on road maps.

use super::RoadMap;
use super::solve::{Query, ends};
use crate::Result;
use crate::planning::clock::Instant;
use crate::planning::robot_plan::{Checked, Observer};
use crate::planning::{Budget, Plan, RobotCSpace, RrtConnect};

impl RoadMap {
    /// Finds a path for robots that is held to what [`plan`](crate::planning::plan) does: the edges of the map are checked at four
    /// times the [resolution](RobotCSpace::with_resolution) of the space, and all of the path is proved at last. Where that fails, the
    /// path is planned anew.
    ///
    /// # Errors
    ///
    /// As [`repair`](Self::repair) and [`plan`](crate::planning::plan).
    pub fn plan(
        &mut self,
        space: &RobotCSpace,
        start: &[f64],
        goal: &[f64],
        budget: &Budget,
    ) -> Result<Plan> {
        self.plan_any(space, &[start], &[goal], budget, |_| true)
    }

    /// [`plan`](Self::plan) from any of several starts to any of several goals, with an observer, as
    /// [`solve_any`](Self::solve_any).
    ///
    /// # Errors
    ///
    /// As [`plan`](Self::plan) and [`solve_any`](Self::solve_any).
    pub fn plan_any<Q: AsRef<[f64]>, G: AsRef<[f64]>>(
        &mut self,
        space: &RobotCSpace,
        starts: &[Q],
        goals: &[G],
        budget: &Budget,
        mut observer: impl FnMut(usize) -> bool,
    ) -> Result<Plan> {
        let ends = ends(space, starts, goals, budget);
        self.plan_between(space, &ends, budget, &mut observer)
    }

    /// [`plan_any`](Self::plan_any).
    fn plan_between(
        &mut self,
        space: &RobotCSpace,
        ends: &[Vec<Vec<f64>>; 2],
        budget: &Budget,
        observer: Observer<'_>,
    ) -> Result<Plan> {
        let began = Instant::now();
        let checked = Checked::at_last(space, budget)?;
        let mut once = |space: &RobotCSpace, budget: &Budget, observer: Observer<'_>| {
            let planner = RrtConnect::new(budget);
            planner.solve_drawn(space, &ends[0], &ends[1], || Ok(None), observer)
        };
        let mut search = |budget: &Budget, observer: Observer<'_>| {
            Checked::new(space, budget).run(observer, &mut once)
        };
        let query = Query {
            began,
            budget,
            observer,
        };
        let mut plan = self.search(checked.space(), ends, query, &mut search)?;
        let Some(path) = &mut plan.path else {
            return Ok(plan);
        };
        if !checked.shorten(path, plan.iterations, observer)? {
            // a path of the map that only samples take to be free: a search with what is left of the budget
            let drawn = plan.iterations;
            let left = budget.left(drawn, began.elapsed());
            plan = search(&left, &mut |i| observer(drawn + i))?;
            plan.iterations += drawn;
        }
        let [starts, goals] = ends.each_ref().map(|all| {
            let all = all.iter().map(|q| &q[..]);
            all.collect::<Vec<&[f64]>>()
        });
        plan = checked.improved(plan, &starts, &goals, observer)?;
        plan.name_ends(&ends[0], &ends[1]);
        Ok(plan)
    }
}

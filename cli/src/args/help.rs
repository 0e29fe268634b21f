//! Texts of the help beside the arguments: examples, formats, exit codes.

pub(super) const EXIT_CODES: &str = "\
Exit codes:
  0  success; warnings, if any, are on standard error
  1  invalid input; the reason is on standard error as `path:line:column: error: message`
  2  wrong usage
  3  no answer: no path was found, a target was not reached, a simulation stopped; the reason is on standard error,
     and in JSON as `reason`

A file that a command writes appears whole or not at all, in a folder that exists. After code 1 an old one is unchanged.
Run `kinworld help COMMAND` for options and examples.";

pub(super) const INFO_EXAMPLES: &str = "\
Examples:
  kinworld info data/robots/planar3R.rob
  kinworld info arm.urdf --package arm_description=/opt/models/arm_description --json";

pub(super) const CHECK_EXAMPLES: &str = "\
Examples:
  kinworld check robots/*.urdf
  kinworld check --as terrain floor.off
  kinworld check --as robot arm.urdf --json

Facts with --json, where they apply:
  n_links n_joints link_names parents qmin qmax total_mass n_tris aabb
  n_robots n_objects n_terrains n_configs n_errors n_warnings";

pub(super) const FK_EXAMPLES: &str = "\
Examples:
  kinworld fk data/robots/planar3R.rob --config 0,0.785398,0.785398
  kinworld fk data/robots/planar3R.rob --config -0.1,0,0.2 --link 2 --point 1,0,0
  kinworld fk data/robots/arm6.urdf --config axis2=30,axis3=-45 --degrees
  kinworld fk data/robots/arm6.urdf --srdf data/srdf/arm6.srdf --config @ready

--link selects one link, --point the point whose position is printed, --quaternion adds the rotation to the table.";

pub(super) const JACOBIAN_EXAMPLES: &str = "\
Examples:
  kinworld jacobian data/robots/planar3R.rob --config 0,0.785398,0.785398 --point 1,0,0
  kinworld jacobian arm.urdf --link tool0 --json";

pub(super) const DYNAMICS_EXAMPLES: &str = "\
Examples:
  kinworld dynamics data/robots/planar3R.rob --config 0,0.785398,0.785398 --dq 1,0,0
  kinworld dynamics arm.urdf --ddq 0,0,1,0,0,0 --gravity 0,0,0 --json
  kinworld dynamics arm.urdf --tau 0,50,20,0,0,0";

pub(super) const EXPORT_EXAMPLES: &str = "\
Examples:
  kinworld export data/worlds/cell.xml cell.html --collisions
  kinworld plan arm.urdf table.env --to @ready --output path.json
  kinworld export arm.urdf table.env path.html --motion path.json --collisions
  kinworld simulate arm.urdf --output run.csv
  kinworld export arm.urdf run.html --motion run.csv";

pub(super) const RENDER_EXAMPLES: &str = "\
Examples:
  kinworld render data/worlds/cell.xml cell.png
  kinworld render arm.urdf table.env crate.obj scene.png --config 0.5,1,0,0,0,0 --collisions
  kinworld render data/worlds/cell.xml cell.png --camera 2,-2,1.5,0,0,0.5 --fov 50 --size 640x480 --depth depth.png --segmentation ids.png";

#[cfg(feature = "view")]
pub(super) const VIEW_EXAMPLES: &str = "\
Examples:
  kinworld view data/worlds/cell.xml
  kinworld view arm.urdf table.env crate.obj --srdf arm.srdf
  kinworld view arm.urdf --no-open --port 8123

The last line of standard output is the address. Whoever has it can move the robot in this view and load files as `query` may.

Programs: a WebSocket at ws://127.0.0.1:PORT/socket?token=TOKEN takes the requests of `query`, one per text message, and gives its
answers. Messages with `event` come unasked: `state`, after changes by others, as the op `state` gives it; `files`, after a reload.
At most 8 connections; messages have at most 16 MiB. Ctrl-C ends it.";

pub(super) const COLLIDE_EXAMPLES: &str = "\
Examples:
  kinworld collide arm.urdf table.env cup.obj --config 0,0.5,-1,0,0,0
  kinworld collide arm.urdf --json

A collision is a result, not an error: the exit code is 0 either way.";

pub(super) const DISTANCE_EXAMPLES: &str = "\
Examples:
  kinworld distance data/worlds/cell.xml
  kinworld distance arm.urdf table.env crate.obj@0.4,0,0.2 --config 0,0.5,-1,0,0,0 --nearest 3
  kinworld distance arm.urdf crate.obj --pair crate 'arm[tool0]' --json

--json: distance, on_a, on_b, normal, pair; without --pair a list `pairs` of these.";

pub(super) const RAY_EXAMPLES: &str = "\
Examples:
  kinworld ray data/worlds/cell.xml --origin 0,0,3 --direction 0,0,-1
  kinworld ray arm.urdf table.env --config 0,0.5,-1,0,0,0 --origin 1,0,0.5 --direction -1,0,0 --json

--json: hit, the name of the element or null; point, distance, normal. No hit is a result, not an error.";

pub(super) const PLACE_EXAMPLES: &str = "\
Examples:
  kinworld place data/objects/crate.obj --at 0.4,0,0.2
  kinworld place data/objects/crate.obj --at 0.4,0,0.2,0,0,90deg --output crate_on_table.obj
  kinworld place arm.urdf table.env@0.5,0,0 crate.obj@0.4,0,0.2 --output cell.xml
  kinworld collide arm.urdf crate.obj@0.4,0,0.2

Every command that loads FILE… into one world takes FILE@POSE; a file whose name has an @ is found first. Angles are in radians, or such
as 90deg. The pose becomes that of a rigid object; a robot is moved by its base, a terrain by its shape, a world as a whole.";

pub(super) const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  kinworld completions bash > ~/.local/share/bash-completion/completions/kinworld
  kinworld completions zsh > ~/.zfunc/_kinworld
  kinworld completions fish > ~/.config/fish/completions/kinworld.fish
  kinworld completions powershell >> $PROFILE";

pub(super) const MAN_EXAMPLES: &str = "\
Examples:
  kinworld man | man -l -
  kinworld man > ~/.local/share/man/man1/kinworld.1";

pub(super) const BENCH_EXAMPLES: &str = "\
Examples:
  kinworld bench data/robots/arm6.urdf
  kinworld bench quadruped.urdf --base floating --no-meshes --json

A kernel that does not apply to the robot is null in JSON, and `unavailable` gives the reason: a dof
without inertia has no forward dynamics.";

pub(super) const WRENCH_EXAMPLES: &str = "\
Examples:
  kinworld wrench data/robots/planar3R.rob --motion data/motions/swing.csv > wrenches.csv
  kinworld wrench data/robots/planar3R.rob --motion data/motions/swing.csv --observer link0 --link link2 --table
  kinworld wrench data/robots/planar3R.rob --motion data/motions/swing.csv --external link2:1,0,0:0,0,-9.81 --link link0

--json: observer, and wrenches: a list of time, link and the nine wrenches of the op `wrench` of `query`.";

pub(super) const IK_EXAMPLES: &str = "\
Examples:
  kinworld ik data/robots/arm6.urdf --link flange --position 0.4,0.1,0.5
  kinworld ik data/robots/arm6.urdf --link flange --pose 0.4,0.1,0.5,0,1.5708,0 --seed 3 --json
  kinworld ik data/robots/puma560.urdf --link tool --pose 0.4,0.1,0.5,0,1.5708,0 --all
  kinworld ik arm.urdf table.env --link tool0 --pose 0.4,0,0.2,3.1416,0,0 --avoid-collisions
  kinworld ik data/robots/arm6.urdf --to-pose flange 0.4,0.1,0.5 --to-pose flange 0.4,-0.1,0.5,0,1.5708,0

--json: success, q, residual: the larger of the position error in m and the orientation error in rad. With
--all: success, and postures: a list of q, residual. Where the target is not reached the exit code is 3, and `reason`
says why.";

pub(super) const PLAN_EXAMPLES: &str = "\
Examples:
  kinworld plan data/robots/arm6.urdf data/terrains/table.env data/objects/crate.obj --to 1.5,0.4,0.4,0,0.5,0
  kinworld plan cell.xml --robot arm --from 0,0,0,0,0,0 --to 1,0,0.5,0,0,0 --output motion.path
  kinworld plan cell.xml --to 1,0,0.5,0,0,0 --planner rrt-connect --seed 3
  kinworld plan data/robots/arm6.urdf --srdf data/srdf/arm6.srdf --group arm --from home --to ready
  kinworld plan data/robots/arm6.urdf --to-pose flange 0.4,0.1,0.5,0,1.5708,0 --to-pose flange 0.4,-0.1,0.5
  kinworld plan data/robots/arm6.urdf data/terrains/table.env data/objects/crate.obj --to 1.5,0.4,0.4,0,0.5,0 \
    --max-acceleration 10 --max-jerk 200 --max-torque --output motion.csv
  kinworld plan data/worlds/cell.xml --from 0.9,0.9,0.6,0,0,0 --to -1,0.9,0.6,0,0,0 --max-acceleration 5 --smooth

Where no path is found the exit code is 3, and `reason` in JSON says why. A start or goal configuration in
collision is invalid input: the exit code is 1.";

pub(super) const PRIORITIZED_EXAMPLES: &str = "\
Examples:
  kinworld plan-prioritized data/worlds/two_arms.xml --goal left 1,0.5,0.3,0,0.5,0 --goal right 0,0.9,-0.5,0,0.4,0 \
    --max-acceleration 5
  kinworld plan-prioritized cell.xml --from left @home --goal left 1,0,0.5,0,0,0 --goal right @ready --swept 0.02 \
    --limits joint_limits.yaml --html motion.html
  kinworld plan-prioritized data/worlds/two_arms.xml --goal left 1,0.5,0.3,0,0.5,0 --goal right 0,0.9,-0.5,0,0.4,0 \
    --max-acceleration 5 --smooth

Where no motion is found the exit code is 3, and `reason` in JSON says why. A start or goal in collision is invalid input:
the exit code is 1.

--json: duration, order in which the robots were planned, is_joint where they were planned together, times, robots: name,
arrival, waits, q, dq, ddq, with --smooth smooth, false where corners are rounded; failed: orders that were tried before,
and why.";

pub(super) const CARTESIAN_EXAMPLES: &str = "\
Examples:
  kinworld cartesian data/robots/arm6.urdf --link flange --from 0,0.5,1,0,0.5,0 --piece move=0,0,0.1
  kinworld cartesian cell.xml --link tool0 --piece move_local=0,0,0.05 --piece move_local=0,0,-0.05 --spacing 0.002
  kinworld cartesian data/robots/arm6.urdf --link flange --from 0,0.5,1,0,0.5,0 --piece move=0,0.1,0 \
    --piece move=0,0,-0.05 --blend 0.02 --speed 0.1 --max-acceleration 5 --output motion.csv
  kinworld cartesian two_arms.rob --link left:flange --piece move=0,0,0.1 --also right:flange:move=0,0,0.1

Where a link does not get to the end the exit code is 3, and `reason` in JSON says where and why; `path` has what is before it.";

pub(super) const SPHERIZE_EXAMPLES: &str = "\
Examples:
  kinworld spherize data/robots/arm6.urdf
  kinworld spherize data/robots/arm6.urdf --spheres 8 --output arm6_spherized.urdf
  kinworld spherize arm6_spherized.urdf --json

A .urdf or .rob gets the spheres as collision geometry; a .json also has the inner spheres of solid links.";

pub(super) const ACM_EXAMPLES: &str = "\
Examples:
  kinworld acm data/robots/arm6.urdf
  kinworld acm data/robots/arm6.urdf --samples 100000 --seed 1 --output arm6.srdf
  kinworld acm arm.rob --output arm.rob --json

A .rob gets `noselfcollision` lines, the <klampt> element of a URDF gets elements of that name, an SRDF
gets <disable_collisions>. The rest of the file is unchanged. Commands read an SRDF with --srdf.

--json: samples, checked, missed, missed_bound at confidence, and pairs: a list of links, class, collisions.";

pub(super) const XACRO_EXAMPLES: &str = "\
Examples:
  kinworld xacro arm.urdf.xacro > arm.urdf
  kinworld xacro arm.urdf.xacro --xacro-arg prefix=left_ --package arm_description=/opt/models/arm_description

Commands that load robots also read xacro files directly.";

pub(super) const CONVERT_EXAMPLES: &str = "\
Examples:
  kinworld convert data/robots/arm6.urdf arm6.rob
  kinworld convert data/mjcf/arm.xml arm.urdf
  kinworld convert data/robots/arm6.urdf arm6.xml --to mjcf
  kinworld convert data/worlds/cell.xml cell.ply";

pub(super) const QUERY_ABOUT: &str = "\
Answer JSON requests, one per line of standard input

Loads all files into one world, then answers each line with one line, in order, until the input
ends. A request with an error is answered by {\"ok\":false,\"error\":\"…\"}, and the next one is read.
`set`, `attach`, `detach`, `load` and `remove` change the world of the session; one with an error changes nothing.
All other requests leave it as it is: their configurations, `robots` and `with` apply to their own answer only.
A line may be a list of up to 64 requests, which are answered in order by a list of answers.";

pub(super) const QUERY_EXAMPLES: &str = "\
Requests and the fields of their answers (? marks optional fields):
  {\"op\":\"info\"}                                     protocol, units, robots, rigid_objects, terrains
  {\"op\":\"state\"}                                    robots: q by name; objects by name: rotation, translation,
                                                      attached: robot, link and pose in it
  {\"op\":\"fk\", \"q\"?:[…]}                             links: name, joint_name, rotation, translation
  {\"op\":\"jacobian\", \"q\"?:[…], \"link\":L, \"point\":[…]} jacobian: 6 rows, angular first
  {\"op\":\"frame\", \"q\"?:[…], \"dq\"?:[…], \"link\":L,     rotation, translation, jacobian: 6 rows; velocity if dq:
   \"point\"?:[…], \"reference\"?:\"world\"|L}              of L at the point, in the frame of the reference
  {\"op\":\"com\", \"q\"?:[…], \"dq\"?:[…], \"link\"?:L}      mass, com, jacobian: 3 rows, of a link also rotation and 6
                                                      rows; velocity if dq
  {\"op\":\"ik\", \"link\":L, \"position\":[…],             success, q, residual: the larger of the
   \"point\"?:[…], ROTATION, \"q\"?:[…],                 errors in m and in rad; goal: index and name of the
   \"group\"?:G, \"seed\"?:N, \"tolerance\"?:1e-9,         one that is reached, if there are several
   \"avoid_collisions\"?:false, \"starts\"?:N}
  {\"op\":\"ik\", \"to_pose\":[GOAL, …], …}              several goals, tried in this order
  {\"op\":\"reachable\", as ik, \"starts\"?:N}            reachable, q (null if not), residual, starts
  {\"op\":\"dynamics\", \"q\"?:[…], \"dq\"?:[…],            mass_matrix: n rows, coriolis,
   \"ddq\"?:[…], \"tau\"?:[…], \"gravity\"?:[…]}            gravity_forces; tau if ddq, ddq if tau
  {\"op\":\"wrench\", \"q\"?:[…], \"dq\":[…],               dynamic = joint + gravity + tip + external
   \"ddq\":[…], \"link\":L, \"observer\"?:\"world\"|L,        + dalembert + euler + centrifugal + coriolis:
   \"gravity\"?:[…], \"external\"?:[{\"link\":L,            each [mx,my,mz,fx,fy,fz] about the origin of L,
   \"point\":[…], \"wrench\":[…]}]}                       in the axes of the observer
  {\"op\":\"interpolate\", \"from\":[…], \"to\":[…], \"u\":0.5} q
  {\"op\":\"config_distance\", \"from\":[…], \"to\":[…]}    distance
  {\"op\":\"collide\", \"q\"?:[…]}                        pairs, ids
  {\"op\":\"contacts\", \"q\"?:[…], \"max\"?:16}            contacts: pair, ids, points: on_a, on_b, normal, depth
  {\"op\":\"spheres\", \"max\"?:16}                        robot, links: name, outer, overshoot, inner: spheres that
                                                      cover each link, and that lie in it; as spherize
  {\"op\":\"distance\", \"a\":E, \"b\":E, \"q\"?:[…]}         distance, on_a, on_b, normal from a to b, pair
  {\"op\":\"distance\", \"nearest\"?:10, \"q\"?:[…]}       pairs: the nearest first, each with these fields
  {\"op\":\"free\", \"q\"?:[…]}                           free, reason if not
  {\"op\":\"edge\", \"from\"?:[…], \"to\":[…],              free, and if not: reason, t (0 to 1), pair
   \"resolution\"?:0.03125}
  {\"op\":\"clearance\", \"q\"?:[…]}                      distance, pair, on_a, on_b, gradient
  {\"op\":\"plan\", \"from\"?:[…], \"to\"?:[…]|[[…],…],     path: waypoints, or null and a reason; goal: index and
   \"to_pose\"?:GOAL|[GOAL, …], \"group\"?:G, \"seed\"?:0,  name of the one that is reached, of several
   \"max_iterations\"?:N, \"max_seconds\"?:S,            with any of these also trajectory: duration, times, q, dq,
   \"improve\"?:0, \"trajectory\"?:true,                 ddq, utilization of each limit (n); max_torque true: the
   \"max_velocity\"?:V|[…], \"max_acceleration\"?:…,      robot's own. improve: samples for shorter paths, once
   \"max_jerk\"?:…, \"max_torque\"?:…|true,              there is one, and of several goals to the nearest;
   \"deviation\"?:0.05, \"smooth\"?:true|m,             without a limit the search ends after 100,000 samples.
   \"step\"?:0.01}                                    smooth: a B-spline that keeps m (0.01) from obstacles
                                                 where it can; false in the answer: corners are rounded
  {\"op\":\"plan_prioritized\",                        duration, order of the robots, is_joint where they were planned
   \"goals\":{NAME:[…], …}, \"swept\"?:m,             together, times, robots: name, arrival, waits, q, dq, ddq;
   \"seed\"?:0, \"max_iterations\"?:N,               failed orders; or robots null and a reason. Robots start where
   \"max_seconds\"?:S, and the limits of plan,       they are, and those without a goal stay there. swept: spacing
   without torque, with \"deviation\",              of volumes that robots keep out of. Lists in load order. With
   \"smooth\"?:true|m, \"step\"}                      smooth: true or false for each robot, as in plan
  {\"op\":\"cartesian\", \"link\":L, \"from\"?:[…],        path: configurations up to the end, or with a reason up to
   \"pieces\":[PIECE, …], \"group\"?:G,               where it stops; reached, length: of the longest path, m;
   \"also\"?:[{\"link\":L, \"pieces\"?:[…]}, …],      deviation of the links between configurations, m and rad;
   \"blend\"?:0, \"spacing\"?:0.005, \"speed\"?:V,      trajectory as that of plan, where speed or limits are given.
   and the limits of plan, with \"step\"}            also: other links that move at the same time, or stay where
                                                 they are. blend: radius of rounded corners, m
  {\"op\":\"ray\", \"origin\":[…], \"direction\":[…],       hit, point, distance, normal
   \"q\"?:[…]}

Requests that change the session:
  {\"op\":\"set\", CHANGE}
  {\"op\":\"attach\", \"object\":O, \"link\":L,             the object moves with the link from here on, and may touch
   \"robot\"?:…, \"touch\"?:[E]}                          it and the elements of touch
  {\"op\":\"detach\", \"object\":O}
  {\"op\":\"load\", \"file\":\"cup.obj\", \"name\"?:\"cup\"}    added: names; warnings. Files of the current folder, of those
                                                      on the command line and of packages, and folders below
  {\"op\":\"remove\", \"element\":E}                      a robot, an object or a terrain

  CHANGE: \"detach\"?:[O], \"remove\"?:[E], \"robots\"?:{NAME:[…]}, \"objects\"?:{NAME:POSE}, \"attach\"?:[{\"object\":O,
   \"link\":L, \"robot\"?:…, \"touch\"?:[E]}]; in this order, all or nothing.
  POSE: {\"translation\"?:[x,y,z], ROTATION}; what is left out stays.
  ROTATION: one of \"rotation\"?:[[…],[…],[…]], \"quaternion\"?:[w,x,y,z], \"rpy\"?:[…].
  GOAL: {\"link\":L, \"position\":[…], \"point\"?:[…], ROTATION}: any orientation where that is left out.
  PIECE: one of \"move\":[x,y,z], \"move_local\":[x,y,z], \"line\":{\"position\":[…], ROTATION}, \"arc\":{\"center\":[…], \"axis\":[…],
   \"angle\":rad}, \"screw\":{\"through\":[…], \"axis\":[…], \"angle\":rad, \"shift\":m}.
  \"with\"?:{CHANGE} and \"robots\"?:{NAME:[…]} in all other requests: a change for one answer only.

  Every answer has \"ok\". The \"id\" of a request is copied to its answer.
  \"robot\"?: name or index in load order, 0 by default; in every request with a configuration.
  Without a configuration the robot is as it is in the session; joints that it does not name stay so.
  G: name of a group, of --srdf: its joints alone move.
  \"q\":[[…],\"@home\",…], and likewise dq, ddq and tau: answers, a list with one for each configuration.
  L: a link, by name or index. Points are in its frame, an external wrench in world axes, moment first.
  A configuration has one value per dof, or one per driver; or {\"JOINT\":value} for some, or \"@STATE\", a named one; likewise
  dq, ddq and tau, where joints that are not named have zero.
  \"beyond_limits\": joints of the configuration beyond their limits, in answers that have some.
  \"shape\"?: \"mesh\" as loaded, \"hull\" or \"spheres\", in free, edge, clearance, both plans and cartesian.
  E: name of an object, a terrain, a robot or `robot[link]`, or its Klampt id. O: an object, by name or index.
  An element with the name of another of its kind gets a number: arm, arm#2, arm#3.
  Units are those of info: m, rad, s, kg, N. Infinite numbers are \"inf\" and \"-inf\".
  Rotations are three rows and map link to world, of frame to the reference. Jacobians, velocities and
  wrenches have the angular part first.
  Lines have at most 16 MiB, batches 100000 configurations and answers of 256 MiB; after as
  much in a list, its other requests are refused.

Example:
  echo '{\"op\":\"fk\",\"q\":[0,0.5,0.5],\"id\":1}' | kinworld query data/robots/planar3R.rob";

pub(super) const SIMULATE_EXAMPLES: &str = "\
Examples:
  kinworld simulate data/robots/planar3R.rob --duration 2 --output fall.csv
  kinworld simulate data/robots/arm6.urdf --setup setup.json --method dopri5 --tolerance 1e-8

A setup, as JSON or TOML; all fields are optional:
  {\"duration\": 2, \"method\": \"rk44\", \"step\": 0.001, \"period\": 0.01, \"gravity\": [0, 0, -9.81],
   \"base\": {\"position\": [0, 0, 1], \"rpy\": [0, 0, 0]}, \"config\": […], \"velocity\": […], \"torque\": […],
   \"pd\": {\"p\": 500, \"d\": 50, \"position\": […]}, \"wrenches\": [{\"link\": \"tool\", \"force\": [0, 0, 5], \"moment\": [0, 0, 0]}],
   \"friction\": 0.01, \"stops\": {\"stiffness\": 1e4, \"damping\": 100}, \"ideal\": false, \"reference\": […],
   \"forces\": [{\"link\": \"elbow\", \"times\": [0, 1], \"values\": [0, 5]}, {\"link\": \"elbow\", \"amplitude\": 2, \"frequency\": 0.5, \"phase\": 0}],
   \"redundant\": false, \"rho\": 0.9, \"step_limit\": 1000000,
   \"sensors\": [{\"link\": \"tool\", \"point\": [0, 0, 0], \"quantity\": \"position\"}, {\"quantity\": \"energy\"}]}

Angles in a setup are in radians. With --degrees the table, its CSV and its plot are in degrees, under names such as `q_elbow [deg]`, which
`wrench --motion` reads; JSON stays in radians.

Contact is not simulated. Joints have the damping, friction and springs of the robot's file, and stops at their limits: springs on which a joint
oscillates at 100 rad/s, critically damped. `ideal` leaves all of it out. `friction` and `stops` are false, true, or numbers: the slip
velocity that smooths dry friction, in rad/s [default: 0.05], and stiffness and damping for all joints.
Gains are one number or one per dof. A wrench is constant in world axes and acts at the origin of its link. Displacements are
measured from `reference`. `forces` add to `torque`: tables are linear between their times; sines have Hz and rad. `redundant`
simulates bodies that joints hold together, and takes closed loops, without joint limits, dry friction and springs. `rho` is the spectral radius of generalized-alpha at infinite frequency, 0 to 1.
A run ends after `step_limit` steps [default: 1e7 for each second, at least of one, where steps are adaptive; else none].
Quantities of links: position, displacement, rotation, rotation_matrix, velocity, acceleration,
angular_velocity, angular_acceleration, and the last four with `_local`. Of the robot: positions, velocities,
accelerations, force, energy.";

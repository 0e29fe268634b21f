// Configurations, edges and plans of RRT-Connect with VAMP, for the Panda, for the UR5 with -DVAMP_UR5, or for the Fetch with
// -DVAMP_FETCH.
//
//     vampbench PROBLEMS CHECKS
//
// PROBLEMS is the `problems.txt` that problems.py writes, CHECKS the `checks.txt` that `benches/motion/` writes for the same
// problems: both programs check what stands there, and print the same figures under the same names;
// this one also `plan_own_clock_us`.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <vamp/collision/factory.hh>
#include <vamp/planning/rrtc.hh>
#include <vamp/planning/validate.hh>
#include <vamp/random/halton.hh>
#ifdef VAMP_UR5
#include <vamp/robots/ur5.hh>
using Robot = vamp::robots::UR5;
#elif defined(VAMP_FETCH)
#include <vamp/robots/fetch.hh>
using Robot = vamp::robots::Fetch;
#else
#include <vamp/robots/panda.hh>
using Robot = vamp::robots::Panda;
#endif
static constexpr std::size_t rake = vamp::FloatVectorWidth;
using Planner = vamp::planning::RRTC<Robot, rake, Robot::resolution>;
using Configuration = Robot::Configuration;
using Block = Robot::ConfigurationBlock<rake>;
using Environment = vamp::collision::Environment<vamp::FloatVector<rake>>;
static constexpr std::size_t n = Robot::dimension;
using Row = std::array<float, n>;

// timed runs of each check, after one that is not timed
static constexpr int repeats = 20;
// plans per problem: seed s skips the first s * skipped samples of Halton's sequence, as VAMP's own evaluation can
static constexpr int seeds = 10;
static constexpr int skipped = 1000;

// checks of one problem: configurations along a path, random ones, and edges
struct Checks {
    std::vector<Row> path, free, blocked;
    std::vector<std::array<Row, 2>> free_edges, blocked_edges;
};

// checks with another answer than the file has, and all
static long disagreements = 0, all_checks = 0;

static double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// keeps the compiler from checking once what is to be checked again
template <class T>
static void opaque(T &value) {
    asm volatile("" : "+m"(value) : : "memory");
}

// nanoseconds per run of a check, whose right answer is `wanted`
template <class Check>
static double timed(bool wanted, Check check) {
    disagreements += check() != wanted;
    ++all_checks;
    const double began = now();
    for (int r = 0; r < repeats; ++r) {
        bool answer = check();
        opaque(answer);
    }
    return (now() - began) * 1e9 / repeats;
}

// the median, the 95th and the 99th percentile
static void print(const char *name, std::vector<double> v) {
    std::sort(v.begin(), v.end());
    std::cout << name;
    for (double p : {0.5, 0.95, 0.99}) std::cout << " " << (v.empty() ? NAN : v[std::size_t(v.size() * p)]);
    std::cout << std::endl;
}

static void expect(std::istream &in, const std::string &wanted) {
    std::string found;
    if (in >> found and found == wanted) return;
    std::cerr << "CHECKS has `" << found << "` instead of `" << wanted << "`: is it of other problems?" << std::endl;
    std::exit(1);
}

static void read(std::istream &in, Row &row) {
    for (auto &x : row) in >> x;
}

static void read(std::istream &in, std::array<Row, 2> &edge) {
    for (auto &row : edge) read(in, row);
}

template <class T>
static void read(std::istream &in, const std::string &name, std::vector<T> &list) {
    expect(in, name);
    std::size_t count = 0;
    in >> count;
    list.resize(count);
    for (auto &item : list) read(in, item);
}

static Checks read_checks(std::istream &in) {
    expect(in, "problem");
    std::string family, index;
    in >> family >> index;
    Checks checks;
    read(in, "path", checks.path);
    read(in, "free", checks.free);
    read(in, "blocked", checks.blocked);
    read(in, "free-edges", checks.free_edges);
    read(in, "blocked-edges", checks.blocked_edges);
    return checks;
}

// what stands around the robot; upright boxes and capsules in the lists with the cheaper checks, as VAMP's `add_cuboid` and
// `add_capsule` choose them
static vamp::collision::Environment<float> read_things(std::istream &in) {
    int things;
    in >> things;
    vamp::collision::Environment<float> env;
    for (int i = 0; i < things; ++i) {
        int kind;
        float s[3], m[12];
        in >> kind;
        for (auto &x : s) in >> x;
        for (auto &x : m) in >> x;
        if (kind == 0) {
            vamp::collision::Cuboid<float> box(m[3], m[7], m[11], m[0], m[4], m[8], m[1], m[5], m[9], m[2], m[6], m[10],
                                               s[0] / 2, s[1] / 2, s[2] / 2);
            (box.axis_3_z == 1 ? env.z_aligned_cuboids : env.cuboids).push_back(box);
        } else if (kind == 1) {
            float h = s[0] / 2;
            vamp::collision::Capsule<float> capsule(vamp::collision::factory::cylinder::endpoints::flat(
                m[3] - h * m[2], m[7] - h * m[6], m[11] - h * m[10],
                m[3] + h * m[2], m[7] + h * m[6], m[11] + h * m[10], s[1]));
            (capsule.xv == 0 and capsule.yv == 0 ? env.z_aligned_capsules : env.capsules).push_back(capsule);
        } else {
            env.spheres.emplace_back(m[3], m[7], m[11], s[0]);
        }
    }
    env.sort();
    return env;
}

// configurations of a path in blocks; `checks.txt` has a multiple of 16 of them
static std::vector<Block> blocks_of(const std::vector<Row> &rows) {
    std::vector<Block> blocks;
    for (std::size_t k = 0; k + rake <= rows.size(); k += rake) {
        Block block;
        for (std::size_t i = 0; i < n; ++i) {
            std::array<float, rake> lanes;
            for (std::size_t l = 0; l < rake; ++l) lanes[l] = rows[k + l][i];
            block[i] = vamp::FloatVector<rake>(lanes);
        }
        blocks.push_back(block);
    }
    return blocks;
}

// nanoseconds per configuration that comes alone, checked as VAMP's `validate` does
static void time_configurations(const Environment &v, const std::vector<Row> &rows, bool is_free, std::vector<double> &times) {
    for (const auto &row : rows) {
        Configuration q(row);
        times.push_back(timed(is_free, [&] {
            opaque(q);
            return vamp::planning::validate_motion<Robot, rake, 1>(q, q, v);
        }));
    }
}

// nanoseconds per edge
static void time_edges(const Environment &v, const std::vector<std::array<Row, 2>> &edges, bool is_free, std::vector<double> &times) {
    for (const auto &edge : edges) {
        Configuration a(edge[0]), b(edge[1]);
        times.push_back(timed(is_free, [&] {
            opaque(a);
            opaque(b);
            return vamp::planning::validate_motion<Robot, rake, Robot::resolution>(a, b, v);
        }));
    }
}

int main(int argc, char **argv) {
    if (argc != 3) {
        std::cerr << "vampbench PROBLEMS CHECKS" << std::endl;
        return 1;
    }
    std::ifstream in(argv[1]), set(argv[2]);
    expect(set, "kinworld-motion-checks");
    expect(set, "1");
    expect(set, "dofs");
    expect(set, std::to_string(n));
    expect(set, "problems");
    int count = 0, problems = 0, solved = 0;
    set >> count;
    std::vector<double> path, free, blocked, free_edges, blocked_edges, plans, searches;
    Row start, goal;
    while (in >> start[0]) {
        for (std::size_t i = 1; i < n; ++i) in >> start[i];
        read(in, goal);
        const Environment v(read_things(in));
        const Checks checks = read_checks(set);
        if (not in or not set) {
            std::cerr << "a file ends within problem " << problems << std::endl;
            return 1;
        }

        auto blocks = blocks_of(checks.path);
        if (not blocks.empty()) {
            path.push_back(timed(true, [&] {
                bool all = true;
                for (auto &block : blocks) {
                    opaque(block);
                    all &= Robot::fkcc<rake>(v, block);
                }
                return all;
            }) / checks.path.size());
        }
        time_configurations(v, checks.free, true, free);
        time_configurations(v, checks.blocked, false, blocked);
        time_edges(v, checks.free_edges, true, free_edges);
        time_edges(v, checks.blocked_edges, false, blocked_edges);

        for (int seed = 0; seed < seeds; ++seed) {
            auto rng = std::make_shared<vamp::rng::Halton<Robot>>();
            for (int i = 0; i < seed * skipped; ++i) rng->next();
            vamp::planning::RRTCSettings settings;
            const double began = now();
            auto result = Planner::solve(Configuration(start), Configuration(goal), v, settings, rng);
            const double took = now() - began;
            if (result.path.size() < 2) {
                std::cout << "unsolved " << problems << " seed " << seed << std::endl;
                continue;
            }
            solved += took < 1.0;
            plans.push_back(took * 1e6);
            // VAMP's own clock starts after the memory for all samples is allocated
            searches.push_back(result.nanoseconds * 1e-3);
        }
        ++problems;
    }
    if (problems != count) {
        std::cerr << "CHECKS is of " << count << " problems, PROBLEMS of " << problems << std::endl;
        return 1;
    }
    std::cout << "solved " << solved << " of " << problems * seeds << std::endl;
    std::cout << "disagreements " << disagreements << " of " << all_checks << std::endl;
    std::cout << "what p50 p95 p99" << std::endl;
    print("path_configuration_ns", path);
    print("free_configuration_ns", free);
    print("blocked_configuration_ns", blocked);
    print("free_edge_ns", free_edges);
    print("blocked_edge_ns", blocked_edges);
    print("plan_us", plans);
    plans.resize(problems * seeds, std::numeric_limits<double>::infinity());
    print("plan_of_all_us", plans);
    print("plan_own_clock_us", searches);
}

// Queries of spheres, configurations and edges of the Panda among clouds of points with VAMP's collision-affording point trees.
//
//     vampclouds CLOUDS
//
// CLOUDS is the `clouds.txt` that `benches/clouds/` writes: both programs check what stands there, and print the same
// figures under the same names.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <limits>
#include <string>
#include <vector>

#include <vamp/collision/capt.hh>
#include <vamp/collision/environment.hh>
#include <vamp/collision/filter.hh>
#include <vamp/planning/validate.hh>
#include <vamp/robots/panda.hh>

using Robot = vamp::robots::Panda;
static constexpr std::size_t rake = vamp::FloatVectorWidth;
using Vector = vamp::FloatVector<>;
using Environment = vamp::collision::Environment<vamp::FloatVector<rake>>;
using Point = vamp::collision::Point;
static constexpr std::size_t n = Robot::dimension;

// timed runs, after one that is not timed
static constexpr int repeats = 20;

static double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// keeps the compiler from checking once what is to be checked again
template <class T>
static void opaque(T &value) {
    asm volatile("" : "+m"(value) : : "memory");
}

// the least time of some runs, s
template <class Work>
static double fastest(Work work) {
    work();
    double best = std::numeric_limits<double>::infinity();
    for (int r = 0; r < repeats; ++r) {
        const double began = now();
        work();
        best = std::min(best, now() - began);
    }
    return best;
}

static void expect(std::istream &in, const std::string &wanted) {
    std::string found;
    if (in >> found and found == wanted) return;
    std::cerr << "CLOUDS has `" << found << "` instead of `" << wanted << "`" << std::endl;
    std::exit(1);
}

template <std::size_t W>
static std::vector<std::array<float, W>> rows(std::istream &in, const std::string &name) {
    expect(in, name);
    std::size_t count = 0;
    in >> count;
    std::vector<std::array<float, W>> list(count);
    for (auto &row : list)
        for (auto &x : row) in >> x;
    return list;
}

static bool is_edge_free(const std::array<float, 2 * n> &row, const Environment &v) {
    std::array<float, n> a, b;
    std::copy(row.begin(), row.begin() + n, a.begin());
    std::copy(row.begin() + n, row.end(), b.begin());
    return vamp::planning::validate_motion<Robot, rake, Robot::resolution>(Robot::Configuration(a), Robot::Configuration(b), v);
}

int main(int argc, char **argv) {
    if (argc != 2) {
        std::cerr << "vampclouds CLOUDS" << std::endl;
        return 1;
    }
    std::ifstream in(argv[1]);
    float margin = 0, radius = 0;
    int clouds = 0;
    expect(in, "kinworld-clouds");
    expect(in, "1");
    expect(in, "margin");
    in >> margin;
    expect(in, "radius");
    in >> radius;
    expect(in, "clouds");
    in >> clouds;
    for (int c = 0; c < clouds; ++c) {
        std::vector<Point> points;
        for (const auto &p : rows<3>(in, "points")) points.push_back(p);
        const auto queries = rows<3>(in, "queries");
        std::vector<int> free(queries.size());
        for (auto &f : free) in >> f;
        const auto blocked_q = rows<n>(in, "blocked"), free_q = rows<n>(in, "free");
        const auto blocked_e = rows<2 * n>(in, "blocked"), free_e = rows<2 * n>(in, "free");
        std::cout << "points " << points.size() << std::endl;

        // for the sphere that moves alone, and for those of the robot
        std::cout << "index_ms "
                  << fastest([&] { vamp::collision::CAPT tree(points, Robot::min_radius, Robot::max_radius, margin); opaque(tree); }) * 1e3
                  << std::endl;
        const vamp::collision::CAPT tree(points, radius, radius, margin);
        std::vector<char> hits(queries.size());
        double took = fastest([&] {
            for (std::size_t i = 0; i < queries.size(); ++i) hits[i] = tree.collides(queries[i], radius);
            opaque(hits);
        });
        std::size_t others = 0;
        for (std::size_t i = 0; i < queries.size(); ++i) others += (hits[i] == 0) != (free[i] == 1);
        std::cout << "query_ns " << took * 1e9 / queries.size() << std::endl;
        std::cout << "disagreements " << others << " of " << queries.size() << std::endl;
        std::vector<std::array<Vector, 3>> blocks;
        for (std::size_t i = 0; i + Vector::num_scalars <= queries.size(); i += Vector::num_scalars) {
            std::array<Vector, 3> block;
            for (int k = 0; k < 3; ++k) {
                std::array<float, Vector::num_scalars> lanes;
                for (std::size_t l = 0; l < lanes.size(); ++l) lanes[l] = queries[i + l][k];
                block[k] = Vector(lanes);
            }
            blocks.push_back(block);
        }
        // whether any of the lanes collides: less than for each
        took = fastest([&] {
            bool any = false;
            for (auto &block : blocks) any ^= tree.collides_simd(block, Vector::fill(radius));
            opaque(any);
        });
        std::cout << "query_any_lane_ns " << took * 1e9 / queries.size() << std::endl;

        vamp::collision::Environment<float> env;
        env.pointclouds.emplace_back(points, Robot::min_radius, Robot::max_radius, margin);
        env.sort();
        const Environment v(env);
        for (const bool is_free : {false, true}) {
            const std::string name = is_free ? "free" : "blocked";
            const auto &configurations = is_free ? free_q : blocked_q;
            std::size_t wrong = 0;
            took = fastest([&] {
                wrong = 0;
                for (const auto &row : configurations) {
                    const Robot::Configuration q(row);
                    wrong += vamp::planning::validate_motion<Robot, rake, 1>(q, q, v) != is_free;
                }
                opaque(wrong);
            });
            std::cout << name << "_configuration_ns " << took * 1e9 / configurations.size() << " disagreements " << wrong << std::endl;
            const auto &edges = is_free ? free_e : blocked_e;
            took = fastest([&] {
                wrong = 0;
                for (const auto &row : edges) wrong += is_edge_free(row, v) != is_free;
                opaque(wrong);
            });
            std::cout << name << "_edge_ns " << took * 1e9 / edges.size() << " disagreements " << wrong << std::endl;
        }
    }
    if (not in) {
        std::cerr << "CLOUDS ends early" << std::endl;
        return 1;
    }
}

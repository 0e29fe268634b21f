// Times VAMP on the problems of problems.py: configurations, valid edges and RRT-Connect; for the Panda, or for the UR5 with
// -DVAMP_UR5.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <fstream>
#include <iostream>
#include <vector>

#include <vamp/collision/factory.hh>
#include <vamp/planning/rrtc.hh>
#include <vamp/planning/validate.hh>
#include <vamp/random/halton.hh>
#ifdef VAMP_UR5
#include <vamp/robots/ur5.hh>
using Robot = vamp::robots::UR5;
#else
#include <vamp/robots/panda.hh>
using Robot = vamp::robots::Panda;
#endif
static constexpr std::size_t rake = vamp::FloatVectorWidth;
using Planner = vamp::planning::RRTC<Robot, rake, Robot::resolution>;
using Block = Robot::ConfigurationBlock<rake>;
static constexpr std::size_t n = Robot::dimension;
static constexpr int repeats = 20;

static double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

static void print(const char *name, std::vector<double> v) {
    std::sort(v.begin(), v.end());
    std::cout << name << " " << v[v.size() / 2] << " " << v[std::size_t(v.size() * 0.95)] << std::endl;
}

int main(int, char **argv) {
    std::ifstream in(argv[1]);
    std::vector<double> configurations, edges, times;
    int solved = 0, all = 0;
    std::array<float, n> start, goal;
    while (in >> start[0]) {
        for (std::size_t i = 1; i < n; ++i) in >> start[i];
        for (auto &x : goal) in >> x;
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
                env.cuboids.emplace_back(m[3], m[7], m[11], m[0], m[4], m[8], m[1], m[5], m[9], m[2], m[6], m[10],
                                         s[0] / 2, s[1] / 2, s[2] / 2);
            } else if (kind == 1) {
                float h = s[0] / 2;
                env.capsules.emplace_back(vamp::collision::factory::cylinder::endpoints::flat(
                    m[3] - h * m[2], m[7] - h * m[6], m[11] - h * m[10],
                    m[3] + h * m[2], m[7] + h * m[6], m[11] + h * m[10], s[1]));
            } else {
                env.spheres.emplace_back(m[3], m[7], m[11], s[0]);
            }
        }
        env.sort();
        vamp::collision::Environment<vamp::FloatVector<rake>> v(env);
        auto rng = std::make_shared<vamp::rng::Halton<Robot>>();
        vamp::planning::RRTCSettings settings;
        ++all;
        double began = now();
        auto result = Planner::solve(Robot::Configuration(start), Robot::Configuration(goal), v, settings, rng);
        double took = now() - began;
        if (result.path.size() < 2) continue;
        solved += took < 1.0;
        times.push_back(took * 1e6);
        std::vector<Block> blocks;
        for (std::size_t k = 0; k + 1 < result.path.size(); ++k) {
            const auto &a = result.path[k], &b = result.path[k + 1];
            bool ok = true;
            began = now();
            for (int r = 0; r < repeats; ++r)
                ok &= vamp::planning::validate_motion<Robot, rake, Robot::resolution>(a, b, v);
            edges.push_back((now() - began) * 1e9 / repeats);
            if (not ok) std::cerr << "an edge is not valid" << std::endl;
            auto vector = b - a;
            const std::size_t steps = std::max(std::ceil(vector.l2_norm() * Robot::resolution / rake), 1.F);
            for (std::size_t s = 0; s < steps; ++s) {
                std::array<float, rake> t;
                for (std::size_t l = 0; l < rake; ++l) t[l] = (s * rake + l) / float(steps * rake);
                const auto percents = vamp::FloatVector<rake>(t);
                Block block;
                for (std::size_t i = 0; i < n; ++i) block[i] = a.broadcast(i) + vector.broadcast(i) * percents;
                blocks.push_back(block);
            }
        }
        int valid = 0;
        began = now();
        for (int r = 0; r < repeats; ++r)
            for (auto &block : blocks) valid += Robot::fkcc<rake>(v, block);
        configurations.push_back((now() - began) * 1e9 / (repeats * blocks.size() * rake));
        if (valid == 0) std::cerr << "no block is valid" << std::endl;
    }
    std::cout << "solved " << solved << " of " << all << std::endl;
    print("configuration_ns", configurations);
    print("edge_ns", edges);
    print("rrt_us", times);
}

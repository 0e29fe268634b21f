// Times collision checks of a robot's configurations on convex hulls, with Pinocchio and Coal and their broad phases.
//
//     pincoal URDF SRDF PACKAGES CONFIGURATIONS
//
// CONFIGURATIONS is what `benches/motion/` writes: per scene the number of objects and of configurations, the objects as in
// `problems.txt`, and the joint angles of one configuration per line. Every configuration is collision-free on hulls in kinworld.
// Prints, per broad phase, the median over the scenes of nanoseconds per configuration, and the number of free configurations.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include <coal/BVH/BVH_model.h>
#include <coal/broadphase/broadphase_dynamic_AABB_tree.h>
#include <coal/broadphase/broadphase_SaP.h>
#include <coal/shape/convex.h>
#include <coal/shape/geometric_shapes.h>

#include <pinocchio/algorithm/geometry.hpp>
#include <pinocchio/collision/broadphase.hpp>
#include <pinocchio/collision/collision.hpp>
#include <pinocchio/collision/tree-broadphase-manager.hpp>
#include <pinocchio/parsers/srdf.hpp>
#include <pinocchio/parsers/urdf.hpp>

namespace pin = pinocchio;
using Manager = pin::BroadPhaseManagerTpl<coal::DynamicAABBTreeCollisionManager>;
using Trees = pin::TreeBroadPhaseManagerTpl<coal::DynamicAABBTreeCollisionManager>;
using Sweep = pin::BroadPhaseManagerTpl<coal::SaPCollisionManager>;

static const int REPEATS = 20;

template <class Check>
static double nanoseconds(const std::vector<Eigen::VectorXd> &configurations, Check check, long &free)
{
    free = 0;
    for (const auto &q : configurations) free += !check(q);
    const auto began = std::chrono::steady_clock::now();
    for (int i = 0; i < REPEATS; ++i)
        for (const auto &q : configurations) check(q);
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - began;
    return took.count() / (REPEATS * double(configurations.size()));
}

static double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values.empty() ? 0.0 : values[values.size() / 2];
}

int main(int argc, char **argv)
{
    if (argc != 5) return std::fprintf(stderr, "URDF SRDF PACKAGES CONFIGURATIONS\n"), 2;
    pin::Model model;
    pin::urdf::buildModel(argv[1], model);
    pin::GeometryModel robot;
    pin::urdf::buildGeom(model, argv[1], pin::COLLISION, robot, argv[3]);
    for (auto &object : robot.geometryObjects) {
        auto *mesh = dynamic_cast<coal::BVHModelBase *>(object.geometry.get());
        if (!mesh) continue;
        mesh->buildConvexHull(true, "Qt");
        if (!mesh->convex) return std::fprintf(stderr, "no hull\n"), 1;
        object.geometry = mesh->convex;
    }
    robot.addAllCollisionPairs();
    pin::srdf::removeCollisionPairs(model, robot, argv[2]);
    std::printf("self_pairs %zu\n", robot.collisionPairs.size());

    std::ifstream in(argv[4]);
    std::size_t n_things, n_configurations;
    long total = 0, free[5] = {0, 0, 0, 0, 0};
    std::vector<double> times[5];
    while (in >> n_things >> n_configurations) {
        pin::GeometryModel geometry = robot;
        const std::size_t n_links = robot.ngeoms;
        for (std::size_t i = 0; i < n_things; ++i) {
            int kind;
            double s[3], x[12];
            in >> kind;
            for (double &v : s) in >> v;
            for (double &v : x) in >> v;
            Eigen::Matrix3d r;
            r << x[0], x[1], x[2], x[4], x[5], x[6], x[8], x[9], x[10];
            std::shared_ptr<coal::CollisionGeometry> shape;
            if (kind == 0) shape = std::make_shared<coal::Box>(s[0], s[1], s[2]);
            else if (kind == 1) shape = std::make_shared<coal::Capsule>(s[1], s[0]);
            else shape = std::make_shared<coal::Sphere>(s[0]);
            const pin::SE3 pose(r, Eigen::Vector3d(x[3], x[7], x[11]));
            const auto id = geometry.addGeometryObject(
                pin::GeometryObject("thing " + std::to_string(i), 0, 0, pose, shape));
            // shapes that are fixed to the world are registered with the obstacles, once
            for (std::size_t link = 0; link < n_links; ++link)
                if (geometry.geometryObjects[link].parentJoint > 0)
                    geometry.addCollisionPair(pin::CollisionPair(link, id));
        }
        std::vector<Eigen::VectorXd> configurations(n_configurations, Eigen::VectorXd(model.nq));
        for (auto &q : configurations)
            for (int k = 0; k < model.nq; ++k) in >> q[k];
        if (configurations.empty()) continue;

        pin::Data data(model);
        pin::GeometryData geometry_data(geometry);
        Manager manager(&model, &geometry, &geometry_data);
        Trees trees(&model, &geometry, &geometry_data);
        Sweep sweep(&model, &geometry, &geometry_data);
        long now[5];
        times[0].push_back(nanoseconds(configurations, [&](const Eigen::VectorXd &q) {
            return pin::computeCollisions(model, data, geometry, geometry_data, q, true); }, now[0]));
        times[1].push_back(nanoseconds(configurations, [&](const Eigen::VectorXd &q) {
            return pin::computeCollisions(model, data, manager, q, true); }, now[1]));
        times[2].push_back(nanoseconds(configurations, [&](const Eigen::VectorXd &q) {
            return pin::computeCollisions(model, data, trees, q, true); }, now[2]));
        times[3].push_back(nanoseconds(configurations, [&](const Eigen::VectorXd &q) {
            return pin::computeCollisions(model, data, sweep, q, true); }, now[3]));
        // each pair starts from the result of its last search
        for (auto &request : geometry_data.collisionRequests)
            request.gjk_initial_guess = coal::GJKInitialGuess::CachedGuess;
        times[4].push_back(nanoseconds(configurations, [&](const Eigen::VectorXd &q) {
            return pin::computeCollisions(model, data, manager, q, true); }, now[4]));
        total += long(configurations.size());
        for (int k = 0; k < 5; ++k) free[k] += now[k];
    }
    const char *names[] = {"all_pairs", "aabb_tree", "aabb_trees_per_joint", "sweep_and_prune", "aabb_tree_cached_guess"};
    for (int k = 0; k < 5; ++k)
        std::printf("%s_ns %.1f free %ld of %ld\n", names[k], median(times[k]), free[k], total);
}

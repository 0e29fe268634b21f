// Times Coal on the pairs and poses of `prepare.py`, with the names of our bench `mesh_pairs`.
//
// Built and run by `measure.py`. Meshes are trees of `OBBRSS`, Coal's fastest volumes. Its `buildConvexRepresentation` makes no
// hull of a mesh, so real hulls are read.
#include <coal/BVH/BVH_model.h>
#include <coal/collision.h>
#include <coal/distance.h>
#include <coal/shape/convex.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

using namespace coal;
namespace fs = std::filesystem;

struct Mesh {
    std::vector<Vec3s> vertices;
    std::vector<Triangle> triangles;
};

struct Case {
    int kind;
    Transform3s pose;
};

Mesh read(const fs::path &path) {
    std::ifstream file(path, std::ios::binary);
    uint32_t header[2];
    if (!file.read(reinterpret_cast<char *>(header), sizeof header)) {
        fprintf(stderr, "%s cannot be read\n", path.c_str());
        exit(1);
    }
    Mesh mesh;
    for (uint32_t i = 0; i < header[0]; i++) {
        double p[3];
        file.read(reinterpret_cast<char *>(p), sizeof p);
        mesh.vertices.emplace_back(p[0], p[1], p[2]);
    }
    for (uint32_t i = 0; i < header[1]; i++) {
        uint32_t t[3];
        file.read(reinterpret_cast<char *>(t), sizeof t);
        mesh.triangles.emplace_back(t[0], t[1], t[2]);
    }
    return mesh;
}

std::vector<Case> cases(const fs::path &path) {
    std::ifstream file(path);
    std::vector<Case> found;
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        int kind;
        double w, x, y, z, t[3];
        words >> kind >> w >> x >> y >> z >> t[0] >> t[1] >> t[2];
        found.push_back({kind, Transform3s(Eigen::Quaterniond(w, x, y, z).toRotationMatrix(), Vec3s(t[0], t[1], t[2]))});
    }
    return found;
}

std::shared_ptr<BVHModel<OBBRSS>> tree(const Mesh &mesh) {
    auto model = std::make_shared<BVHModel<OBBRSS>>();
    model->beginModel(mesh.triangles.size(), mesh.vertices.size());
    model->addSubModel(mesh.vertices, mesh.triangles);
    model->endModel();
    model->computeLocalAABB();
    return model;
}

std::shared_ptr<Convex<Triangle>> hull(const Mesh &mesh) {
    auto points = std::make_shared<std::vector<Vec3s>>(mesh.vertices);
    auto faces = std::make_shared<std::vector<Triangle>>(mesh.triangles);
    auto shape = std::make_shared<Convex<Triangle>>(points, points->size(), faces, faces->size());
    shape->computeLocalAABB();
    return shape;
}

// processor time of this process in seconds, independent of other processes
double processor_time() {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

void bench(const fs::path &data, const char *question, const std::string &pair, const std::vector<Case> &cases,
           const std::function<double(const Transform3s &)> &ask) {
    using Clock = std::chrono::steady_clock;
    std::vector<double> answers(cases.size());
    for (int kind = 0; kind < 4; kind++) {
        std::vector<size_t> mine;
        for (size_t i = 0; i < cases.size(); i++)
            if (cases[i].kind == kind) mine.push_back(i);
        if (mine.empty()) continue;
        size_t asked = 0;
        double start = processor_time();
        auto end = Clock::now() + std::chrono::milliseconds(300);
        while (Clock::now() < end) {
            for (size_t i : mine) answers[i] = ask(cases[i].pose);
            asked += mine.size();
        }
        double each = (processor_time() - start) * 1e6 / asked;
        printf("coal\t%s\t%s\t%d\t%.4f\t%zu\n", question, pair.c_str(), kind, each, asked);
        fflush(stdout);
    }
    std::ofstream file(data / "res" / ("coal_" + std::string(question) + "_" + pair + ".txt"));
    file.precision(17);
    for (double x : answers) file << x << "\n";
}

template <class Shape>
void collide(const fs::path &data, const char *question, const std::string &pair, const std::vector<Case> &cases,
             const Shape &a, const Shape &b, double margin) {
    ComputeCollision compute(a.get(), b.get());
    CollisionRequest request(NO_REQUEST, 1);
    request.security_margin = margin;
    Transform3s here;
    here.setIdentity();
    bench(data, question, pair, cases, [&](const Transform3s &there) {
        CollisionResult result;
        compute(here, there, request, result);
        return result.isCollision() ? 1.0 : 0.0;
    });
}

template <class Shape>
void distance(const fs::path &data, const char *question, const std::string &pair, const std::vector<Case> &cases,
              const Shape &a, const Shape &b) {
    ComputeDistance compute(a.get(), b.get());
    DistanceRequest request(false, false);
    Transform3s here;
    here.setIdentity();
    bench(data, question, pair, cases, [&](const Transform3s &there) {
        DistanceResult result;
        return compute(here, there, request, result);
    });
}

int main() {
    const char *folder = getenv("BENCH_DATA");
    if (!folder) {
        fprintf(stderr, "BENCH_DATA is not set\n");
        return 2;
    }
    fs::path data = folder;
    for (const auto &entry : fs::directory_iterator(data / "pairs")) {
        std::string pair = entry.path().stem();
        size_t cut = pair.find("__");
        std::string a = pair.substr(0, cut), b = pair.substr(cut + 2);
        auto poses = cases(entry.path());
        auto mesh = [&](const std::string &name) { return read(data / "mesh" / (name + ".bin")); };
        auto tree_a = tree(mesh(a)), tree_b = tree(mesh(b));
        collide(data, "collide", pair, poses, tree_a, tree_b, 0);
        collide(data, "margin2cm", pair, poses, tree_a, tree_b, 0.02);
        distance(data, "distance", pair, poses, tree_a, tree_b);
        auto hull_a = hull(mesh("h_" + a)), hull_b = hull(mesh("h_" + b));
        collide(data, "hullcollide", pair, poses, hull_a, hull_b, 0);
        distance(data, "hulldistance", pair, poses, hull_a, hull_b);
    }
}

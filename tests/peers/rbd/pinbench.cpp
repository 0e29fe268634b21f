// Times Pinocchio on the joint trees that `kinworld bench` times: kinematics, dynamics and their derivatives.
//
//     pinbench [--batches N] MODEL.txt...   (written by flatten.py)
//
// Prints one line per model and algorithm: model,algorithm,median_ns,min_ns. Where Pinocchio has several functions
// with the same result, each is timed, as `algorithm/variant`. Each call gets the next of 256 random configurations; the median
// is over batches of about a millisecond, after warm-up.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "pinocchio/multibody.hpp"
#include "pinocchio/algorithm/aba-derivatives.hpp"
#include "pinocchio/algorithm/aba.hpp"
#include "pinocchio/algorithm/crba.hpp"
#include "pinocchio/algorithm/frames.hpp"
#include "pinocchio/algorithm/jacobian.hpp"
#include "pinocchio/algorithm/kinematics.hpp"
#include "pinocchio/algorithm/rnea-derivatives.hpp"
#include "pinocchio/algorithm/rnea.hpp"

namespace pin = pinocchio;
using Clock = std::chrono::steady_clock;

constexpr size_t CONFIGURATIONS = 256;
constexpr double BATCH_NS = 1e6;
static size_t batches = 41;

static pin::JointModel joint_of(const std::string & type, const Eigen::Vector3d & axis)
{
  if (type == "FF") return pin::JointModelFreeFlyer();
  if (type == "RU") return pin::JointModelRevoluteUnaligned(axis);
  if (type == "PU") return pin::JointModelPrismaticUnaligned(axis);
  if (type == "RX") return pin::JointModelRX();
  if (type == "RY") return pin::JointModelRY();
  if (type == "RZ") return pin::JointModelRZ();
  if (type == "PX") return pin::JointModelPX();
  if (type == "PY") return pin::JointModelPY();
  if (type == "PZ") return pin::JointModelPZ();
  std::cerr << "unknown joint type " << type << "\n";
  std::exit(1);
}

static pin::Model read_model(const char * path)
{
  std::ifstream in(path);
  if (!in)
  {
    std::cerr << "cannot open " << path << "\n";
    std::exit(1);
  }
  pin::Model model;
  for (std::string line; std::getline(in, line);)
  {
    std::istringstream words(line);
    std::string keyword, name, type;
    words >> keyword >> name;
    if (keyword == "model") model.name = name;
    if (keyword != "joint") continue;

    size_t parent;
    Eigen::Matrix3d rotation, moment;
    Eigen::Vector3d axis, translation, com;
    double mass, m[6];
    words >> parent >> type;
    for (int i = 0; i < 3; i++) words >> axis[i];
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < 3; c++) words >> rotation(r, c);
    for (int i = 0; i < 3; i++) words >> translation[i];
    words >> mass;
    for (int i = 0; i < 3; i++) words >> com[i];
    for (double & x : m) words >> x;
    moment << m[0], m[1], m[3], m[1], m[2], m[4], m[3], m[4], m[5];

    const auto id = model.addJoint(parent, joint_of(type, axis), pin::SE3(rotation, translation), name);
    model.addJointFrame(id);
    model.appendBodyToJoint(id, pin::Inertia(mass, com, moment), pin::SE3::Identity());
  }
  return model;
}

template<class Call>
static void time_calls(const pin::Model & model, const char * algorithm, Call && call)
{
  const auto pass = [&] {
    const auto start = Clock::now();
    for (size_t k = 0; k < CONFIGURATIONS; k++) call(k);
    return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
  };
  pass();
  const auto passes = std::max<size_t>(1, size_t(BATCH_NS / pass()));
  std::vector<double> times(batches);
  for (double & time : times)
  {
    double sum = 0;
    for (size_t p = 0; p < passes; p++) sum += pass();
    time = sum / double(passes * CONFIGURATIONS);
  }
  std::sort(times.begin(), times.end());
  std::printf("%s,%s,%.1f,%.1f\n", model.name.c_str(), algorithm, times[batches / 2], times[0]);
  std::fflush(stdout);
}

// One random configuration: angles and lengths, and for a floating base a position and a unit quaternion.
template<class Random>
static Eigen::VectorXd random_configuration(const pin::Model & model, Random && random)
{
  Eigen::VectorXd q(model.nq);
  for (int j = 1; j < model.njoints; j++)
  {
    auto part = q.segment(model.idx_qs[j], model.nqs[j]);
    for (auto & x : part) x = 3 * random();
    if (model.nqs[j] == 7) part.tail<4>().normalize();
  }
  return q;
}

int main(int argc, char ** argv)
{
  for (int a = 1; a < argc; a++)
  {
    if (std::string(argv[a]) == "--batches" && a + 1 < argc)
    {
      batches = std::max(1, std::atoi(argv[++a]));
      continue;
    }
    const pin::Model model = read_model(argv[a]);
    pin::Data data(model);
    std::mt19937_64 generator(42);
    std::uniform_real_distribution<double> uniform(-1, 1);
    const auto random = [&] { return uniform(generator); };
    std::vector<Eigen::VectorXd> q, v, acc, tau;
    for (size_t k = 0; k < CONFIGURATIONS; k++)
    {
      q.push_back(random_configuration(model, random));
      for (auto * list : {&v, &acc, &tau})
        list->push_back(Eigen::VectorXd::NullaryExpr(model.nv, random));
      tau.back() *= 10;
    }

    const auto last = model.getFrameId(model.names.back());
    pin::Data::Matrix6x jacobian = pin::Data::Matrix6x::Zero(6, model.nv);
    const auto axes = pin::LOCAL_WORLD_ALIGNED;
    const auto local = pin::Convention::LOCAL, world = pin::Convention::WORLD;

    time_calls(model, "fk", [&](size_t k) { pin::forwardKinematics(model, data, q[k]); });
    time_calls(model, "jacobian/of the chain", [&](size_t k) {
      pin::forwardKinematics(model, data, q[k]);
      jacobian.setZero();
      pin::computeFrameJacobian(model, data, q[k], last, axes, jacobian);
    });
    time_calls(model, "jacobian/of all joints", [&](size_t k) {
      pin::computeJointJacobians(model, data, q[k]);
      jacobian.setZero();
      pin::getFrameJacobian(model, data, last, axes, jacobian);
    });
    time_calls(model, "rnea", [&](size_t k) { pin::rnea(model, data, q[k], v[k], acc[k]); });
    time_calls(model, "crba/local", [&](size_t k) { pin::crba(model, data, q[k], local); });
    time_calls(model, "crba/world", [&](size_t k) { pin::crba(model, data, q[k], world); });
    time_calls(model, "aba/local", [&](size_t k) { pin::aba(model, data, q[k], v[k], tau[k], local); });
    time_calls(model, "aba/world", [&](size_t k) { pin::aba(model, data, q[k], v[k], tau[k], world); });
    time_calls(model, "rnea_derivatives", [&](size_t k) {
      pin::computeRNEADerivatives(model, data, q[k], v[k], acc[k]);
    });
    time_calls(model, "aba_derivatives", [&](size_t k) {
      pin::computeABADerivatives(model, data, q[k], v[k], tau[k]);
    });
    time_calls(model, "minverse", [&](size_t k) { pin::computeMinverse(model, data, q[k]); });
  }
}

// Times Pinocchio on the models that our benches use: forward kinematics, and the Jacobian of the last joint's frame.
//
//     pinbench MODEL.txt...   (written by flatten.py)
//
// Prints one line per model and algorithm: model,algorithm,median_ns,min_ns. Each call gets the next of 256 random
// configurations; the median is over batches of about a millisecond, warm.

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
#include "pinocchio/algorithm/frames.hpp"
#include "pinocchio/algorithm/jacobian.hpp"
#include "pinocchio/algorithm/kinematics.hpp"

namespace pin = pinocchio;
using Clock = std::chrono::steady_clock;

constexpr size_t CONFIGURATIONS = 256;
constexpr size_t BATCHES = 101;
constexpr double BATCH_NS = 1e6;

static pin::JointModel joint_of(const std::string & type)
{
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
    Eigen::Vector3d translation, com;
    double mass, m[6];
    words >> parent >> type;
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < 3; c++) words >> rotation(r, c);
    for (int i = 0; i < 3; i++) words >> translation[i];
    words >> mass;
    for (int i = 0; i < 3; i++) words >> com[i];
    for (double & x : m) words >> x;
    moment << m[0], m[1], m[3], m[1], m[2], m[4], m[3], m[4], m[5];

    const auto id = model.addJoint(parent, joint_of(type), pin::SE3(rotation, translation), name);
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
  std::vector<double> times(BATCHES);
  for (double & time : times)
  {
    double sum = 0;
    for (size_t p = 0; p < passes; p++) sum += pass();
    time = sum / double(passes * CONFIGURATIONS);
  }
  std::sort(times.begin(), times.end());
  std::printf("%s,%s,%.1f,%.1f\n", model.name.c_str(), algorithm, times[BATCHES / 2], times[0]);
  std::fflush(stdout);
}

int main(int argc, char ** argv)
{
  for (int a = 1; a < argc; a++)
  {
    const pin::Model model = read_model(argv[a]);
    pin::Data data(model);
    std::mt19937_64 random(42);
    std::uniform_real_distribution<double> angle(-3, 3);
    std::vector<Eigen::VectorXd> q(CONFIGURATIONS, Eigen::VectorXd(model.nq));
    for (auto & config : q)
      for (auto & x : config) x = angle(random);

    const auto last = model.getFrameId(model.names.back());
    pin::Data::Matrix6x jacobian = pin::Data::Matrix6x::Zero(6, model.nv);
    const auto axes = pin::LOCAL_WORLD_ALIGNED;

    time_calls(model, "fk", [&](size_t k) { pin::forwardKinematics(model, data, q[k]); });
    time_calls(model, "jacobian", [&](size_t k) {
      jacobian.setZero();
      pin::computeFrameJacobian(model, data, q[k], last, axes, jacobian);
    });
    time_calls(model, "fk+jacobian", [&](size_t k) {
      pin::forwardKinematics(model, data, q[k]);
      jacobian.setZero();
      pin::computeFrameJacobian(model, data, q[k], last, axes, jacobian);
    });
    // the jacobian alone, from what computeJointJacobians left: the work of our `jacobian` on a State that is there
    pin::computeJointJacobians(model, data, q[0]);
    time_calls(model, "get_jacobian", [&](size_t) {
      jacobian.setZero();
      pin::getFrameJacobian(model, data, last, axes, jacobian);
    });
  }
}

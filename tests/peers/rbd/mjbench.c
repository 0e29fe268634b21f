// Times MuJoCo's forward dynamics without contacts and constraints.
//
//     mjbench BATCHES MODEL.xml...   (written by mjcf.py)
//
// Prints one line per model: model,forward_dynamics,median_ns,min_ns. Each call gets the next of 256 random
// configurations and runs only the stages of mj_forward that the acceleration needs; the median is over batches of
// about a millisecond, after warm-up.

#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <mujoco/mujoco.h>

enum { CONFIGURATIONS = 256 };
static const double BATCH_NS = 1e6;

static double now_ns(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

// uniform between -1 and 1
static double uniform(void)
{
  static unsigned long long state = 88172645463325252ull;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (double)(state >> 11) / (double)(1ull << 52) - 1;
}

static int by_size(const void * a, const void * b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void forward_dynamics(const mjModel * m, mjData * d, const double * q, const double * v, const double * tau)
{
  memcpy(d->qpos, q, sizeof(double) * (size_t)m->nq);
  memcpy(d->qvel, v, sizeof(double) * (size_t)m->nv);
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mj_makeM(m, d);
  mj_factorM(m, d);
  mj_comVel(m, d);
  mj_rne(m, d, 0, d->qfrc_bias);
  for (int i = 0; i < m->nv; i++) d->qfrc_smooth[i] = tau[i] - d->qfrc_bias[i];
  mj_solveM(m, d, d->qacc, d->qfrc_smooth, 1);
}

static double * random_rows(int n, double size)
{
  double * rows = malloc(sizeof(double) * (size_t)(CONFIGURATIONS * (n + 1)));
  for (int i = 0; i < CONFIGURATIONS * n; i++) rows[i] = size * uniform();
  return rows;
}

int main(int argc, char ** argv)
{
  const int batches = argc > 1 && atoi(argv[1]) > 0 ? atoi(argv[1]) : 41;
  double * times = malloc(sizeof(double) * (size_t)batches);
  for (int a = 2; a < argc; a++)
  {
    char problem[1000];
    mjModel * m = mj_loadXML(argv[a], NULL, problem, sizeof problem);
    if (!m)
    {
      fprintf(stderr, "%s: %s\n", argv[a], problem);
      return 1;
    }
    m->opt.disableflags |= mjDSBL_CONTACT | mjDSBL_CONSTRAINT;
    mjData * d = mj_makeData(m);
    double * q = random_rows((int)m->nq, 3);
    double * v = random_rows((int)m->nv, 1);
    double * tau = random_rows((int)m->nv, 10);
    if (m->njnt > 0 && m->jnt_type[0] == mjJNT_FREE)
      for (int k = 0; k < CONFIGURATIONS; k++) mju_normalize4(q + k * m->nq + 3);

    int passes = 1;
    for (int batch = -2; batch < batches; batch++)
    {
      const double start = now_ns();
      for (int p = 0; p < passes; p++)
        for (int k = 0; k < CONFIGURATIONS; k++) forward_dynamics(m, d, q + k * m->nq, v + k * m->nv, tau + k * m->nv);
      const double time = now_ns() - start;
      if (batch == -1 && BATCH_NS > time) passes = (int)(BATCH_NS / time);
      if (batch >= 0) times[batch] = time / (passes * (double)CONFIGURATIONS);
    }
    qsort(times, (size_t)batches, sizeof *times, by_size);

    const char * name = strrchr(argv[a], '/');
    name = name ? name + 1 : argv[a];
    printf("%.*s,forward_dynamics,%.1f,%.1f\n", (int)strcspn(name, "."), name, times[batches / 2], times[0]);
    free(q);
    free(v);
    free(tau);
    mj_deleteData(d);
    mj_deleteModel(m);
  }
  free(times);
  return 0;
}

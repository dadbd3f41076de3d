// Speed of the packed product, by shape, on one and more workers, against the peak measured in the
// same process, and against a loop as one writes it. Prints GFLOP/s of the best of many runs, one
// worker by its processor time, two by the clock on the wall (which means little on a busy
// machine). Not a test.
#include "runtime/base/Clock.h"
#include "runtime/device/Device.h"
#include "runtime/executor/ThreadTeam.h"
#include "runtime/math/Contract.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <vector>

using namespace dlm;

namespace {

struct Case {
  const char *what;
  ContractShape shape;
};

const Case Cases[] = {
    {"forward 64x784x512", {64, 512, 784}},
    {"forward 64x512x512", {64, 512, 512}},
    {"forward 64x512x10", {64, 10, 512}},
    {"dX 64x10x512", {64, 512, 10, false, true}},
    {"dX 64x512x512", {64, 512, 512, false, true}},
    {"dW 784x64x512", {784, 512, 64, true, false}},
    {"dW 512x64x512", {512, 512, 64, true, false}},
    {"dW 512x64x10", {512, 10, 64, true, false}},
    {"square 256", {256, 256, 256}},
    {"square 512", {512, 512, 512}},
    {"square 1024", {1024, 1024, 1024}},
    {"square 1024 NT", {1024, 1024, 1024, false, true}},
    {"square 1024 TN", {1024, 1024, 1024, true, false}},
    // Of an attention of 32 samples and 4 heads of 32, over 128 places.
    {"scores 128 x NT", {128, 128, 32, false, true, false, 128}},
    {"answers 128 x NN", {128, 32, 128, false, false, false, 128}},
    {"dV, dK 128 x TN", {128, 32, 128, true, false, false, 128}},
};

/// The micro-kernel alone on panels that stay in the first-level cache: the peak.
double peakGflops(const MicroKernels &kernels) {
  constexpr int64_t K = 192;
  std::vector<float> a(size_t(K * kernels.rowsMax + 64)), b(size_t(K * 2 * kernels.lanes + 64)),
      c(4096);
  MicroTile tile = {};
  tile.k = K;
  tile.a = a.data();
  tile.b = b.data();
  tile.c = c.data();
  tile.cRow = tile.columns = 2 * kernels.lanes;
  double best = 0;
  for (int repeat = 0; repeat < 200; ++repeat) {
    int64_t start = threadCpuNs();
    for (int i = 0; i < 100; ++i)
      kernels.packed[kernels.rowsMax - 1][1](tile);
    double flops = 100.0 * 2 * double(K) * kernels.rowsMax * 2 * kernels.lanes;
    best = std::max(best, flops / double(threadCpuNs() - start));
  }
  return best;
}

float *begin(const Arena &arena) { return reinterpret_cast<float *>(arena.data()); }

/// An arena of ones, as the executor's arenas are: aligned, with huge pages.
Arena floats(Device &device, int64_t count) {
  Arena arena = Arena::make(device, uint64_t(count + 16) * sizeof(float), 4096).take();
  std::fill_n(begin(arena), count, 1.0f);
  return arena;
}

double flopsOf(const ContractShape &shape) {
  return 2.0 * double(shape.batch) * double(shape.m) * double(shape.n) * double(shape.k);
}

/// Best GFLOP/s of three loops, the inner one over columns where the operands allow it.
double measureLoops(const ContractShape &shape) {
  int64_t m = shape.m, n = shape.n, k = shape.k;
  std::vector<float> lhs(size_t(m * k), 1.0f), rhs(size_t(k * n), 1.0f), out(size_t(m * n));
  ContractShape single = shape;
  single.batch = 1;
  double best = 0;
  for (int repeat = 0; repeat < 5; ++repeat) {
    int64_t start = threadCpuNs();
    std::fill(out.begin(), out.end(), -0.0f);
    for (int64_t i = 0; i < m; ++i)
      for (int64_t p = 0; p < k; ++p) {
        float a = lhs[size_t(shape.transposeLhs ? p * m + i : i * k + p)];
        for (int64_t j = 0; j < n; ++j)
          out[size_t(i * n + j)] += a * rhs[size_t(shape.transposeRhs ? j * k + p : p * n + j)];
      }
    best = std::max(best, flopsOf(single) / double(threadCpuNs() - start));
  }
  return best;
}

/// Best GFLOP/s of a shape on the team.
double measure(const ContractShape &shape, ThreadTeam &team, const MicroKernels *kernels) {
  ContractPlan plan = ContractPlan::make(shape, kernels).take();
  std::unique_ptr<Device> device = makeCpuDevice();
  int64_t batch = shape.batch, scratchFloats = int64_t(plan.scratchBytes() / sizeof(float));
  Arena lhs = floats(*device, batch * shape.m * shape.k),
        rhs = floats(*device, batch * shape.k * shape.n),
        out = floats(*device, batch * shape.m * shape.n),
        scratch = floats(*device, scratchFloats * team.workerCount());
  double flops = flopsOf(shape), best = 0;
  int64_t repeats = std::max<int64_t>(20, int64_t(3e9 / flops));
  const bool alone = team.workerCount() == 1;
  std::vector<std::atomic<int64_t>> claimed(size_t(plan.phaseCount()));
  for (int64_t repeat = 0; repeat < std::min<int64_t>(repeats, 2000); ++repeat) {
    for (auto &counter : claimed)
      counter = 0;
    int64_t start = alone ? threadCpuNs() : monotonicNs();
    team.run([&](unsigned worker) {
      int64_t own = plan.isOfWorkers() ? int64_t(worker) * scratchFloats : 0;
      ContractOperands operands{begin(lhs), begin(rhs), begin(out), begin(scratch) + own};
      for (int phase = 0; phase < plan.phaseCount(); ++phase) {
        if (phase > 0) team.barrier();
        int64_t items = plan.itemCount(phase);
        int64_t chunk = std::max<int64_t>(1, items / (8 * team.workerCount()));
        if (alone) chunk = items;
        for (;;) {
          int64_t begin = claimed[size_t(phase)].fetch_add(chunk);
          if (begin >= items) break;
          plan.run(phase, operands, begin, std::min(items, begin + chunk));
        }
      }
    });
    int64_t end = alone ? threadCpuNs() : monotonicNs();
    best = std::max(best, flops / double(end - start));
  }
  return best;
}

} // namespace

int main(int argc, char **argv) {
  const MicroKernels *kernels = bestKernels();
  if (argc > 1 && argv[1][0] == '2') kernels = &avx2Kernels();
  double peak = peakGflops(*kernels);
  std::printf("%s, peak of one core %.0f GFLOP/s\n%-20s %8s %5s %8s %5s %8s\n", kernels->name, peak,
              "", "1 worker", "%", "2", "%", "3 loops");
  std::unique_ptr<ThreadTeam> one = ThreadTeam::make(1).take();
  for (const Case &item : Cases) {
    double single = measure(item.shape, *one, kernels);
    std::unique_ptr<ThreadTeam> two = ThreadTeam::make(2).take();
    double both = measure(item.shape, *two, kernels);
    std::printf("%-20s %8.1f %5.0f %8.1f %5.0f %8.1f\n", item.what, single, 100 * single / peak,
                both, 50 * both / peak, measureLoops(item.shape));
  }
}

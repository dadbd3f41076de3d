// The race rules against a slow and obvious judge. Random little programs: a few accesses of a few
// bytes, spread over threads and over the stretches between synchronisations. The judge keeps for
// each pair of threads what the one knows of the other and compares all pairs of accesses.
#include "test/runtime/EmulatorKernels.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace dlm::emulator {
namespace {

constexpr uint32_t BlockThreads = 64, Blocks = 2, Stretches = 4;

struct Step {
  uint32_t block, thread, stretch;
  DlmEmuSiteKind kind;
  uint32_t offset, sizeBytes;
};

struct Program {
  bool isShared = false;
  std::vector<Step> steps;
  // After each stretch a barrier, or a sync of these lanes of each warp (0: nothing).
  bool hasBarrier[Stretches] = {};
  uint32_t lanes[Stretches][2] = {};
};

using Random = std::mt19937_64;

Program makeProgram(Random &random, bool withParts) {
  Program program;
  program.isShared = random() % 2;
  for (uint32_t s = 0; s < Stretches; ++s) {
    program.hasBarrier[s] = random() % 3 == 0;
    for (uint32_t &lanes : program.lanes[s]) {
      lanes = random() % 2 ? AllLanes : 0;
      if (withParts && lanes) lanes = random() % 2 ? 0x7 : 0xE; // of the four lanes that act
    }
  }
  static constexpr DlmEmuSiteKind kinds[] = {DlmEmuLoad, DlmEmuLoad, DlmEmuStore, DlmEmuAtomic};
  static constexpr uint32_t threads[] = {0, 1, 2, 3, 32, 33};
  uint32_t count = 2 + random() % 5, blocks = random() % 3 ? 1 : Blocks;
  for (uint32_t i = 0; i < count; ++i) {
    Step step{uint32_t(random() % blocks),
              threads[random() % 6],
              uint32_t(random() % Stretches),
              kinds[random() % 4],
              0,
              4u >> (random() % 4 ? 0 : random() % 3)};
    step.offset = uint32_t(random() % (8 / step.sizeBytes)) * step.sizeBytes;
    program.steps.push_back(step);
  }
  std::sort(program.steps.begin(), program.steps.end(),
            [](const Step &a, const Step &b) { return a.stretch < b.stretch; });
  return program;
}

/// One thread's part of the program.
void runProgram(DlmEmuThread *thread, void *const *params) {
  auto *program = parameter<const Program *>(params, 0);
  uint8_t *memory = program->isShared ? thread->shared : parameter<uint8_t *>(params, 1);
  auto step = program->steps.begin();
  for (uint32_t s = 0; s < Stretches; ++s) {
    for (; step != program->steps.end() && step->stretch == s; ++step)
      if (step->block == thread->ctaid[0] && step->thread == thread->tid[0])
        thread->api->access(thread, memory + step->offset, step->sizeBytes,
                            step->kind == DlmEmuLoad    ? LoadByte
                            : step->kind == DlmEmuStore ? StoreByte
                                                        : UpdateByte);
    uint32_t lanes = program->lanes[s][thread->warp];
    if (lanes >> thread->lane & 1) thread->api->syncWarp(thread, lanes, SyncSite);
    if (program->hasBarrier[s]) barrier(thread);
  }
}

/// For the start of each stretch: known[x][y] stretches of thread y are before what x does then.
using Known = std::vector<std::vector<uint32_t>>;

void join(Known &known, const std::vector<uint32_t> &threads, uint32_t stretch) {
  std::vector<uint32_t> joined(BlockThreads, 0);
  for (uint32_t x : threads)
    for (uint32_t y = 0; y < BlockThreads; ++y)
      joined[y] = std::max(joined[y], known[x][y]);
  for (uint32_t x : threads)
    joined[x] = stretch + 1;
  for (uint32_t x : threads)
    known[x] = joined;
}

std::vector<Known> knowledgeOf(const Program &program) {
  Known known(BlockThreads, std::vector<uint32_t>(BlockThreads, 0));
  std::vector<Known> atStart;
  for (uint32_t s = 0; s < Stretches; ++s) {
    atStart.push_back(known);
    std::vector<uint32_t> all;
    for (uint32_t warp = 0; warp < 2; ++warp) {
      std::vector<uint32_t> group;
      for (uint32_t lane = 0; lane < 32; ++lane) {
        all.push_back(warp * 32 + lane);
        if (program.lanes[s][warp] >> lane & 1) group.push_back(warp * 32 + lane);
      }
      join(known, group, s);
    }
    if (program.hasBarrier[s]) join(known, all, s);
  }
  return atStart;
}

bool hasRace(const Program &program) {
  std::vector<Known> known = knowledgeOf(program);
  for (const Step &a : program.steps)
    for (const Step &b : program.steps) {
      if (a.stretch > b.stretch) continue; // the pair comes the other way round as well
      bool isSame = a.block == b.block && a.thread == b.thread;
      bool areApart = a.offset + a.sizeBytes <= b.offset || b.offset + b.sizeBytes <= a.offset;
      bool bothAlike = a.kind == b.kind && a.kind != DlmEmuStore;
      if (isSame || areApart || bothAlike) continue;
      if (a.block != b.block && program.isShared) continue;
      if (a.block == b.block && known[b.stretch][b.thread][a.thread] > a.stretch) continue;
      return true;
    }
  return false;
}

std::string textOf(const Program &program) {
  std::string text = program.isShared ? "shared" : "global";
  for (const Step &step : program.steps)
    text += "\n  stretch " + std::to_string(step.stretch) + " block " + std::to_string(step.block) +
            " thread " + std::to_string(step.thread) + " kind " + std::to_string(step.kind) +
            " at " + std::to_string(step.offset) + " size " + std::to_string(step.sizeBytes);
  for (uint32_t s = 0; s < Stretches; ++s)
    text += "\n  after " + std::to_string(s) + ": barrier " +
            std::to_string(program.hasBarrier[s]) + ", lanes " +
            std::to_string(program.lanes[s][0]) + " " + std::to_string(program.lanes[s][1]);
  return text;
}

/// Runs many programs in all orders. Where parts of a warp synchronise, one race in a hundred may
/// be missed; what is no race is never reported.
void compareWithJudge(uint64_t seed, bool withParts) {
  Random random(seed);
  Bench bench;
  float *memory = bench.floats({1, 2});
  int races = 0, missed = 0, programs = 3000;
  for (int i = 0; i < programs; ++i) {
    Program program = makeProgram(random, withParts);
    bool isRace = hasRace(program);
    races += isRace;
    bench.options = {Orders[i % 4], random()};
    bench.report = {};
    ASSERT_TRUE(bench.run(runProgram, Blocks, BlockThreads, &program, memory));
    bool found = bench.faults().find("race") != std::string::npos;
    EXPECT_FALSE(found && !isRace) << bench.report.findings[0].message << textOf(program);
    missed += isRace && !found;
    EXPECT_TRUE(withParts || found || !isRace) << textOf(program);
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(races, programs / 10);
  EXPECT_LT(races, programs * 9 / 10);
  EXPECT_LE(missed, races / 100);
}

TEST(EmulatorRaces, AreThoseOfTheJudge) { compareWithJudge(1, false); }

TEST(EmulatorRaces, AreNeverInventedWherePartsOfAWarpSynchronise) { compareWithJudge(2, true); }

} // namespace
} // namespace dlm::emulator

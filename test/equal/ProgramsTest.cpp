// Whole programs, from pinned tensor ops to memory: what the interpreter says against what compiled
// code leaves in the buffers, bit for bit, whatever the vector width and the number of threads.
#include "compiler/transforms/fuse/Passes.h"
#include "test/equal/CompiledProgram.h"
#include "test/equal/ProgramsFixture.h"

#include <mlir/Pass/PassManager.h>

#include <gtest/gtest.h>

using namespace mlir;
using namespace dlm;
using namespace dlm::test;

/// Every function of a module, compiled with the options, against the interpreter.
static void expectEqual(ModuleOp module, const BackendOptions &options, const std::string &what,
                        float share = 0) {
  std::unique_ptr<RunnableProgram> program = RunnableProgram::create(module, options);
  ASSERT_TRUE(program) << what;
  for (const ProgramCase &one : makeCases(module, share))
    for (unsigned workers : {1u, 2u})
      EXPECT_EQ(firstDifference(one.expected, program->run(one, workers)), "")
          << what << ", " << one.program << ", " << workers << " workers";
}

/// After `fuse` alone the interpreter must still say the same.
static void expectSameAfterFuse(ModuleOp module, const std::string &what) {
  OwningOpRef<ModuleOp> fused = module.clone();
  PassManager passes((*fused)->getName());
  fuse::buildPipeline(passes);
  ASSERT_TRUE(succeeded(passes.run(*fused))) << what;
  for (func::FuncOp function : module.getOps<func::FuncOp>()) {
    NamedTensors inputs = someInputs(function, 7);
    auto other = fused->lookupSymbol<func::FuncOp>(function.getName());
    EXPECT_EQ(firstDifference(interpretBuffers(function, inputs), interpretBuffers(other, inputs)),
              "")
        << what << ", " << function.getName().str();
  }
}

namespace {

using Programs = ProgramsFixture;

TEST_F(Programs, FusionKeepsEveryBit) {
  for (const char *name :
       {"two-layers.mlir", "normalised-groups.mlir", "corners.mlir", "moves.mlir", "sequences.mlir",
        "windows.mlir", "loops.mlir", "penalty.mlir", "updates.mlir"})
    if (auto module = file(name)) expectSameAfterFuse(*module, name);
}

TEST_F(Programs, FusionOfRandomProgramsKeepsEveryBit) {
  for (uint32_t seed = 0; seed < 60; ++seed)
    if (auto module = random(seed, 24))
      expectSameAfterFuse(*module, "seed " + std::to_string(seed));
}

TEST_F(Programs, RandomProgramsArePlacedSoThatTheVerifierAgrees) {
  for (uint32_t seed = 0; seed < 60; ++seed) {
    auto module = random(seed, 24);
    ASSERT_TRUE(module);
    BackendOptions options;
    options.stopAfter = "place";
    Phases phases({});
    std::string text;
    Expected<CompiledProgram> program = runBackend(*module, options, phases, text);
    EXPECT_TRUE(program.isOk()) << "seed " << seed << ": " << program.status().message();
  }
}

TEST_F(Programs, CompiledCodeEqualsTheInterpreterAtEveryWidthAndThreadCount) {
  for (const char *name :
       {"two-layers.mlir", "normalised-groups.mlir", "corners.mlir", "moves.mlir", "sequences.mlir",
        "windows.mlir", "loops.mlir", "penalty.mlir", "updates.mlir"}) {
    auto module = file(name);
    ASSERT_TRUE(module);
    for (int64_t width : {16, 32, 64}) {
      BackendOptions options;
      options.vectorWidth = width;
      expectEqual(*module, options, std::string(name) + ", width " + std::to_string(width));
    }
    BackendOptions older;
    older.cpu = "x86-64-v3";
    expectEqual(*module, older, std::string(name) + ", x86-64-v3");
  }
}

TEST_F(Programs, CompiledCodeTreatsNaNAndInfinityAsTheInterpreter) {
  auto module = file("special-values.mlir");
  ASSERT_TRUE(module);
  for (float share : {0.003f, 0.1f, 0.9f}) {
    std::string what = "share " + std::to_string(share);
    for (int64_t width : {16, 64}) {
      BackendOptions options;
      options.vectorWidth = width;
      expectEqual(*module, options, what + ", width " + std::to_string(width), share);
    }
    BackendOptions older;
    older.cpu = "x86-64-v3";
    expectEqual(*module, older, what + ", x86-64-v3", share);
  }
}

TEST_F(Programs, CompiledRandomProgramsEqualTheInterpreter) {
  for (uint32_t seed = 100; seed < 108; ++seed) {
    auto module = random(seed, 16);
    ASSERT_TRUE(module);
    BackendOptions options;
    options.vectorWidth = 16 << seed % 3;
    expectEqual(*module, options, "seed " + std::to_string(seed));
  }
}

} // namespace

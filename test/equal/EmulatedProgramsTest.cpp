// Whole programs on a device that is emulated: the device code, the plan and the executor of a GPU
// against the interpreter, bit for bit, whatever the order of threads and of what streams do. Once
// with all checks, which find nothing.
#include "test/equal/CompiledProgram.h"
#include "test/equal/ProgramsFixture.h"

using namespace mlir;
using namespace dlm;
using namespace dlm::test;
using emulator::Order;

namespace {

using EmulatedPrograms = ProgramsFixture;

struct Way {
  Order order;
  uint64_t seed;
};

const std::vector<Way> AllWays = {{Order::Sequential, 1},
                                  {Order::Reverse, 2},
                                  {Order::Random, 3},
                                  {Order::Random, 4},
                                  {Order::WarpSkew, 5}};

std::unique_ptr<RunnableProgram> compile(ModuleOp module, Emulation emulation) {
  BackendOptions options;
  options.target = Target::Cuda;
  options.emulation = emulation;
  options.assembles = false;
  return RunnableProgram::create(module, options);
}

/// Every function of a module, compiled for a device, against the interpreter.
void expectEqual(ModuleOp module, Emulation emulation, const std::vector<Way> &ways,
                 const std::string &what, float share = 0) {
  std::unique_ptr<RunnableProgram> program = compile(module, emulation);
  ASSERT_TRUE(program) << what;
  for (const ProgramCase &one : makeCases(module, share))
    for (const Way &way : ways) {
      emulator::DriverOptions driver;
      driver.launch = {way.order, way.seed};
      EmulatedRun run = program->runEmulated(one, driver);
      std::string name = what + ", " + one.program + ", order " + std::to_string(int(way.order)) +
                         ", seed " + std::to_string(way.seed);
      EXPECT_TRUE(run.status.isOk()) << name << ": " << run.status.message();
      EXPECT_EQ(firstDifference(one.expected, run.results), "") << name;
      for (const emulator::Finding &finding : run.findings)
        ADD_FAILURE() << name << ": " << emulator::faultName(finding.fault) << ": "
                      << finding.message;
    }
}

TEST_F(EmulatedPrograms, EqualTheInterpreterInEveryOrder) {
  for (const char *name : {"two-layers.mlir", "normalised-groups.mlir", "corners.mlir",
                           "moves.mlir", "sequences.mlir", "windows.mlir", "loops.mlir"})
    if (auto module = file(name)) expectEqual(*module, Emulation::Fast, AllWays, name);
}

TEST_F(EmulatedPrograms, ShowNothingToTheChecks) {
  for (const char *name : {"two-layers.mlir", "normalised-groups.mlir", "corners.mlir",
                           "moves.mlir", "sequences.mlir", "windows.mlir", "loops.mlir"})
    if (auto module = file(name))
      expectEqual(*module, Emulation::Checked, {{Order::Sequential, 6}, {Order::Random, 7}}, name);
}

TEST_F(EmulatedPrograms, TreatNaNAndInfinityAsTheInterpreter) {
  for (float share : {0.003f, 0.1f, 0.9f})
    if (auto module = file("special-values.mlir"))
      expectEqual(*module, Emulation::Fast, {{Order::Sequential, 1}, {Order::Random, 8}},
                  "share " + std::to_string(share), share);
}

TEST_F(EmulatedPrograms, ByChanceEqualTheInterpreter) {
  for (uint32_t seed = 200; seed < 216; ++seed)
    if (auto module = random(seed, 16))
      expectEqual(*module, Emulation::Fast, AllWays, "seed " + std::to_string(seed));
}

TEST_F(EmulatedPrograms, ByChanceShowNothingToTheChecks) {
  for (uint32_t seed = 216; seed < 240; ++seed)
    if (auto module = random(seed, 16))
      expectEqual(*module, Emulation::Checked, {{Order::Random, seed}},
                  "seed " + std::to_string(seed));
}

std::vector<plan::StageT *> stagesOf(plan::PlanT &plan, const std::string &program) {
  std::vector<plan::StageT *> stages;
  for (auto &made : plan.programs)
    for (auto &instruction : made->code) {
      if (made->name != program) continue;
      if (auto *launch = instruction->action.AsLaunch())
        for (auto &stage : launch->stages)
          stages.push_back(stage.get());
      if (auto *library = instruction->action.AsLibrary())
        for (auto &stage : library->stages)
          stages.push_back(stage.get());
    }
  return stages;
}

/// Adds to one number of one stage of the plan; false if there are not that many.
bool addToNumber(RunnableProgram &program, const std::string &name, size_t stage, size_t number,
                 int64_t added) {
  bool exists = false;
  program.changePlan([&](plan::PlanT &plan) {
    std::vector<plan::StageT *> stages = stagesOf(plan, name);
    exists = stage < stages.size() && number < stages[stage]->numbers.size();
    if (exists) stages[stage]->numbers[number] += added;
  });
  return exists;
}

/// Buffers lie side by side in one allocation, so only the plan tells whose memory was touched.
TEST_F(EmulatedPrograms, LaunchesThatAreOneTooLargeAreFound) {
  auto module = file("two-layers.mlir");
  ASSERT_TRUE(module);
  std::unique_ptr<RunnableProgram> program = compile(*module, Emulation::Checked);
  ASSERT_TRUE(program);
  int outOfBounds = 0;
  for (const ProgramCase &one : makeCases(*module))
    for (size_t stage = 0; addToNumber(*program, one.program, stage, 0, 0); ++stage)
      for (size_t number = 0; addToNumber(*program, one.program, stage, number, 1); ++number) {
        EmulatedRun run = program->runEmulated(one, {});
        addToNumber(*program, one.program, stage, number, -1);
        for (const emulator::Finding &finding : run.findings)
          outOfBounds += finding.fault == emulator::Fault::OutOfBounds;
        if (run.findings.empty()) // a number that this kernel does not look at
          EXPECT_EQ(firstDifference(one.expected, run.results), "")
              << one.program << ", stage " << stage << ", number " << number;
      }
  EXPECT_GE(outOfBounds, 20);
}

} // namespace

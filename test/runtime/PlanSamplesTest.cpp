// Programs that make samples: they keep to arenas of which each thread has its own, and make all of
// a sample.
#include "runtime/abi/PlanVerify.h"
#include "test/runtime/HandMadePlan.h"

#include <functional>
#include <gtest/gtest.h>

using namespace dlm;
using namespace dlm::plan;
using dlm::test::HandMadePlan;

namespace {

/// sample_train and sample_eval move a field through memory of their own; grad reads a buffer that
/// threads share.
struct SamplePlan : HandMadePlan {
  uint32_t shared = addBuffer("option.strength", DType::F32, {});
  uint32_t in, out, seed, strength, t;
  uint32_t move = addKernel("move", {false, true});

  SamplePlan() {
    addArena(ArenaKind::Host);
    plan.arenas[2]->per_thread = true;
    in = addThreadBuffer("sample.in.image", DType::F32, {16});
    out = addThreadBuffer("sample.out.x", DType::F32, {4, 4});
    seed = addThreadBuffer("sample.seed", DType::I64, {});
    strength = addThreadBuffer("sample.option.strength", DType::F32, {});
    t = addThreadBuffer("", DType::F32, {16});
    for (const char *name : {"init", "grad", "update"})
      addProgram(name);
    plan.programs[1]->rows = 2;
    for (const char *name : {"sample_train", "sample_eval"}) {
      ProgramT &program = addProgram(name);
      program.per_thread = true;
      addLaunch(program.code, move, 1, {in, t});
      addLaunch(program.code, move, 1, {t, out});
    }
    plan.options.push_back(std::make_unique<OptionT>());
    plan.options[0]->name = "strength";
    plan.options[0]->dtype = DType::F32;
    plan.options[0]->run_time = true;
    plan.options[0]->buffer = int32_t(shared);
    plan.recipe = std::make_unique<RecipeT>();
    plan.recipe->batch = plan.recipe->micro = 2;
    plan.recipe->data = std::make_unique<DataSourceT>();
    addField(plan.recipe->data->fields, "image", {16}, in);
    addField(plan.recipe->data->fields, "label", {}, 0); // nobody reads it
    addField(plan.recipe->data->mapped, "x", {4, 4}, out);
  }

  uint32_t addThreadBuffer(const std::string &name, DType dtype, std::vector<int64_t> shape) {
    return addBufferAt(name, dtype, std::move(shape), 2, plan.arenas[2]->size_bytes);
  }
  static void addField(std::vector<std::unique_ptr<FieldT>> &fields, const std::string &name,
                       std::vector<int64_t> shape, uint32_t buffer) {
    fields.push_back(std::make_unique<FieldT>());
    fields.back()->name = name;
    fields.back()->dtype = DType::F32;
    fields.back()->shape = std::move(shape);
    fields.back()->buffer = buffer;
  }
  ProgramT &train() { return *plan.programs[3]; }
};

std::string refusalOf(const HandMadePlan &hand) {
  std::vector<uint8_t> bytes = hand.bytes();
  return loadPlan(bytes.data(), bytes.size()).status().message();
}

void expectSamplesRefused(const std::function<void(SamplePlan &)> &change,
                          const std::string &part) {
  SamplePlan hand;
  change(hand);
  std::string message = refusalOf(hand);
  EXPECT_NE(message.find(part), std::string::npos) << "found: " << message << "\nwanted: " << part;
}

TEST(PlanSamples, ASoundPlanPasses) {
  SamplePlan hand;
  EXPECT_EQ(refusalOf(hand), "");
  hand.plan.target = "cuda"; // the processor makes samples there, too
  EXPECT_EQ(refusalOf(hand), "");
}

TEST(PlanSamples, ThreadsShareNothingAndNobodyTouchesWhatIsTheirs) {
  expectSamplesRefused([](SamplePlan &hand) { hand.addFill(hand.train().code, hand.shared, 0); },
                       "touches `option.strength`, which all threads share");
  expectSamplesRefused(
      [](SamplePlan &hand) { hand.addFill(hand.plan.programs[1]->code, hand.strength, 0); },
      "touches `sample.option.strength`, of which each thread has its own");
  expectSamplesRefused([](SamplePlan &hand) { hand.train().per_thread = false; },
                       "there is no program `sample_train` for threads");
  expectSamplesRefused([](SamplePlan &hand) { hand.plan.arenas[2]->per_thread = false; },
                       "no thread has a buffer for the field `x`");
  expectSamplesRefused(
      [](SamplePlan &hand) {
        SamplePlan::addField(hand.train().signature, "image", {16}, hand.in);
      },
      "is run by any thread, and reads a batch");
}

TEST(PlanSamples, EverythingOfASampleIsMade) {
  expectSamplesRefused([](SamplePlan &hand) { hand.train().code.pop_back(); },
                       "program `sample_train` does not write bytes 0 to 64 of `sample.out.x`");
  expectSamplesRefused(
      [](SamplePlan &hand) { hand.train().code[1]->action.AsLaunch()->arg_bytes[1] = 32; },
      "does not write bytes 32 to 64 of `sample.out.x`");
  expectSamplesRefused( // it would be that of the sample before
      [](SamplePlan &hand) {
        auto &code = hand.train().code;
        hand.addLaunch(code, hand.move, 1, {hand.out, hand.t});
        std::swap(code.front(), code.back());
      },
      "reads bytes 0 to 64 of `sample.out.x`, which nobody has written");
}

TEST(PlanSamples, PredictionsNeedWhatTheyReadOfASample) {
  SamplePlan hand;
  hand.addArena(ArenaKind::Staging);
  uint32_t batch = hand.addBufferAt("batch.x", DType::F32, {2, 4, 4}, 3, 0);
  SamplePlan::addField(hand.addProgram("predict").signature, "x", {2, 4, 4}, batch);
  EXPECT_NE(refusalOf(hand).find("there is no program `sample_predict`"), std::string::npos);
  hand.addProgram("sample_predict").per_thread = true;
  EXPECT_NE(refusalOf(hand).find("program `sample_predict` does not write bytes 0 to 64"),
            std::string::npos);
  hand.addLaunch(hand.plan.programs.back()->code, hand.move, 1, {hand.in, hand.t});
  hand.addLaunch(hand.plan.programs.back()->code, hand.move, 1, {hand.t, hand.out});
  EXPECT_EQ(refusalOf(hand), "");
  hand.plan.programs.back()->code.clear();
  hand.plan.programs[5]->signature.clear(); // it reads nothing
  EXPECT_EQ(refusalOf(hand), "");
}

TEST(PlanSamples, BuffersAreWhatTheirNamesSay) {
  expectSamplesRefused(
      [](SamplePlan &hand) { hand.addThreadBuffer("sample.more", DType::F32, {}); },
      "`sample.more`: each thread has its own, and nobody gives it a value");
  expectSamplesRefused([](SamplePlan &hand) { hand.plan.recipe->data->fields[0]->shape = {15}; },
                       "`sample.in.image`: it does not hold the field of its name");
  expectSamplesRefused([](SamplePlan &hand) { hand.plan.recipe->data->mapped[0]->shape = {16}; },
                       "`sample.out.x`: it does not hold the field of its name");
  expectSamplesRefused(
      [](SamplePlan &hand) { hand.plan.recipe->data->mapped[0]->buffer = hand.in; },
      "no thread has a buffer for the field `x`");
  expectSamplesRefused([](SamplePlan &hand) { hand.plan.options[0]->name = "power"; },
                       "`sample.option.strength`: there is no such option");
  expectSamplesRefused([](SamplePlan &hand) { hand.plan.buffers[hand.seed]->dtype = DType::Bool; },
                       "`sample.seed`");
  expectSamplesRefused([](SamplePlan &hand) { hand.plan.programs.pop_back(); },
                       "there is no program `sample_eval`");
  expectSamplesRefused(
      [](SamplePlan &hand) {
        hand.plan.recipe->data->fields.clear();
        hand.plan.buffers[hand.in]->name = "sample.in.other";
      },
      "nobody gives it a value");
}

} // namespace

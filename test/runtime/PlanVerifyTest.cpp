// The verifier: a sound plan passes; each way to break it is found, and the message says where.
#include "runtime/abi/PlanVerify.h"
#include "runtime/abi/ByteOwners.h"
#include "test/runtime/HandMadePlan.h"

#include <functional>
#include <gtest/gtest.h>
#include <random>

using namespace dlm;
using namespace dlm::plan;
using dlm::test::HandMadePlan;

namespace {

/// x -> t (transient) -> u (transient, another buffer) -> y, and a product y = x * w.
struct SoundPlan : HandMadePlan {
  uint32_t x = addBuffer("x", DType::F32, {16, 16});
  uint32_t w = addBuffer("w", DType::F32, {16, 16});
  uint32_t y = addBuffer("y", DType::F32, {16, 16});
  uint32_t t = addBuffer("", DType::F32, {256});
  uint32_t u = addBuffer("", DType::F32, {256});
  uint32_t move = addKernel("move", {false, true});
  uint32_t place = addLocation("mlp.dlm", 7, "layer0");
  ProgramT &grad = addProgram("grad");

  SoundPlan() {
    addLaunch(grad.code, move, 1, {x, t});
    addLaunch(grad.code, move, 1, {t, u}).location = place;
    addContract(grad.code, {16, 16, 16, 0, 0, 1, 0}, x, w, y, false);
    addLaunch(grad.code, move, 1, {u, y});
  }
  LaunchT &launch(size_t i) { return *grad.code[i]->action.AsLaunch(); }
  LibraryT &library() { return *grad.code[2]->action.AsLibrary(); }
};

std::string messageOf(const HandMadePlan &hand) {
  std::vector<uint8_t> bytes = hand.bytes();
  return loadPlan(bytes.data(), bytes.size()).status().message();
}

/// Breaks the sound plan; the message must hold `part`.
void expectRefused(const std::function<void(SoundPlan &)> &change, const std::string &part) {
  SoundPlan hand;
  change(hand);
  std::string message = messageOf(hand);
  EXPECT_NE(message.find(part), std::string::npos) << "found: " << message << "\nwanted: " << part;
}

void addRecipe(SoundPlan &hand) {
  hand.addProgram("init");
  hand.addProgram("update");
  hand.grad.rows = 16;
  hand.addBuffer("report.loss", DType::F32, {});
  hand.addBuffer("metric.accuracy", DType::F32, {});
  hand.plan.recipe = std::make_unique<RecipeT>();
  hand.plan.recipe->batch = 64;
  hand.plan.recipe->micro = 16;
  hand.plan.recipe->eval_batch = 16;
  hand.plan.recipe->loss_terms = {"loss"};
  hand.plan.recipe->metrics = {"accuracy"};
}

StateEntryT &addState(SoundPlan &hand, const std::string &name, uint64_t offset, int64_t count) {
  auto entry = std::make_unique<StateEntryT>();
  entry->name = name;
  entry->dtype = DType::F32;
  entry->shape = {count};
  entry->buffer = hand.w;
  entry->offset = offset;
  hand.plan.state.push_back(std::move(entry));
  return *hand.plan.state.back();
}

/// The sound plan for a device: a function, and a stage for each instruction.
void turnIntoDevicePlan(SoundPlan &hand) {
  hand.plan.target = "cuda";
  hand.plan.functions.push_back(std::make_unique<FunctionT>());
  hand.plan.functions[0]->symbol = "f";
  hand.plan.functions[0]->block = 256;
  auto stage = [] {
    auto made = std::make_unique<StageT>();
    made->grid = 1;
    return made;
  };
  for (size_t i : {0, 1, 3})
    hand.launch(i).stages.push_back(stage());
  hand.library().stages.push_back(stage());
}

void expectDeviceRefused(const std::function<void(SoundPlan &)> &change, const std::string &part) {
  expectRefused(
      [&](SoundPlan &hand) {
        turnIntoDevicePlan(hand);
        change(hand);
      },
      part);
}

TEST(PlanVerify, PlansForADeviceHaveStagesThatCanBeLaunched) {
  SoundPlan sound;
  turnIntoDevicePlan(sound);
  EXPECT_EQ(messageOf(sound), "");
  expectDeviceRefused([](SoundPlan &hand) { hand.launch(1).stages.clear(); },
                      "instruction 1 `move` (mlp.dlm:7, layer0): it has no stages");
  expectDeviceRefused([](SoundPlan &hand) { hand.library().stages.clear(); }, "it has no stages");
  expectDeviceRefused([](SoundPlan &hand) { hand.launch(0).stages[0]->function = 1; },
                      "stage 0: function 1 of 1");
  expectDeviceRefused([](SoundPlan &hand) { hand.library().stages[0]->grid = 0; },
                      "stage 0: a grid of 0 blocks");
  expectDeviceRefused([](SoundPlan &hand) { hand.launch(0).stages[0]->grid = 1u << 31; },
                      "a grid of 2147483648 blocks");
  expectDeviceRefused(
      [](SoundPlan &hand) { hand.launch(0).stages[0]->scratch_bytes = uint64_t(1) << 40; },
      "bytes of scratch memory");
  // An instruction that does nothing needs none.
  sound.launch(0).items = 0;
  sound.launch(0).stages.clear();
  EXPECT_EQ(messageOf(sound), "");
}

TEST(PlanVerify, PlansForADeviceHaveSoundFunctionsAndArenas) {
  for (uint32_t block : {0, 1025})
    expectDeviceRefused([&](SoundPlan &hand) { hand.plan.functions[0]->block = block; },
                        "function 0 `f`: blocks of " + std::to_string(block) + " threads");
  expectDeviceRefused([](SoundPlan &hand) { hand.plan.functions[0]->shared_bytes = 49153; },
                      "shared memory");
  expectDeviceRefused([](SoundPlan &hand) { hand.plan.functions[0]->symbol.clear(); },
                      "function 0");
  expectDeviceRefused([](SoundPlan &hand) { hand.plan.arenas[0]->alignment = 512; },
                      "arena 0: alignment 512");
  expectDeviceRefused([](SoundPlan &hand) { hand.plan.target = "tpu"; }, "it is for `tpu`");
  expectDeviceRefused(
      [](SoundPlan &hand) {
        auto field = std::make_unique<FieldT>();
        field->name = "x";
        field->dtype = DType::F32;
        field->shape = {16, 16};
        field->buffer = hand.x;
        hand.grad.signature.push_back(std::move(field));
      },
      "it is not in the arena for batches");
  expectDeviceRefused(
      [](SoundPlan &hand) {
        hand.addArena(ArenaKind::Staging);
        hand.addArena(ArenaKind::Staging);
      },
      "two arenas for batches");
}

} // namespace

TEST(PlanVerify, ASoundPlanPasses) {
  EXPECT_EQ(messageOf(SoundPlan()), "");
  SoundPlan hand;
  addRecipe(hand);
  addState(hand, "layer0.w", 0, 128);
  addState(hand, "layer1.w", 512, 128);
  EXPECT_EQ(messageOf(hand), "");
}

TEST(PlanVerify, DamagedBytesNeverPassForWhole) {
  std::vector<uint8_t> bytes = SoundPlan().bytes();
  for (size_t size = 0; size + 8 < bytes.size(); size += 3) { // the last bytes are padding
    std::vector<uint8_t> cut(bytes.begin(), bytes.begin() + long(size));
    EXPECT_FALSE(loadPlan(cut.data(), cut.size())) << size;
  }
  // A flipped bit is refused or changes something harmless; it never crashes the verifier.
  std::mt19937 random(1);
  for (int i = 0; i < 3000; ++i) {
    std::vector<uint8_t> damaged = bytes;
    damaged[random() % damaged.size()] ^= uint8_t(1 << random() % 8);
    (void)loadPlan(damaged.data(), damaged.size()).isOk();
  }
}

TEST(PlanVerify, OtherVersionIsNamed) {
  expectRefused([](SoundPlan &p) { p.plan.abi = 99; }, "the plan is of version 99");
}

TEST(PlanVerify, Arenas) {
  expectRefused([](SoundPlan &p) { p.plan.arenas[0]->alignment = 48; },
                "arena 0: alignment 48 is not a power of two");
  expectRefused([](SoundPlan &p) { p.plan.arenas[1]->size_bytes = uint64_t(1) << 50; },
                "arena 1: 1125899906842624 bytes");
  expectRefused([](SoundPlan &p) { p.plan.arenas[1]->kind = ArenaKind(77); }, "unknown kind 77");
}

TEST(PlanVerify, Buffers) {
  expectRefused([](SoundPlan &p) { p.plan.buffers[p.t]->arena = 9; }, "buffer 3: arena 9 of 2");
  expectRefused([](SoundPlan &p) { p.plan.buffers[p.u]->offset = 1088; },
                "buffer 4: bytes 1088 to 2112 of an arena of 2048");
  expectRefused([](SoundPlan &p) { p.plan.buffers[p.u]->offset = ~uint64_t(0) - 3; }, "buffer 4:");
  expectRefused([](SoundPlan &p) { p.plan.buffers[p.x]->size_bytes = 64; },
                "`x`: its shape needs 1024 bytes, it has 64");
  expectRefused([](SoundPlan &p) { p.plan.buffers[p.x]->shape = {-1, 4}; }, "`x`: its shape");
  expectRefused([](SoundPlan &p) { p.plan.buffers[p.x]->shape = {int64_t(1) << 62, 64}; },
                "`x`: its shape");
  expectRefused([](SoundPlan &p) { p.plan.buffers[p.x]->dtype = DType(9); },
                "`x`: unknown element type 9");
  expectRefused([](SoundPlan &p) { p.plan.buffers[p.t]->offset = 2; }, "splits an element");
  expectRefused([](SoundPlan &p) { p.plan.buffers[p.w]->name = "x"; }, "two buffers are named `x`");
  expectRefused([](SoundPlan &p) { p.plan.buffers[p.w]->name = ""; }, "has no name");
  expectRefused([](SoundPlan &p) { p.plan.buffers[p.w]->location = 5; }, "location 5 of 2");
  expectRefused([](SoundPlan &p) { p.plan.buffers[p.w]->initial = {1}; }, "as 1 bytes of 1024");
  expectRefused([](SoundPlan &p) { p.plan.buffers[p.t]->initial.resize(1024); }, "begins as");
  expectRefused([](SoundPlan &p) { p.plan.buffers[p.w]->offset = 512; },
                "`x` and `w` overlap, and one of them outlives its program");
  expectRefused([](SoundPlan &p) { p.addBufferAt("", DType::F32, {4}, 0, 128); },
                "`x` and buffer 5 overlap");
}

TEST(PlanVerify, StateOptionsAndSignatures) {
  expectRefused([](SoundPlan &p) { addState(p, "s", 0, 16).buffer = 80; },
                "state `s`: buffer 80 of 5");
  expectRefused([](SoundPlan &p) { addState(p, "s", 0, 16).buffer = p.t; }, "does not agree");
  expectRefused([](SoundPlan &p) { addState(p, "s", 1000, 16); }, "does not lie within `w`");
  expectRefused([](SoundPlan &p) { addState(p, "", 0, 16); }, "the name is empty");
  expectRefused(
      [](SoundPlan &p) {
        addState(p, "a", 0, 16);
        addState(p, "b", 60, 16);
      },
      "state `a` and `b` overlap");
  auto option = [](SoundPlan &p, int32_t buffer) {
    auto made = std::make_unique<OptionT>();
    made->name = "rate";
    made->dtype = DType::F32;
    made->buffer = buffer;
    p.plan.options.push_back(std::move(made));
  };
  expectRefused([&](SoundPlan &p) { option(p, 70); }, "option `rate`: buffer 70");
  expectRefused([&](SoundPlan &p) { option(p, int32_t(p.x)); }, "`x` is not a scalar");
  expectRefused(
      [&](SoundPlan &p) {
        option(p, -1);
        p.plan.options.back()->kind = "bool";
        p.plan.options.back()->run_time = true;
      },
      "option `rate`: only numbers can be given at run time");
  auto field = [](SoundPlan &p, uint32_t buffer, std::vector<int64_t> shape) {
    auto made = std::make_unique<FieldT>();
    made->name = "image";
    made->dtype = DType::F32;
    made->shape = std::move(shape);
    made->buffer = buffer;
    p.grad.signature.push_back(std::move(made));
  };
  expectRefused([&](SoundPlan &p) { field(p, 70, {16}); }, "field `image`: buffer 70 of 5");
  expectRefused([&](SoundPlan &p) { field(p, p.x, {16, 17}); }, "does not agree with `x`");
}

TEST(PlanVerify, ProgramsHaveNames) {
  expectRefused([](SoundPlan &p) { p.addProgram("grad"); }, "the name `grad` is empty or occurs");
  expectRefused([](SoundPlan &p) { p.addProgram(""); }, "program 1: the name");
}

TEST(PlanVerify, LaunchForms) {
  expectRefused([](SoundPlan &p) { p.launch(0).kernel = 3; },
                "instruction 0 `Launch` (test.dlm:1): "
                "kernel 3 of 1");
  expectRefused(
      [](SoundPlan &p) { p.launch(1).args.pop_back(); },
      "program `grad`, instruction 1 `move` (mlp.dlm:7, layer0): 1 arguments and 2 sizes, "
      "where 2 are needed");
  expectRefused([](SoundPlan &p) { p.launch(1).arg_bytes.push_back(4); },
                "2 arguments and 3 sizes");
  expectRefused([](SoundPlan &p) { p.launch(0).items = -1; }, "-1 items");
  expectRefused([](SoundPlan &p) { p.launch(0).args[1] = Ref(40, 0, 0, 0); },
                "argument 1 names buffer 40 of 5");
  expectRefused([](SoundPlan &p) { p.launch(0).args[1] = Ref(p.t, 2, 0, 0); },
                "argument 1 splits an element of buffer 3");
  expectRefused([](SoundPlan &p) { p.launch(0).args[1] = Ref(p.t, 0, 64, 0); },
                "argument 1 steps with a loop that is not there");
  expectRefused([](SoundPlan &p) { p.launch(0).args[1] = Ref(p.t, 4, 0, 0); },
                "argument 1: 1024 bytes from 4 leave buffer 3 of 1024 bytes");
  expectRefused([](SoundPlan &p) { p.launch(0).args[0] = Ref(p.x, -4, 0, 0); },
                "argument 0: 1024 bytes from -4 leave `x`");
  expectRefused([](SoundPlan &p) { p.launch(0).arg_bytes[0] = ~uint64_t(0); }, "leave `x`");
  expectRefused([](SoundPlan &p) { p.plan.kernels[0]->symbol = ""; }, "kernel 0 has no symbol");
  expectRefused([](SoundPlan &p) { p.plan.kernels[0]->scratch_bytes = uint64_t(1) << 40; },
                "bytes of scratch memory");
}

TEST(PlanVerify, OtherInstructionForms) {
  expectRefused([](SoundPlan &p) { p.grad.code[0]->location = 9; }, "location 9 of 2");
  expectRefused([](SoundPlan &p) { p.grad.code[0]->queue = 1; }, "there is only queue 0");
  expectRefused([](SoundPlan &p) { p.grad.code[0]->action.Reset(); }, "it has no action");
  expectRefused([](SoundPlan &p) { p.grad.code[0]->action.Set(AwaitT()); }, "reserved");
  expectRefused([](SoundPlan &p) { p.grad.code[0]->action.Set(CopyT()); }, "the target is missing");
  expectRefused([](SoundPlan &p) { p.grad.code[0]->action.Set(FillT()); }, "the target is missing");
  expectRefused(
      [](SoundPlan &p) { p.addFill(p.grad.code, p.y, 0).action.AsFill()->size_bytes = 1 << 20; },
      "leave `y`");
  expectRefused(
      [](SoundPlan &p) { p.addLoop(p.addLoop(p.addLoop(p.grad.code, 2).code, 2).code, 2); },
      "instruction 6 `Loop` (test.dlm:1): loops nest more than two deep");
}

TEST(PlanVerify, ContractForms) {
  expectRefused([](SoundPlan &p) { p.library().descriptor.pop_back(); },
                "a descriptor of 7 numbers");
  expectRefused([](SoundPlan &p) { p.library().descriptor[0] = -4; },
                "a contraction of -4 x 16 x 16");
  for (auto [place, size] : {std::pair{2, 17L}, {0, 1L << 40}, {7, 2L}})
    expectRefused([=](SoundPlan &p) { p.library().descriptor[place] = size; },
                  "argument 0 has 1024 bytes, which is not what its sizes need");
  expectRefused([](SoundPlan &p) { p.library().descriptor[3] = 2; }, "neither 0 nor 1");
  expectRefused([](SoundPlan &p) { p.library().descriptor[5] = 0; }, "a contraction of 0 chains");
  expectRefused([](SoundPlan &p) { p.library().descriptor[7] = 0; }, "0 contractions side by side");
  expectRefused([](SoundPlan &p) { p.library().entry = LibraryEntry(4); },
                "unknown library entry 4");
  expectRefused([](SoundPlan &p) { p.library().args.pop_back(); }, "2 arguments and 3 sizes");
  expectRefused([](SoundPlan &p) { p.plan.buffers[p.w]->dtype = DType::I32; },
                "argument 1 is not f32");
}

TEST(PlanVerify, ReadersComeAfterWriters) {
  expectRefused(
      [](SoundPlan &p) { p.grad.code.erase(p.grad.code.begin()); },
      "program `grad`, instruction 0 `move` (mlp.dlm:7, layer0): reads bytes 0 to 1024 of "
      "buffer 3, which nobody has written");
  // Half of it written is not enough.
  expectRefused([](SoundPlan &p) { p.launch(0).arg_bytes[1] = 512; },
                "reads bytes 512 to 1024 of buffer 3, which nobody has written");
  // Another program's writes do not count.
  expectRefused([](SoundPlan &p) { p.addLaunch(p.addProgram("eval").code, p.move, 1, {p.t, p.y}); },
                "program `eval`, instruction 0 `move`");
}

TEST(PlanVerify, SharedMemoryMustBeFreeWhenItIsTaken) {
  // v over t after t's last reader: fine.
  SoundPlan reuse;
  uint32_t v = reuse.addBufferAt("", DType::F32, {256}, 1, 0);
  reuse.addLaunch(reuse.grad.code, reuse.move, 1, {reuse.x, v});
  reuse.addLaunch(reuse.grad.code, reuse.move, 1, {v, reuse.y});
  EXPECT_EQ(messageOf(reuse), "");
  // Over half of u before u's last reader.
  expectRefused(
      [](SoundPlan &p) {
        uint32_t half = p.addBufferAt("", DType::F32, {128}, 1, 1024 + 512);
        HandMadePlan::Code code;
        p.addLaunch(code, p.move, 1, {p.x, half}).action.AsLaunch()->arg_bytes = {512, 512};
        p.grad.code.insert(p.grad.code.begin() + 2, std::move(code[0]));
      },
      "instruction 4 `move` (test.dlm:1): reads bytes 512 to 1024 of buffer 4, where buffer 5 "
      "stands "
      "since instruction 2");
}

TEST(PlanVerify, AnOutputMayTakeExactlyItsInputsPlace) {
  SoundPlan inPlace;
  uint32_t v = inPlace.addBufferAt("", DType::F32, {256}, 1, 0);
  inPlace.launch(1).args[1] = Ref(v, 0, 0, 0);
  inPlace.launch(3).args[0] = Ref(v, 0, 0, 0);
  EXPECT_EQ(messageOf(inPlace), "");
  expectRefused(
      [](SoundPlan &p) {
        uint32_t v = p.addBufferAt("", DType::F32, {256}, 1, 512);
        p.launch(1).args[1] = Ref(v, 0, 0, 0);
      },
      "its arguments 0 and 1 overlap: bytes 0 to 1024 of buffer 3 and bytes 0 to 1024 of buffer 5");
  expectRefused([](SoundPlan &p) { p.library().args[2] = Ref(p.x, 0, 0, 0); },
                "its arguments 0 and 2 overlap");
  expectRefused(
      [](SoundPlan &p) {
        uint32_t two = p.addKernel("two", {true, true});
        p.addLaunch(p.grad.code, two, 1, {p.y, p.y});
      },
      "its arguments 0 and 1 overlap");
}

TEST(PlanVerify, DependentInstructionsNeedSync) {
  expectRefused([](SoundPlan &p) { p.grad.code[1]->sync = false; },
                "reads bytes 0 to 1024 of buffer 3, which instruction 0 writes, without `sync`");
  expectRefused([](SoundPlan &p) { p.addLaunch(p.grad.code, p.move, 1, {p.x, p.y}, false); },
                "writes bytes 0 to 1024 of `y`, which instruction 3 writes, without `sync`");
  expectRefused([](SoundPlan &p) { p.addFill(p.grad.code, p.u, 0, false); },
                "writes bytes 0 to 1024 of buffer 4, which instruction 3 reads, without `sync`");
  // Two readers need none, and disjoint halves of one buffer neither.
  SoundPlan readers;
  readers.addLaunch(readers.grad.code, readers.move, 1, {readers.x, readers.t});
  uint32_t half = readers.addBuffer("", DType::F32, {256});
  LaunchT &low = *readers.addLaunch(readers.grad.code, readers.move, 1, {readers.x, half}, false)
                      .action.AsLaunch();
  low.arg_bytes = {512, 512};
  LaunchT &high = *readers.addLaunch(readers.grad.code, readers.move, 1, {readers.x, half}, false)
                       .action.AsLaunch();
  high.arg_bytes = {512, 512};
  high.args[1] = Ref(half, 512, 0, 0);
  readers.addLaunch(readers.grad.code, readers.move, 1, {half, readers.y});
  EXPECT_EQ(messageOf(readers), "");
}

TEST(PlanVerify, LoopsAreFollowedTripByTrip) {
  auto looped = [](uint32_t trips, int64_t stride) {
    auto hand = std::make_unique<SoundPlan>();
    uint32_t table = hand->addBuffer("", DType::F32, {4, 256});
    LoopT &loop = hand->addLoop(hand->grad.code, trips);
    LaunchT &fill = *hand->addLaunch(loop.code, hand->move, 1, {hand->x, table}).action.AsLaunch();
    fill.args[1] = Ref(table, 0, stride, 0);
    fill.arg_bytes = {1024, 1024};
    uint32_t sum = hand->addKernel("sum", {false, true});
    hand->addLaunch(hand->grad.code, sum, 1, {table, hand->y});
    return messageOf(*hand);
  };
  EXPECT_EQ(looped(4, 1024), "");
  EXPECT_NE(looped(5, 1024).find("1024 bytes from 4096 leave buffer 5"), std::string::npos);
  EXPECT_NE(looped(3, 1024).find("reads bytes 3072 to 4096 of buffer 5, which nobody has written"),
            std::string::npos);
  EXPECT_NE(looped(4, -1024).find("from -1024 leave"), std::string::npos);
  EXPECT_NE(looped(0, 1024).find("nobody has written"), std::string::npos);
  expectRefused([](SoundPlan &p) { p.addLoop(p.addLoop(p.grad.code, ~0u).code, ~0u); },
                "program `grad`: its loops are too long to verify");
}

TEST(PlanVerify, Recipes) {
  auto refused = [](const std::function<void(SoundPlan &)> &change, const std::string &part) {
    expectRefused(
        [&](SoundPlan &p) {
          addRecipe(p);
          change(p);
        },
        part);
  };
  refused([](SoundPlan &p) { p.plan.recipe->micro = 0; }, "recipe: a batch of 64 samples");
  refused([](SoundPlan &p) { p.plan.recipe->batch = 60; }, "a batch of 60 samples is not made of");
  refused([](SoundPlan &p) { p.plan.recipe->batch_option = 3; }, "batch option 3 of 0");
  refused([](SoundPlan &p) { p.plan.programs.pop_back(); }, "there is no program `update`");
  refused([](SoundPlan &p) { p.grad.rows = 8; }, "`grad` has 8 rows, a micro-batch 16");
  refused([](SoundPlan &p) { p.addProgram("eval").rows = 9; }, "`eval` has 9 rows");
  refused([](SoundPlan &p) { p.plan.recipe->metrics = {"f1"}; }, "there is no buffer `metric.f1`");
  auto command = [](SoundPlan &p, const char *program) {
    auto entry = std::make_unique<CommandT>();
    entry->name = "grey";
    entry->program = program;
    p.plan.recipe->commands.push_back(std::move(entry));
    return p.plan.recipe->commands.back().get();
  };
  refused([&](SoundPlan &p) { command(p, "nothing"); }, "there is no program `nothing`");
  refused(
      [&](SoundPlan &p) {
        command(p, "init")->results.push_back(std::make_unique<CommandResultT>());
        p.plan.recipe->commands[0]->results[0]->name = "value";
      },
      "there is no buffer `command.grey.value`");
  refused([](SoundPlan &p) { p.plan.recipe->loss_terms = {"kl"}; },
          "there is no buffer `report.kl`");
  refused(
      [](SoundPlan &p) {
        p.addBuffer("metric.wide", DType::F32, {2});
        p.plan.recipe->metrics = {"wide"};
      },
      "`metric.wide` is not an f32 scalar");
  refused(
      [](SoundPlan &p) {
        p.plan.recipe->duration = std::make_unique<QuantityT>();
        p.plan.recipe->duration->value = -3;
      },
      "the duration is -3");
}

TEST(ByteOwners, FollowsTheLastWriter) {
  ByteOwners owners;
  EXPECT_FALSE(owners.firstForeign(0, 10, 1).written);
  owners.write(0, 10, {1, 0});
  EXPECT_GE(owners.firstForeign(0, 10, 1).begin, 10u);
  owners.write(4, 6, {2, 1});
  ByteOwners::Piece piece = owners.firstForeign(0, 10, 1);
  EXPECT_EQ(piece.begin, 4u);
  EXPECT_EQ(piece.end, 6u);
  EXPECT_EQ(piece.owner.buffer, 2u);
  EXPECT_GE(owners.firstForeign(6, 10, 1).begin, 10u);
  piece = owners.firstForeign(7, 12, 1);
  EXPECT_EQ(piece.begin, 10u);
  EXPECT_FALSE(piece.written);
}

// Against a byte array, which is slow and obvious.
TEST(ByteOwners, EqualsAnArrayOfBytes) {
  std::mt19937 random(7);
  ByteOwners owners;
  std::vector<int> bytes(64, -1);
  for (int round = 0; round < 5000; ++round) {
    uint64_t begin = random() % 64, end = begin + random() % (65 - begin);
    auto buffer = uint32_t(random() % 3);
    if (random() % 2) {
      owners.write(begin, end, {buffer, round % 5});
      std::fill(bytes.begin() + long(begin), bytes.begin() + long(end), int(buffer));
      continue;
    }
    uint64_t expected = begin;
    while (expected < end && bytes[expected] == int(buffer))
      ++expected;
    ByteOwners::Piece piece = owners.firstForeign(begin, end, buffer);
    ASSERT_EQ(std::min(piece.begin, end), expected) << round;
    bool found = expected == end || piece.written == (bytes[expected] >= 0);
    ASSERT_TRUE(found) << round;
  }
}

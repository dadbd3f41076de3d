// The plan of the hand-made network. Parameters are one flat buffer of segments that start at
// multiples of 2048, as the compiler lays them out.
#include "test/runtime/HandMadeMlp.h"

#include <tuple>

namespace dlm::test {

namespace {

using plan::DType;

int64_t roundUp(int64_t count) { return (count + SegmentChunk - 1) / SegmentChunk * SegmentChunk; }

/// A part of a buffer: what an argument of a launch may touch.
struct Place {
  uint32_t buffer;
  int64_t offset; // bytes
  uint64_t bytes;
};

constexpr uint32_t NegativeZero = 0x80000000;

class MlpBuilder {
public:
  MlpBuilder(const MlpShape &shape) : shape(shape) {
    inputs = shape.side * shape.side;
    firstBias = roundUp(inputs * shape.hidden);
    secondWeight = firstBias + roundUp(shape.hidden);
    secondBias = secondWeight + roundUp(shape.hidden * shape.classes);
    flat = secondBias + roundUp(shape.classes);
    staging = uint16_t(made.plan.arenas.size());
    made.addArena(plan::ArenaKind::Staging);
  }

  HandMadePlan build() {
    addBuffers();
    addInit();
    addGrad();
    addUpdate();
    addEvaluation();
    addState();
    return std::move(made);
  }

private:
  Place all(uint32_t buffer) const { return {buffer, 0, made.plan.buffers[buffer]->size_bytes}; }
  Place part(uint32_t buffer, int64_t first, int64_t count) const {
    return {buffer, first * 4, uint64_t(count) * 4};
  }

  void launch(HandMadePlan::Code &code, const std::string &symbol, std::vector<bool> writes,
              int64_t items, int64_t extent, const std::vector<Place> &places) {
    uint32_t kernel = ~0u;
    for (size_t i = 0; i < made.plan.kernels.size(); ++i) {
      if (made.plan.kernels[i]->symbol == symbol) kernel = uint32_t(i);
    }
    if (kernel == ~0u) kernel = made.addKernel(symbol, std::move(writes), 1000);
    plan::LaunchT &action = *made.addLaunch(code, kernel, items, {}).action.AsLaunch();
    action.extent = extent;
    for (const Place &place : places) {
      action.args.push_back(plan::Ref(place.buffer, place.offset, 0, 0));
      action.arg_bytes.push_back(place.bytes);
    }
  }

  void contract(HandMadePlan::Code &code, std::vector<int64_t> descriptor, Place lhs, Place rhs,
                Place out) {
    plan::LibraryT &action =
        *made.addContract(code, std::move(descriptor), lhs.buffer, rhs.buffer, out.buffer)
             .action.AsLibrary();
    const Place places[] = {lhs, rhs, out};
    for (int i = 0; i < 3; ++i) {
      action.args[size_t(i)] = plan::Ref(places[i].buffer, places[i].offset, 0, 0);
      action.arg_bytes[size_t(i)] = places[i].bytes;
    }
  }

  /// Batches have an arena of their own, as the compiler places them.
  uint32_t add(const std::string &name, DType dtype, std::vector<int64_t> dims = {}) {
    if (name.rfind("batch.", 0) != 0) return made.addBuffer(name, dtype, std::move(dims));
    return made.addBufferAt(name, dtype, std::move(dims), staging,
                            made.plan.arenas[staging]->size_bytes);
  }

  void addBuffers() {
    params = add("params", DType::F32, {flat});
    grads = add("grads", DType::F32, {flat});
    m = add("opt.m", DType::F32, {flat});
    v = add("opt.v", DType::F32, {flat});
    attempt = add("state.attempt", DType::I64);
    step = add("state.step", DType::I64);
    skipped = add("state.skipped", DType::I64);
    ok = add("state.ok", DType::I32);
    seed = add("state.seed", DType::I64);
    lossSum = add("loss.loss", DType::F32);
    reportLoss = add("report.loss", DType::F32);
    reportNorm = add("report.grad_norm", DType::F32);
    batchSize = add("batch.size", DType::F32);
    lr = add("option.lr", DType::F32);
    batchOption = add("option.batch_size", DType::I64);
    image = add("batch.image", DType::U8, {shape.micro, shape.side, shape.side});
    label = add("batch.label", DType::I32, {shape.micro});
    evalImage = add("batch.image@eval", DType::U8, {shape.evalBatch, shape.side, shape.side});
    evalLabel = add("batch.label@eval", DType::I32, {shape.evalBatch});
    weight = add("batch.weight", DType::F32, {shape.evalBatch});
    sums = add("eval.sums", DType::F32, {2});
    count = add("eval.count", DType::F32);
    metricLoss = add("metric.loss", DType::F32);
    metricAccuracy = add("metric.accuracy", DType::F32);
  }

  /// The forward pass up to the logits, on `rows` rows; returns the transient buffers.
  struct Forward {
    uint32_t x, hidden, logits;
  };
  Forward addForward(HandMadePlan::Code &code, uint32_t images, int64_t rows) {
    Forward f;
    f.x = add("", DType::F32, {rows, inputs});
    f.hidden = add("", DType::F32, {rows, shape.hidden});
    f.logits = add("", DType::F32, {rows, shape.classes});
    launch(code, "scale_image", {false, true}, rows, inputs, {all(images), all(f.x)});
    contract(code, {rows, shape.hidden, inputs, 0, 0, 1, 0}, all(f.x),
             part(params, 0, inputs * shape.hidden), all(f.hidden));
    launch(code, "bias_relu", {false, true}, rows, shape.hidden,
           {part(params, firstBias, shape.hidden), all(f.hidden)});
    contract(code, {rows, shape.classes, shape.hidden, 0, 0, 1, 0}, all(f.hidden),
             part(params, secondWeight, shape.hidden * shape.classes), all(f.logits));
    return f;
  }

  void addInit() {
    plan::ProgramT &init = made.addProgram("init");
    launch(init.code, "init_params", {false, true}, 1, flat, {all(seed), all(params)});
    made.addFill(init.code, grads, NegativeZero);
    for (uint32_t buffer : {m, v, attempt, step, skipped, ok})
      made.addFill(init.code, buffer, 0);
    made.addFill(init.code, lossSum, NegativeZero);
  }

  void addGrad() {
    plan::ProgramT &grad = made.addProgram("grad");
    grad.rows = uint32_t(shape.micro);
    sign(grad, "image", DType::U8, {shape.micro, shape.side, shape.side}, image);
    sign(grad, "label", DType::I32, {shape.micro}, label);
    int64_t rows = shape.micro;
    Forward f = addForward(grad.code, image, rows);
    uint32_t dLogits = add("", DType::F32, {rows, shape.classes});
    uint32_t dHidden = add("", DType::F32, {rows, shape.hidden});
    launch(grad.code, "cross_entropy", {false, false, false, false, true, true}, 1, rows,
           {all(f.logits), part(params, secondBias, shape.classes), all(label), all(batchSize),
            all(lossSum), all(dLogits)});
    contract(grad.code, {shape.hidden, shape.classes, rows, 1, 0, 1, 1}, all(f.hidden),
             all(dLogits), part(grads, secondWeight, shape.hidden * shape.classes));
    contract(grad.code, {rows, shape.hidden, shape.classes, 0, 1, 1, 0}, all(dLogits),
             part(params, secondWeight, shape.hidden * shape.classes), all(dHidden));
    launch(grad.code, "relu_grad", {false, true}, rows, shape.hidden,
           {all(f.hidden), all(dHidden)});
    contract(grad.code, {inputs, shape.hidden, rows, 1, 0, 1, 1}, all(f.x), all(dHidden),
             part(grads, 0, inputs * shape.hidden));
    launch(grad.code, "add_rows", {false, true}, shape.hidden, rows << 16 | shape.hidden,
           {all(dHidden), part(grads, firstBias, shape.hidden)});
    launch(grad.code, "add_rows", {}, shape.classes, rows << 16 | shape.classes,
           {all(dLogits), part(grads, secondBias, shape.classes)});
  }

  void addUpdate() {
    plan::ProgramT &update = made.addProgram("update");
    launch(update.code, "check_step", {false, false, true, true, true}, 1, flat,
           {all(grads), all(lossSum), all(reportLoss), all(reportNorm), all(ok)});
    launch(update.code, "adamw", {true, true, true, false, false, false, false},
           flat / SegmentChunk, flat,
           {all(params), all(m), all(v), all(grads), all(lr), all(ok), all(step)});
    launch(update.code, "count_step", {false, true, true, true}, 1, 1,
           {all(ok), all(attempt), all(step), all(skipped)});
    made.addFill(update.code, grads, NegativeZero);
    made.addFill(update.code, lossSum, NegativeZero);
  }

  void addEvaluation() {
    plan::ProgramT &begin = made.addProgram("eval_begin");
    made.addFill(begin.code, sums, 0);
    made.addFill(begin.code, count, 0);
    plan::ProgramT &eval = made.addProgram("eval");
    eval.rows = uint32_t(shape.evalBatch);
    sign(eval, "image", DType::U8, {shape.evalBatch, shape.side, shape.side}, evalImage);
    sign(eval, "label", DType::I32, {shape.evalBatch}, evalLabel);
    sign(eval, "weight", DType::F32, {shape.evalBatch}, weight);
    Forward f = addForward(eval.code, evalImage, shape.evalBatch);
    launch(eval.code, "measure", {false, false, false, false, true, true}, 1, shape.evalBatch,
           {all(f.logits), part(params, secondBias, shape.classes), all(evalLabel), all(weight),
            all(sums), all(count)});
    plan::ProgramT &end = made.addProgram("eval_end");
    launch(end.code, "finish_metrics", {false, false, true, true}, 1, 1,
           {all(sums), all(count), all(metricLoss), all(metricAccuracy)});
  }

  void sign(plan::ProgramT &program, const std::string &name, DType dtype,
            std::vector<int64_t> dims, uint32_t buffer) {
    auto field = std::make_unique<plan::FieldT>();
    field->name = name;
    field->dtype = dtype;
    field->shape = std::move(dims);
    field->buffer = buffer;
    program.signature.push_back(std::move(field));
  }

  void addState() {
    auto entry = [&](const std::string &name, plan::Role role, DType dtype,
                     std::vector<int64_t> dims, uint32_t buffer, int64_t first) {
      auto state = std::make_unique<plan::StateEntryT>();
      state->name = name;
      state->role = role;
      state->dtype = dtype;
      state->shape = std::move(dims);
      state->buffer = buffer;
      state->offset = uint64_t(first) * 4;
      made.plan.state.push_back(std::move(state));
    };
    for (auto [prefix, buffer, role] :
         {std::tuple<std::string, uint32_t, plan::Role>{"", params, plan::Role::Param},
          {"m.", m, plan::Role::Moment},
          {"v.", v, plan::Role::Moment}}) {
      entry(prefix + "hidden.weight", role, DType::F32, {inputs, shape.hidden}, buffer, 0);
      entry(prefix + "hidden.bias", role, DType::F32, {shape.hidden}, buffer, firstBias);
      entry(prefix + "out.weight", role, DType::F32, {shape.hidden, shape.classes}, buffer,
            secondWeight);
      entry(prefix + "out.bias", role, DType::F32, {shape.classes}, buffer, secondBias);
    }
    for (auto [name, buffer] : {std::pair<std::string, uint32_t>{"state.attempt", attempt},
                                {"state.step", step},
                                {"state.skipped", skipped},
                                {"state.seed", seed}})
      entry(name, plan::Role::Scalar, DType::I64, {}, buffer, 0);
  }

  MlpShape shape;
  HandMadePlan made;
  uint16_t staging;
  int64_t inputs, firstBias, secondWeight, secondBias, flat; // in elements
  uint32_t params, grads, m, v, attempt, step, skipped, ok, seed, lossSum, reportLoss, reportNorm;
  uint32_t batchSize, lr, batchOption, image, label, evalImage, evalLabel, weight, sums, count;
  uint32_t metricLoss, metricAccuracy;
};

std::unique_ptr<plan::QuantityT> quantity(double value, plan::Unit unit) {
  auto made = std::make_unique<plan::QuantityT>();
  made->value = value;
  made->unit = unit;
  return made;
}

void addOption(plan::PlanT &plan, const std::string &name, const std::string &doc, DType dtype,
               double value, const std::string &bufferName) {
  auto option = std::make_unique<plan::OptionT>();
  option->name = name;
  option->doc = doc;
  option->dtype = dtype;
  option->value = value;
  for (size_t i = 0; i < plan.buffers.size(); ++i) {
    if (!bufferName.empty() && plan.buffers[i]->name == bufferName) option->buffer = int32_t(i);
  }
  option->run_time = !bufferName.empty();
  plan.options.push_back(std::move(option));
}

void addRecipe(plan::PlanT &plan, const MlpShape &shape, const std::string &dataPath,
               const std::string &folder) {
  plan.recipe = std::make_unique<plan::RecipeT>();
  plan::RecipeT &recipe = *plan.recipe;
  recipe.name = "hand_made_mlp";
  recipe.batch = uint32_t(shape.micro);
  recipe.micro = uint32_t(shape.micro);
  recipe.batch_option = 1;
  recipe.eval_batch = uint32_t(shape.evalBatch);
  recipe.duration = quantity(1, plan::Unit::Epochs);
  recipe.checkpoint_keep = 3;
  recipe.checkpoint_to = folder;
  recipe.seed = 1;
  recipe.skip_limit = 3;
  recipe.loss_terms = {"loss"};
  recipe.metrics = {"loss", "accuracy"};
  recipe.data = std::make_unique<plan::DataSourceT>();
  recipe.data->name = "images";
  recipe.data->kind = "idx";
  recipe.data->path = dataPath;
  recipe.data->classes = shape.classes;
  for (auto [name, dtype, dims] : {std::tuple<std::string, DType, std::vector<int64_t>>{
                                       "image", DType::U8, {shape.side, shape.side}},
                                   {"label", DType::I32, {}}}) {
    auto field = std::make_unique<plan::FieldT>();
    field->name = name;
    field->dtype = dtype;
    field->shape = dims;
    recipe.data->fields.push_back(std::move(field));
  }
  addOption(plan, "lr", "learning rate", DType::F32, 1e-3, "option.lr");
  addOption(plan, "batch_size", "samples a step", DType::I64, double(shape.micro),
            "option.batch_size");
  addOption(plan, "hidden", "width of the hidden layer", DType::I64, double(shape.hidden), "");
}

std::unique_ptr<plan::StageT> stage(plan::PlanT &plan, const std::string &symbol, int64_t threads,
                                    std::vector<int64_t> numbers) {
  auto made = std::make_unique<plan::StageT>();
  size_t id = 0;
  while (id < plan.functions.size() && plan.functions[id]->symbol != symbol)
    ++id;
  if (id == plan.functions.size()) {
    plan.functions.push_back(std::make_unique<plan::FunctionT>());
    plan.functions[id]->symbol = symbol;
    plan.functions[id]->block = MlpBlock;
  }
  made->function = uint32_t(id);
  made->grid = uint32_t((threads + MlpBlock - 1) / MlpBlock);
  made->numbers = std::move(numbers);
  made->scratch_bytes = 64;
  return made;
}

void addStages(plan::PlanT &plan, HandMadePlan::Code &code) {
  for (const auto &instruction : code) {
    if (plan::LaunchT *launch = instruction->action.AsLaunch()) {
      const std::string &symbol = plan.kernels[launch->kernel]->symbol;
      launch->stages.push_back(stage(plan, symbol, launch->items, {launch->extent, launch->items}));
      for (size_t i = 0; i < launch->args.size(); ++i)
        (plan.kernels[launch->kernel]->writes[i] ? launch->bytes_written : launch->bytes_read) +=
            launch->arg_bytes[i];
    } else if (plan::LibraryT *library = instruction->action.AsLibrary()) {
      const std::vector<int64_t> &d = library->descriptor;
      library->stages.push_back(
          stage(plan, "contract", d[0] * d[1], {d[0], d[1], d[2], d[3], d[4], d[6]}));
    } else if (plan::LoopT *loop = instruction->action.AsLoop()) {
      addStages(plan, loop->code);
    }
  }
}

} // namespace

void turnIntoDevicePlan(HandMadePlan &made) {
  made.plan.target = "cuda";
  for (const auto &program : made.plan.programs)
    addStages(made.plan, program->code);
}

HandMadePlan makeMlpPlan(const MlpShape &shape, const std::string &dataPath,
                         const std::string &folder, int64_t trainCount, int64_t validationCount,
                         int64_t testCount) {
  HandMadePlan made = MlpBuilder(shape).build();
  addRecipe(made.plan, shape, dataPath, folder);
  made.plan.build = "by hand";
  made.plan.cpu = "x86-64";
  made.plan.source_hash = {0xD1, 0x11};
  made.plan.recipe->data->train_count = trainCount;
  made.plan.recipe->data->validation_count = validationCount;
  made.plan.recipe->data->test_count = testCount;
  return made;
}

} // namespace dlm::test

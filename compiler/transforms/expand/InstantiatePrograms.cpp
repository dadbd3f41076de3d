// From the declaration to functions. Each region of `train.run` is copied into the program that
// computes it, and on the way every op that only a declaration has is replaced:
//
//   a leaf                 the argument that is read from its buffer
//   train.parameter        a segment of `params`
//   train.batch_squares    evaluation: stays
//   train.batch_reduce     training: a plain reduction over the micro-batch, whose sum over the
//                          micro-batches `grad` accumulates; evaluation: stays
//   train.sample_count     training: `batch.size`; evaluation: stays
//   train.share            training: x * rows / batch.size; evaluation: x
//   train.gradient         the content of `grads`, shortened to `clip_norm`
//   train.next             a result of `grad`, which `update` makes the content of the buffer
//   train.ambient "row"    how many samples of the step (`state.row`), or of the evaluation
//                          (`eval.row`), the program has seen before
//
// A sample has buffers of its own, `sample.in.FIELD`, `sample.option.NAME` and so on, of which each
// thread that makes samples has a copy.
//
// What stays in evaluation is split by AccumulateMetrics. O(ops).
#include "compiler/transforms/expand/DeclaredState.h"
#include "compiler/transforms/expand/GradientNorm.h"
#include "compiler/transforms/expand/Passes.h"
#include "compiler/transforms/expand/Program.h"

#include "dialects/dlm/Dlm.h"
#include "dialects/train/Train.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/StringMap.h"

namespace dlm::expand {
#define GEN_PASS_DEF_INSTANTIATEPROGRAMSPASS
#include "compiler/transforms/expand/Passes.h.inc"
} // namespace dlm::expand

namespace dlm::expand {
namespace {

using mlir::RankedTensorType;
using mlir::Value;

struct InstantiatePrograms : impl::InstantiateProgramsPassBase<InstantiatePrograms> {
  void runOnOperation() override;
};

enum class Purpose { Training, Evaluation, Sample };

/// The buffer of a thread that stands for one of the run.
std::string sampleBuffer(llvm::StringRef buffer) {
  if (buffer.consume_front("batch.")) return ("sample.in." + buffer).str();
  buffer.consume_front("state.");
  return ("sample." + buffer).str();
}

/// Copies regions into one program.
class RegionCopy {
public:
  RegionCopy(Program &program, DeclaredState &state, Purpose purpose)
      : program(program), state(state), purpose(purpose) {}

  /// Returns what the region yields, by name.
  std::vector<NamedResult> copy(mlir::Region &region);

  /// What the regions copied so far give buffers as their next values.
  std::vector<NamedResult> nexts;

private:
  Value replacement(mlir::Operation &op, mlir::IRMapping &mapping);
  Value parameter(llvm::StringRef path);
  Value sampleCount(train::SampleCountOp op);
  Value reduction(train::BatchReduceOp op, Value operand);
  Value share(train::ShareOp op, Value operand);

  Program &program;
  DeclaredState &state;
  Purpose purpose;
  llvm::StringMap<Value> parameters;
};

std::vector<NamedResult> RegionCopy::copy(mlir::Region &region) {
  mlir::IRMapping mapping;
  for (mlir::Operation &op : region.front().without_terminator()) {
    if (auto next = mlir::dyn_cast<train::NextOp>(op))
      nexts.emplace_back(DeclaredState::nextBuffer(next), mapping.lookup(next.getValue()));
    else if (Value value = replacement(op, mapping))
      mapping.map(op.getResult(0), value);
    else
      program.builder().clone(op, mapping);
  }
  std::vector<NamedResult> results;
  auto yield = mlir::cast<train::YieldOp>(region.front().getTerminator());
  for (auto [name, value] : llvm::zip_equal(yield.getNames(), yield.getValues()))
    results.emplace_back(mlir::cast<mlir::StringAttr>(name).str(), mapping.lookup(value));
  return results;
}

/// What stands for an op of the declaration, or null for an op that is copied as it is.
Value RegionCopy::replacement(mlir::Operation &op, mlir::IRMapping &mapping) {
  if (auto use = mlir::dyn_cast<train::ParameterOp>(op)) return parameter(use.getName());
  if (auto share = mlir::dyn_cast<train::ShareOp>(op))
    return this->share(share, mapping.lookup(share.getOperand()));
  if (mlir::isa<train::BatchReduceOp, train::SampleCountOp>(op) && purpose == Purpose::Evaluation)
    return {};
  if (auto count = mlir::dyn_cast<train::SampleCountOp>(op)) return sampleCount(count);
  if (auto reduce = mlir::dyn_cast<train::BatchReduceOp>(op))
    return reduction(reduce, mapping.lookup(reduce.getOperand()));
  if (auto leaf = mlir::dyn_cast<train::LeafOpInterface>(op)) {
    std::string buffer = leaf.getBuffer();
    if (purpose == Purpose::Sample) buffer = sampleBuffer(buffer);
    if (purpose == Purpose::Evaluation && buffer == DeclaredState::Row)
      buffer = DeclaredState::EvaluationRow;
    Value value = program.argument(buffer, op.getResult(0).getType());
    std::optional<llvm::APFloat> limit = state.run.getClipNorm();
    bool isShortened = limit && mlir::isa<train::GradientOp>(op);
    return isShortened ? shortened(program.builder(), op.getLoc(), value, limit->convertToFloat())
                       : value;
  }
  return {};
}

Value RegionCopy::parameter(llvm::StringRef path) {
  Value &value = parameters[path];
  if (value) return value;
  size_t index = state.indexOf(path);
  train::ParamOp declared = state.parameters[index];
  Value flat = program.argument("params", state.flatType);
  value = SegmentOp::create(program.builder(), declared.getLoc(), declared.getTensorType(), flat,
                            state.layout.offsets[index]);
  return value;
}

/// The size of the global batch, in the type asked for.
Value RegionCopy::sampleCount(train::SampleCountOp op) {
  auto f32 = RankedTensorType::get({}, program.builder().getF32Type());
  Value size = program.argument(op.getBuffer(), f32);
  if (op.getType() == f32) return size;
  return CastOp::create(program.builder(), op.getLoc(), op.getType(), size);
}

Value RegionCopy::reduction(train::BatchReduceOp op, Value operand) {
  return ReduceOp::create(program.builder(), op.getLoc(), op.getKind(), operand, op.getDims(),
                          TreeAttr());
}

Value RegionCopy::share(train::ShareOp op, Value operand) {
  if (purpose == Purpose::Evaluation) return operand;
  mlir::OpBuilder &build = program.builder();
  auto f32 = RankedTensorType::get({}, build.getF32Type());
  Value rows = ConstantOp::create(build, op.getLoc(), f32, double(program.rows()));
  Value size = program.argument("batch.size", f32);
  Value part = DivOp::create(build, op.getLoc(), rows, size);
  auto type = mlir::cast<RankedTensorType>(op.getType());
  if (type.getRank() > 0)
    part = BroadcastOp::create(build, op.getLoc(), type, part, llvm::ArrayRef<int64_t>{});
  return MulOp::create(build, op.getLoc(), operand, part);
}

/// Makes the programs of a run, of its commands and of its samples.
class Instantiation {
public:
  Instantiation(mlir::ModuleOp module, train::RunOp run, DeclaredState &state)
      : module(module), run(run), state(state) {}

  void writeInit();
  void writeGrad();
  void writeUpdate();
  /// Returns the names of the metrics in the order of the results.
  std::vector<std::string> writeEval();
  void writeCommand(train::CommandOp command);
  void writeSample(train::SampleOp sample);

private:
  Value constant(Program &program, RankedTensorType type, double number) {
    return ConstantOp::create(program.builder(), run.getLoc(), type, number);
  }
  Value initialParameters(Program &program);
  void addInitialBuffers(Program &program, std::vector<NamedResult> &results);

  mlir::ModuleOp module;
  train::RunOp run;
  DeclaredState &state;
};

Value Instantiation::initialParameters(Program &program) {
  RegionCopy copy(program, state, Purpose::Training);
  llvm::SmallVector<Value> parts;
  for (train::ParamOp param : state.parameters)
    parts.push_back(copy.copy(param.getInit()).front().second);
  if (parts.empty()) return constant(program, state.flatType, 0.0);
  return PackOp::create(program.builder(), run.getLoc(), state.flatType, parts,
                        state.layout.offsets);
}

/// The buffers, and the places where `grad` leaves their next values.
void Instantiation::addInitialBuffers(Program &program, std::vector<NamedResult> &results) {
  RegionCopy copy(program, state, Purpose::Training);
  for (train::BufferOp buffer : state.buffers)
    results.emplace_back("buffer." + buffer.getPath().str(),
                         copy.copy(buffer.getInit()).front().second);
  for (train::NextOp next : state.nexts) {
    auto type = mlir::cast<RankedTensorType>(next.getValue().getType());
    results.emplace_back(DeclaredState::nextBuffer(next),
                         constant(program, type, next.getSums() ? -0.0 : 0.0));
  }
}

void Instantiation::writeInit() {
  Program program = Program::create(module, "init", 0);
  auto f32 = RankedTensorType::get({}, program.builder().getF32Type());
  auto i32 = RankedTensorType::get({}, program.builder().getI32Type());
  auto i64 = RankedTensorType::get({}, program.builder().getI64Type());
  std::vector<NamedResult> results = {{"params", initialParameters(program)}};
  addInitialBuffers(program, results);
  for (train::MomentOp moment : state.moments)
    results.emplace_back("opt." + moment.getName().str(),
                         constant(program, state.flatType, moment.getStart().convertToDouble()));
  results.emplace_back("grads", constant(program, state.flatType, -0.0));
  for (const std::string &term : state.terms)
    results.emplace_back("loss." + term, constant(program, f32, -0.0));
  for (const std::string &name : state.publishedTerms())
    results.emplace_back("report." + name, constant(program, f32, 0.0));
  results.emplace_back("report.grad_norm", constant(program, f32, 0.0));
  if (state.hasRate()) results.emplace_back(DeclaredState::Rate, constant(program, f32, 0.0));
  for (const char *counter : {"state.attempt", "state.step", "state.skipped"})
    results.emplace_back(counter, constant(program, i64, 0));
  if (state.countsRows()) results.emplace_back(DeclaredState::Row, constant(program, i64, 0));
  results.emplace_back("state.ok", constant(program, i32, 1));
  program.setResults(results);
}

void Instantiation::writeGrad() {
  Program program = Program::create(module, "grad", run.getRows());
  RegionCopy copy(program, state, Purpose::Training);
  std::vector<NamedResult> results = copy.copy(run.getLoss());
  for (NamedResult &result : results)
    result.first = "loss." + result.first;
  llvm::append_range(results, copy.nexts);
  auto i64 = RankedTensorType::get({}, program.builder().getI64Type());
  if (state.countsRows())
    results.emplace_back(DeclaredState::Row, constant(program, i64, double(program.rows())));
  program.setResults(results);
}

void Instantiation::writeUpdate() {
  Program program = Program::create(module, "update", 0);
  std::vector<NamedResult> results = {{"params", Value()}};
  RegionCopy copy(program, state, Purpose::Training);
  for (auto &[name, value] : copy.copy(run.getOptimizer())) {
    if (name == "target")
      results.front().second = value;
    else if (name == DeclaredState::Rate)
      results.emplace_back(name, value);
    else
      results.emplace_back("opt." + name, value);
  }
  for (train::NextOp next : state.nexts)
    results.emplace_back(
        "buffer." + next.getName().str(),
        program.argument(DeclaredState::nextBuffer(next), next.getValue().getType()));
  program.setResults(results);
}

std::vector<std::string> Instantiation::writeEval() {
  Program program = Program::create(module, "eval", run.getEvalRows());
  RegionCopy copy(program, state, Purpose::Evaluation);
  std::vector<NamedResult> results = copy.copy(run.getValidation());
  if (!state.hasTotal()) {
    Value sum;
    for (auto &[name, value] : results)
      sum = sum ? Value(AddOp::create(program.builder(), run.getLoc(), sum, value)) : value;
    results.insert(results.begin(), {"loss", sum});
  }
  for (NamedResult &metric : copy.copy(run.getMetrics()))
    if (llvm::none_of(results, [&](auto &known) { return known.first == metric.first; }))
      results.push_back(metric);
  std::vector<std::string> names;
  for (NamedResult &result : results) {
    names.push_back(result.first);
    result.first = "metric." + result.first;
  }
  program.setResults(results);
  return names;
}

/// Truth is given as a number: buffers hold no bits.
void Instantiation::writeCommand(train::CommandOp command) {
  std::string name = command.getName().str();
  Program program = Program::create(module, command.getProgram(), int64_t(command.getRows()));
  std::vector<NamedResult> results =
      RegionCopy(program, state, Purpose::Evaluation).copy(command.getBody());
  for (auto &[result, value] : results) {
    result = "command." + name + "." + result;
    auto type = mlir::cast<RankedTensorType>(value.getType());
    if (!type.getElementType().isInteger(1)) continue;
    auto numbers = RankedTensorType::get(type.getShape(), program.builder().getI32Type());
    value = CastOp::create(program.builder(), command.getLoc(), numbers, value);
  }
  program.setResults(results);
}

void Instantiation::writeSample(train::SampleOp sample) {
  Program program = Program::create(module, "sample_" + sample.getName().str(), 0);
  program.function()->setAttr("dlm.per_thread", mlir::UnitAttr::get(module.getContext()));
  std::vector<NamedResult> results =
      RegionCopy(program, state, Purpose::Sample).copy(sample.getBody());
  for (NamedResult &result : results)
    result.first = "sample.out." + result.first;
  program.setResults(results);
}

void InstantiatePrograms::runOnOperation() {
  mlir::ModuleOp module = getOperation();
  auto runs = llvm::to_vector(module.getOps<train::RunOp>());
  if (runs.size() != 1) {
    module.emitError("expects one train.run, has ") << runs.size();
    return signalPassFailure();
  }
  train::RunOp run = runs.front();
  DeclaredState state(run);
  if (failed(state.verify())) return signalPassFailure();
  Instantiation programs(module, run, state);
  programs.writeInit();
  programs.writeGrad();
  programs.writeUpdate();
  std::vector<std::string> metrics = programs.writeEval();
  auto commands = llvm::to_vector(module.getOps<train::CommandOp>());
  for (train::CommandOp command : commands) {
    programs.writeCommand(command);
    command.erase();
  }
  for (train::SampleOp sample : llvm::make_early_inc_range(module.getOps<train::SampleOp>())) {
    programs.writeSample(sample);
    sample.erase();
  }
  state.describe(module, metrics);
  run.erase();
}

} // namespace
} // namespace dlm::expand

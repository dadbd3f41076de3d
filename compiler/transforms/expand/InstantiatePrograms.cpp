// From the declaration to functions. Each region of `train.run` is copied into the program that
// computes it (see RegionCopy.h), and the rules of the optimizer into `init` and `update`
// (Rules.h). What stays in evaluation is split by AccumulateMetrics. O(ops).
#include "compiler/transforms/expand/DeclaredState.h"
#include "compiler/transforms/expand/Passes.h"
#include "compiler/transforms/expand/RegionCopy.h"
#include "compiler/transforms/expand/Rules.h"

#include "dialects/dlm/Dlm.h"
#include "dialects/train/Train.h"

#include "llvm/ADT/StringSet.h"

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

mlir::Type elementTypeOf(Value value) {
  return mlir::cast<RankedTensorType>(value.getType()).getElementType();
}

/// Makes the programs of a run, of its commands and of its samples.
class Instantiation {
public:
  Instantiation(mlir::ModuleOp module, train::RunOp run, DeclaredState &state)
      : module(module), run(run), state(state) {}

  void writeInit();
  void writeGrad(size_t number);
  void writeUpdate(size_t number);
  void writeEndOfStep();
  /// Returns the names of the metrics in the order of the results.
  std::vector<std::string> writeEval();
  void writeCommand(train::CommandOp command);
  void writeSample(train::SampleOp sample);

private:
  Value constant(Program &program, RankedTensorType type, double number) {
    return ConstantOp::create(program.builder(), run.getLoc(), type, number);
  }
  void countPredicted(Program &program, std::vector<NamedResult> &results);
  void addInitialBuffers(Program &program, std::vector<NamedResult> &results);
  void addInitialReports(Program &program, std::vector<NamedResult> &results);
  void addGiven(Program &program, const DeclaredUpdate &update, std::vector<NamedResult> &results);
  Value meanOfGiven(Program &program, train::NextOp next);

  mlir::ModuleOp module;
  train::RunOp run;
  DeclaredState &state;
};

/// The buffers, and the places where `grad` leaves their next values.
void Instantiation::addInitialBuffers(Program &program, std::vector<NamedResult> &results) {
  RegionCopy copy(program, state, Purpose::Training);
  for (train::BufferOp buffer : state.buffers)
    results.emplace_back("buffer." + buffer.getPath().str(),
                         copy.copy(buffer.getInit()).front().second);
  llvm::StringSet<> known; // several updates may give the same
  auto add = [&](const std::string &name, RankedTensorType type, double number) {
    if (known.insert(name).second) results.emplace_back(name, constant(program, type, number));
  };
  auto f32 = RankedTensorType::get({}, program.builder().getF32Type());
  for (train::NextOp next : state.nexts) {
    auto type = mlir::cast<RankedTensorType>(next.getValue().getType());
    add(DeclaredState::nextBuffer(next), type, next.getSums() ? -0.0 : 0.0);
    if (!state.hasSeveralUpdates()) continue;
    add(DeclaredState::sumBuffer(next.getName()), type, type.getElementType().isF32() ? -0.0 : 0.0);
    add(DeclaredState::countBuffer(next.getName()), f32, 0.0);
  }
}

/// What a step says of itself beside its terms, of each update.
void Instantiation::addInitialReports(Program &program, std::vector<NamedResult> &results) {
  auto f32 = RankedTensorType::get({}, program.builder().getF32Type());
  for (const std::string &name : state.publishedTerms())
    results.emplace_back("report." + name, constant(program, f32, 0.0));
  for (size_t i = 0; i < state.updates.size(); ++i) {
    results.emplace_back(state.updates[i].report("grad_norm"), constant(program, f32, 0.0));
    if (state.hasRate(i))
      results.emplace_back(state.updates[i].report("lr"), constant(program, f32, 0.0));
  }
}

void Instantiation::writeInit() {
  Program program = Program::create(module, "init", 0);
  auto f32 = RankedTensorType::get({}, program.builder().getF32Type());
  auto i32 = RankedTensorType::get({}, program.builder().getI32Type());
  auto i64 = RankedTensorType::get({}, program.builder().getI64Type());
  std::vector<NamedResult> results = initialParameters(program, state);
  addInitialBuffers(program, results);
  for (const ParameterGroup &group : state.groups)
    if (group.update)
      results.emplace_back(group.buffer("grads"), constant(program, group.flatType, -0.0));
  for (const std::string &term : state.terms)
    results.emplace_back("loss." + term, constant(program, f32, -0.0));
  addInitialReports(program, results);
  for (const char *counter : {"state.attempt", "state.step", "state.skipped"})
    results.emplace_back(counter, constant(program, i64, 0));
  if (state.countsRows()) results.emplace_back(DeclaredState::Row, constant(program, i64, 0));
  if (state.hasSeveralUpdates()) {
    results.emplace_back(DeclaredState::Updates, constant(program, i64, 0));
    results.emplace_back(DeclaredState::Sound, constant(program, i32, 1));
    for (const DeclaredUpdate &update : state.updates) {
      results.emplace_back(update.made(), constant(program, i64, 0));
      results.emplace_back(update.told(), constant(program, i32, 0));
    }
  }
  results.emplace_back("state.ok", constant(program, i32, 1));
  results.emplace_back("state.seed", program.argument("state.seed", i64)); // kept, used or not
  program.setResults(results);
}

/// Of several updates each has a program of its terms, which changes its parameters only.
void Instantiation::writeGrad(size_t number) {
  const DeclaredUpdate &update = state.updates[number];
  Program program = Program::create(module, update.program("grad"), run.getRows());
  RegionCopy copy(program, state, Purpose::Training);
  copy.update = update.name;
  std::vector<NamedResult> results = copy.copy(run.getLoss());
  llvm::erase_if(results, [&](const NamedResult &result) { return !update.has(result.first); });
  for (NamedResult &result : results)
    result.first = "loss." + result.first;
  llvm::append_range(results, copy.nexts);
  auto i64 = RankedTensorType::get({}, program.builder().getI64Type());
  if (state.countsRows())
    results.emplace_back(DeclaredState::Row, constant(program, i64, double(program.rows())));
  program.setResults(results);
  if (!state.hasSeveralUpdates()) return;
  llvm::SmallVector<mlir::Attribute> trained;
  for (const ParameterGroup &group : state.groups)
    if (group.update && group.ofUpdate == number)
      trained.push_back(program.builder().getStringAttr(group.buffer("params")));
  program.function()->setAttr("dlm.trained", program.builder().getArrayAttr(trained));
  program.dropUnusedOps();
  program.dropUnusedArguments();
}

/// Adds what an update gave buffers to what those before it in the step gave.
void Instantiation::addGiven(Program &program, const DeclaredUpdate &update,
                             std::vector<NamedResult> &results) {
  auto f32 = RankedTensorType::get({}, program.builder().getF32Type());
  auto add = [&](const std::string &name, RankedTensorType type, Value more) {
    Value old = program.argument(name, type);
    results.emplace_back(name, AddOp::create(program.builder(), run.getLoc(), old, more));
  };
  for (train::NextOp next : state.nexts) {
    if (next.getUpdate().value_or("") != update.name) continue;
    auto type = mlir::cast<RankedTensorType>(next.getValue().getType());
    add(DeclaredState::sumBuffer(next.getName()), type,
        program.argument(DeclaredState::nextBuffer(next), type));
    add(DeclaredState::countBuffer(next.getName()), f32,
        constant(program, f32, double(next.getCalls().value_or(1))));
  }
}

/// A buffer after a step of several updates: the mean of what they gave it, or as it was. What is
/// no f32 is given one value.
Value Instantiation::meanOfGiven(Program &program, train::NextOp next) {
  mlir::OpBuilder &build = program.builder();
  mlir::Location loc = next.getLoc();
  auto type = mlir::cast<RankedTensorType>(next.getValue().getType());
  auto stretched = [&](Value value) -> Value {
    if (type.getRank() == 0) return value;
    return BroadcastOp::create(build, loc, withElementType(type, elementTypeOf(value)), value,
                               llvm::ArrayRef<int64_t>{});
  };
  llvm::StringRef path = next.getName();
  auto f32 = RankedTensorType::get({}, build.getF32Type());
  Value old = program.argument(("buffer." + path).str(), type);
  Value now = program.argument(DeclaredState::sumBuffer(path), type);
  Value count = program.argument(DeclaredState::countBuffer(path), f32);
  Value any = CompareOp::create(build, loc, CompareKind::Ne, count, constant(program, f32, 0.0));
  if (type.getElementType().isF32()) now = DivOp::create(build, loc, now, stretched(count));
  return SelectOp::create(build, loc, stretched(any), now, old);
}

void Instantiation::writeUpdate(size_t number) {
  Program program = Program::create(module, state.updates[number].program("update"), 0);
  std::vector<NamedResult> results = updatedParameters(program, state, number);
  if (state.hasSeveralUpdates()) {
    addGiven(program, state.updates[number], results);
    return program.setResults(results);
  }
  for (train::NextOp next : state.nexts)
    results.emplace_back(
        "buffer." + next.getName().str(),
        program.argument(DeclaredState::nextBuffer(next), next.getValue().getType()));
  llvm::append_range(results, updatedAverages(program, state, results));
  program.setResults(results);
}

/// Of several updates: what follows the last of them.
void Instantiation::writeEndOfStep() {
  Program program = Program::create(module, "update", 0);
  std::vector<NamedResult> results;
  llvm::StringSet<> known;
  for (train::NextOp next : state.nexts)
    if (known.insert(next.getName()).second)
      results.emplace_back(("buffer." + next.getName()).str(), meanOfGiven(program, next));
  llvm::append_range(results, updatedAverages(program, state, results));
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
  countPredicted(program, results);
  program.setResults(results);
}

/// If `predict` asks for the numbers of rows, it counts them where `eval` does, and
/// `predict_begin` sets that to 0.
void Instantiation::countPredicted(Program &program, std::vector<NamedResult> &results) {
  const char *buffer = DeclaredState::EvaluationRow;
  Value row = program.findArgument(buffer);
  if (!row) return;
  auto i64 = RankedTensorType::get({}, program.builder().getI64Type());
  Value rows = constant(program, i64, double(program.rows()));
  results.emplace_back(buffer, AddOp::create(program.builder(), run.getLoc(), row, rows));
  Program begin = Program::create(module, "predict_begin", 0);
  begin.setResults({{buffer, constant(begin, i64, 0)}});
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
  Instantiation programs(module, run, state);
  programs.writeInit();
  for (size_t number = 0; number < state.updates.size(); ++number) {
    programs.writeGrad(number);
    programs.writeUpdate(number);
  }
  if (state.hasSeveralUpdates()) programs.writeEndOfStep();
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

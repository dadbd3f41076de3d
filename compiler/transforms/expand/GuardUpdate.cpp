// A step that would write NaN is not taken. `grad` has run, its batches are consumed, so `attempt`
// advances whatever happens; `step`, the parameters, the moments and the buffers move only if the
// norm of the gradient and every loss term are finite (x - x == 0 tells a finite x from infinities
// and NaN).
// That choice is a select in device memory: the driver never has to look before it goes on.
#include "compiler/transforms/expand/DeclaredState.h"
#include "compiler/transforms/expand/GradientNorm.h"
#include "compiler/transforms/expand/Passes.h"
#include "compiler/transforms/expand/Program.h"

#include "dialects/dlm/Dlm.h"

namespace dlm::expand {
#define GEN_PASS_DEF_GUARDUPDATEPASS
#include "compiler/transforms/expand/Passes.h.inc"
} // namespace dlm::expand

namespace dlm::expand {
namespace {

using mlir::RankedTensorType;
using mlir::Value;

struct GuardUpdate : impl::GuardUpdatePassBase<GuardUpdate> {
  void runOnOperation() override;
};

/// `grads`, or that of another rule: `grads.2`.
bool isGradient(llvm::StringRef buffer) {
  return buffer.consume_front("grads") && (buffer.empty() || buffer.starts_with("."));
}

/// Writes one `update`.
class GuardedUpdate {
public:
  GuardedUpdate(mlir::func::FuncOp function, std::vector<std::string> terms, bool countsRows)
      : program(function), terms(std::move(terms)), countsRows(countsRows), loc(function.getLoc()),
        f32(RankedTensorType::get({}, program.builder().getF32Type())),
        i32(RankedTensorType::get({}, program.builder().getI32Type())),
        i64(RankedTensorType::get({}, program.builder().getI64Type())) {}

  void write();
  /// One of several updates: what it was is counted at the end of the step.
  void writePart();
  /// The end of a step of several updates, each of which is taken or not by itself.
  void writeEnd(llvm::ArrayRef<DeclaredUpdate> updates);

private:
  mlir::OpBuilder &at() { return program.builder(); }
  Value constant(RankedTensorType type, double number) {
    return ConstantOp::create(at(), loc, type, number);
  }
  Value lossTerm(const std::string &term) { return program.argument("loss." + term, f32); }
  Value guard();
  Value isFinite(Value scalar);
  Value choose(Value isOk, Value taken, Value old);
  Value chooseParts(Value isOk, PackOp taken, Value old);
  void guardResults(Value isOk);
  Value sumOf(llvm::StringRef buffer);
  void count(Value isOk);
  DeclaredUpdate part();
  void report(const std::string &buffer, Value value);
  void publish();
  void reset();

  Program program;
  std::vector<std::string> terms;
  bool countsRows;
  mlir::Location loc;
  RankedTensorType f32, i32, i64;
  llvm::SmallVector<Value> gradients;
  Value norm;
  std::vector<NamedResult> written;
};

void GuardedUpdate::write() {
  Value isOk = guard();
  count(isOk);
  publish();
  reset();
  program.setResults(written);
}

void GuardedUpdate::writePart() {
  Value isOk = guard();
  Value sound = program.argument(DeclaredState::Sound, i32), none = constant(i32, 0);
  written.emplace_back(DeclaredState::Sound, choose(isOk, sound, none));
  Value one = constant(i64, 1), performed = program.argument(DeclaredState::Updates, i64);
  written.emplace_back(DeclaredState::Updates, AddOp::create(at(), loc, performed, one));
  DeclaredUpdate update = part();
  Value made = program.argument(update.made(), i64), next = AddOp::create(at(), loc, made, one);
  written.emplace_back(update.made(), choose(isOk, next, made));
  publish();
  Value told = program.argument(update.told(), i32), yes = constant(i32, 1);
  written.emplace_back(update.told(), choose(isOk, told, yes));
  reset();
  program.setResults(written);
}

void GuardedUpdate::writeEnd(llvm::ArrayRef<DeclaredUpdate> updates) {
  Value sound = program.argument(DeclaredState::Sound, i32);
  Value isOk = CompareOp::create(at(), loc, CompareKind::Ne, sound, constant(i32, 0));
  guardResults(isOk);
  count(isOk);
  written.emplace_back(DeclaredState::Sound, constant(i32, 1));
  for (const DeclaredUpdate &update : updates)
    written.emplace_back(update.told(), constant(i32, 0));
  Value sum;
  for (const std::string &term : terms) {
    Value loss = program.argument("report." + term, f32);
    sum = sum ? Value(AddOp::create(at(), loc, sum, loss)) : loss;
  }
  written.emplace_back("report.loss", sum);
  for (mlir::BlockArgument argument : program.function().getArguments()) {
    llvm::StringRef buffer = program.bufferOf(argument);
    if (!buffer.starts_with("sum.") && !buffer.starts_with("count.")) continue;
    auto type = mlir::cast<RankedTensorType>(argument.getType());
    bool adds = buffer.starts_with("sum.") && type.getElementType().isF32();
    written.emplace_back(buffer.str(), constant(type, adds ? -0.0 : 0.0));
  }
  program.setResults(written);
}

/// Chooses what the update writes by whether its numbers are finite, and returns that.
Value GuardedUpdate::guard() {
  for (mlir::BlockArgument argument : program.function().getArguments())
    if (isGradient(program.bufferOf(argument))) gradients.push_back(argument);
  norm = gradientNorm(at(), loc, gradients);
  Value isOk = isFinite(norm);
  for (const std::string &term : terms)
    isOk = AndOp::create(at(), loc, isOk, isFinite(lossTerm(term)));
  guardResults(isOk);
  return isOk;
}

Value GuardedUpdate::isFinite(Value scalar) {
  Value difference = SubOp::create(at(), loc, scalar, scalar);
  return CompareOp::create(at(), loc, CompareKind::Eq, difference, constant(f32, 0.0));
}

/// `taken` if the scalar flag holds, else `old`.
Value GuardedUpdate::choose(Value isOk, Value taken, Value old) {
  auto type = mlir::cast<RankedTensorType>(taken.getType());
  if (type.getRank() > 0)
    isOk = BroadcastOp::create(at(), loc, withElementType(type, at().getI1Type()), isOk,
                               llvm::ArrayRef<int64_t>{});
  return SelectOp::create(at(), loc, isOk, taken, old);
}

/// Part by part, so that the choice can join the kernel that computes the part. Gaps need none:
/// they are zero before and after.
Value GuardedUpdate::chooseParts(Value isOk, PackOp taken, Value old) {
  llvm::SmallVector<Value> parts;
  for (auto [part, offset] : llvm::zip_equal(taken.getParts(), taken.getOffsets())) {
    Value before = SegmentOp::create(at(), loc, part.getType(), old, offset);
    parts.push_back(choose(isOk, part, before));
  }
  return PackOp::create(at(), loc, taken.getType(), parts, taken.getOffsets());
}

/// What the updates of a step gave a buffer, at its end; null of other buffers.
Value GuardedUpdate::sumOf(llvm::StringRef buffer) {
  if (!buffer.consume_front("buffer.")) return {};
  return program.findArgument(DeclaredState::sumBuffer(buffer));
}

/// What is reported, such as the rate, is told of a step that is not taken, too. What several
/// updates gave a buffer is of those that were taken, whatever became of the others.
void GuardedUpdate::guardResults(Value isOk) {
  for (const auto &[buffer, value] : program.results()) {
    if (llvm::StringRef(buffer).starts_with("report.") || sumOf(buffer)) {
      written.emplace_back(buffer, value);
      continue;
    }
    Value old = program.argument(buffer, value.getType());
    auto pack = value.getDefiningOp<PackOp>();
    written.emplace_back(buffer, pack ? chooseParts(isOk, pack, old) : choose(isOk, value, old));
  }
}

void GuardedUpdate::count(Value isOk) {
  Value one = constant(i64, 1);
  auto advanced = [&](llvm::StringRef buffer, Value &old) {
    old = program.argument(buffer, i64);
    return Value(AddOp::create(at(), loc, old, one));
  };
  Value attempt, step, skipped;
  written.emplace_back("state.attempt", advanced("state.attempt", attempt));
  Value nextStep = advanced("state.step", step);
  written.emplace_back("state.step", choose(isOk, nextStep, step));
  Value nextSkipped = advanced("state.skipped", skipped);
  written.emplace_back("state.skipped", choose(isOk, skipped, nextSkipped));
  Value flag = CastOp::create(at(), loc, i32, isOk);
  written.emplace_back("state.ok", flag);
}

/// The one of several updates whose program it is; without a name if a step is just one.
DeclaredUpdate GuardedUpdate::part() {
  DeclaredUpdate update;
  llvm::StringRef kind = Program::kind(program.function());
  if (kind.consume_front("update_")) update.name = kind.str();
  return update;
}

/// The terms as accumulated, their sum under the name `loss` if it is not one of them, the norm.
void GuardedUpdate::publish() {
  Value sum;
  for (const std::string &term : terms) {
    Value loss = lossTerm(term);
    sum = sum ? Value(AddOp::create(at(), loc, sum, loss)) : loss;
    report("report." + term, loss);
  }
  DeclaredUpdate update = part();
  if (sum && update.name.empty() && !llvm::is_contained(terms, "loss"))
    written.emplace_back("report.loss", sum);
  report(update.report("grad_norm"), norm);
}

/// Of several repetitions that are told of the last is, or the first whose numbers are not finite.
void GuardedUpdate::report(const std::string &buffer, Value value) {
  DeclaredUpdate update = part();
  if (!update.name.empty()) {
    Value told = program.argument(update.told(), i32), none = constant(i32, 0);
    Value isTold = CompareOp::create(at(), loc, CompareKind::Ne, told, none);
    value = choose(isTold, program.argument(buffer, f32), value);
  }
  written.emplace_back(buffer, value);
}

void GuardedUpdate::reset() {
  for (Value gradient : gradients)
    written.emplace_back(program.bufferOf(mlir::cast<mlir::BlockArgument>(gradient)).str(),
                         constant(mlir::cast<RankedTensorType>(gradient.getType()), -0.0));
  for (const std::string &term : terms)
    written.emplace_back("loss." + term, constant(f32, -0.0));
  if (countsRows) written.emplace_back(DeclaredState::Row, constant(i64, 0));
  for (mlir::BlockArgument argument : program.function().getArguments()) {
    llvm::StringRef buffer = program.bufferOf(argument);
    if (buffer.starts_with("next."))
      written.emplace_back(buffer.str(),
                           constant(mlir::cast<RankedTensorType>(argument.getType()), -0.0));
  }
}

/// The results of `grad` that go to `loss.*`.
std::vector<std::string> termsOf(mlir::func::FuncOp grad) {
  std::vector<std::string> terms;
  for (const NamedResult &result : Program(grad).results()) {
    llvm::StringRef name = result.first;
    if (name.consume_front("loss.")) terms.push_back(name.str());
  }
  return terms;
}

bool countsRows(mlir::func::FuncOp grad) {
  return bool(Program(grad).findArgument(DeclaredState::Row));
}

void GuardUpdate::runOnOperation() {
  mlir::func::FuncOp update = Program::find(getOperation(), "update");
  if (!update) return;
  if (mlir::func::FuncOp grad = Program::find(getOperation(), "grad"))
    return GuardedUpdate(update, termsOf(grad), countsRows(grad)).write();
  std::vector<std::string> all;
  std::vector<DeclaredUpdate> updates;
  for (auto grad : getOperation().getOps<mlir::func::FuncOp>()) {
    llvm::StringRef name = Program::kind(grad);
    if (!name.consume_front("grad_")) continue;
    mlir::func::FuncOp part = Program::find(getOperation(), ("update_" + name).str());
    std::vector<std::string> terms = termsOf(grad);
    GuardedUpdate(part, terms, countsRows(grad)).writePart();
    llvm::append_range(all, terms);
    updates.push_back({name.str(), std::nullopt});
  }
  if (!all.empty()) GuardedUpdate(update, all, false).writeEnd(updates);
}

} // namespace
} // namespace dlm::expand

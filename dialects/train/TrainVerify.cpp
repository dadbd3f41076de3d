// What holds of every declared run. One function an op; each check carries its label, and the
// test of that label its case (test/dialects/train-invalid.mlir).
#include "dialects/train/FlatLayout.h"
#include "dialects/train/Train.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using mlir::cast;
using mlir::dyn_cast;
using mlir::failure;
using mlir::LogicalResult;
using mlir::RankedTensorType;
using mlir::Region;
using mlir::success;
using mlir::Type;

namespace dlm::train {
namespace {

YieldOp yieldOf(Region &region) {
  if (region.empty() || region.front().empty()) return {};
  return dyn_cast<YieldOp>(region.front().back());
}

bool isF32Scalar(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() == 0 && tensor.getElementType().isF32();
}

/// What `parameters` declares, by name.
struct Declarations {
  llvm::StringMap<Type> parameters, buffers;
  llvm::StringMap<size_t> places; // of the parameters, in their order
};

LogicalResult collectDeclarations(RunOp run, Declarations &declared) {
  for (mlir::Operation &op : run.getParameters().getOps()) {
    bool isNew = true;
    if (auto param = dyn_cast<ParamOp>(op)) {
      isNew = declared.parameters.try_emplace(param.getPath(), param.getType()).second;
      declared.places.try_emplace(param.getPath(), declared.places.size());
    } else if (auto buffer = dyn_cast<BufferOp>(op))
      isNew = declared.buffers.try_emplace(buffer.getPath(), buffer.getType()).second;
    else
      return op.emitOpError("stands in the parameters of a run (run_c2)");
    if (!isNew) return op.emitOpError("is declared twice (run_c2)");
  }
  return success();
}

LogicalResult verifyTerms(RunOp run) {
  for (Region *region : {&run.getLoss(), &run.getValidation(), &run.getMetrics()})
    for (mlir::Value value : yieldOf(*region).getValues())
      if (!isF32Scalar(value.getType()))
        return run.emitOpError("yields ") << value.getType() << ", not an f32 scalar (run_c3)";
  if (yieldOf(run.getLoss()).getNames() != yieldOf(run.getValidation()).getNames())
    return run.emitOpError("loss and validation yield different names (run_c3)");
  return success();
}

LogicalResult verifyUses(RunOp run, const Declarations &declared) {
  auto check = [](mlir::Operation *use, const llvm::StringMap<Type> &known, llvm::StringRef name,
                  Type type, const char *what) {
    auto found = known.find(name);
    if (found != known.end() && found->second == type) return mlir::WalkResult::advance();
    use->emitOpError("names no declared ") << what << " of type " << type << " (run_c4)";
    return mlir::WalkResult::interrupt();
  };
  auto result = run.walk([&](mlir::Operation *op) {
    if (auto use = dyn_cast<ParameterOp>(op))
      return check(op, declared.parameters, use.getName(), use.getType(), "parameter");
    if (auto use = dyn_cast<StoredOp>(op))
      return check(op, declared.buffers, use.getName(), use.getType(), "buffer");
    return mlir::WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Whether a run has an update of this name, or, without a name, is one.
bool hasUpdate(RunOp run, std::optional<llvm::StringRef> name) {
  if (!run.getUpdates() || !name) return !run.getUpdates() && !name;
  return llvm::any_of(run.getUpdates()->getAsRange<mlir::DictionaryAttr>(), [&](auto entry) {
    auto known = entry.template getAs<mlir::StringAttr>("name");
    return known && known.getValue() == *name;
  });
}

LogicalResult verifyNexts(RunOp run, const llvm::StringMap<Type> &buffers) {
  llvm::StringSet<> given;
  auto result = run.walk([&](NextOp next) {
    Type declared = buffers.lookup(next.getName());
    if (next->getParentRegion() != &run.getLoss())
      next.emitOpError("stands outside of the loss (run_c6)");
    else if (declared != next.getValue().getType())
      next.emitOpError("names no declared buffer of type ")
          << next.getValue().getType() << " (run_c6)";
    else if (!hasUpdate(run, next.getUpdate()))
      next.emitOpError("is of no update of the run (run_c6)");
    else if (!given.insert((next.getUpdate().value_or("") + " " + next.getName()).str()).second)
      next.emitOpError("gives a second value (run_c6)");
    else
      return mlir::WalkResult::advance();
    return mlir::WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// Notes which parameters have a rule.
LogicalResult verifyParameters(RuleOp rule, const Declarations &declared,
                               llvm::StringSet<> &changed) {
  Type common;
  size_t next = 0;
  for (llvm::StringRef path : rule.getParameters().getAsValueRange<mlir::StringAttr>()) {
    auto place = declared.places.find(path);
    if (place == declared.places.end() || place->second < next) // rule_c1
      return rule.emitOpError("names \"") << path << "\", which is no next parameter (rule_c1)";
    next = place->second + 1;
    if (!changed.insert(path).second) // run_c5
      return rule.emitOpError("is the second to change \"") << path << "\" (run_c5)";
    Type type = declared.parameters.lookup(path);
    if (rule.getEach() && common && type != common) // rule_c1
      return rule.emitOpError("changes parameters of different types (rule_c1)");
    common = type;
  }
  return success();
}

/// What the rule is written for: the type of each of its parameters, or of all in a row.
Type targetType(RuleOp rule, const Declarations &declared) {
  llvm::SmallVector<int64_t> counts;
  for (llvm::StringRef path : rule.getParameters().getAsValueRange<mlir::StringAttr>()) {
    auto type = cast<RankedTensorType>(declared.parameters.lookup(path));
    if (rule.getEach()) return type;
    counts.push_back(type.getNumElements());
  }
  return RankedTensorType::get({layOutFlat(counts).size},
                               mlir::Float32Type::get(rule.getContext()));
}

LogicalResult verifyUpdate(RuleOp rule, Type target) {
  YieldOp yield = yieldOf(rule.getUpdate());
  if (!yield) return rule.emitOpError("has an update without train.yield (rule_c3)"); // rule_c3
  llvm::StringMap<Type> yielded;
  for (auto [name, value] : llvm::zip(yield.getNames(), yield.getValues()))
    yielded[cast<mlir::StringAttr>(name).getValue()] = value.getType();
  if (yielded.lookup("target") != target) // rule_c3
    return rule.emitOpError("yields no \"target\" of type ") << target << " (rule_c3)";
  for (const auto &name : yielded) {
    bool isMoment = llvm::any_of(rule.getMoments().getOps<MomentOp>(), [&](MomentOp moment) {
      return moment.getName() == name.getKey();
    });
    if (!isMoment && name.getKey() != "target" && !name.getKey().starts_with("report.")) // rule_c3
      return rule.emitOpError("yields \"") << name.getKey() << "\", which is no moment (rule_c3)";
  }
  for (MomentOp moment : rule.getMoments().getOps<MomentOp>()) {
    if (!rule.getEach() && moment.getType() != target) // moment_c2
      return moment.emitOpError("has type ")
             << moment.getType() << ", not " << target << " (moment_c2)";
    if (yielded.lookup(moment.getName()) != moment.getType()) // rule_c3
      return rule.emitOpError("does not yield the moment \"")
             << moment.getName() << "\" of type " << moment.getType() << " (rule_c3)";
  }
  return success();
}

LogicalResult verifyAverage(AverageOp average, const Declarations &declared) {
  Type type = declared.buffers.lookup(average.getPath());
  Type of = declared.parameters.lookup(average.getOf());
  if (!of) of = declared.buffers.lookup(average.getOf());
  if (!type || type != of) // average_c1
    return average.emitOpError("is no buffer of the type of what it averages (average_c1)");
  return success();
}

/// The rules are shared out among the updates.
LogicalResult verifyShares(RunOp run) {
  if (!run.getUpdates()) return success();
  int64_t rules = llvm::range_size(run.getOptimizer().getOps<RuleOp>()), counted = 0;
  mlir::ArrayAttr updates = *run.getUpdates();
  for (mlir::Attribute update : updates)
    if (auto entry = mlir::dyn_cast<mlir::DictionaryAttr>(update))
      if (auto count = entry.getAs<mlir::IntegerAttr>("rules")) counted += count.getInt();
  if (counted != rules || run.getClipNorm())
    return run.emitOpError("has ")
           << rules << " rules, and updates with " << counted << " (run_c7)";
  return success();
}

LogicalResult verifyOptimizer(RunOp run, const Declarations &declared) {
  llvm::StringSet<> changed;
  for (mlir::Operation &op : run.getOptimizer().getOps()) {
    if (auto average = dyn_cast<AverageOp>(op)) {
      if (failed(verifyAverage(average, declared))) return failure();
      continue;
    }
    auto rule = dyn_cast<RuleOp>(op);
    if (!rule) return op.emitOpError("stands in the optimizer of a run (run_c5)"); // run_c5
    if (failed(verifyParameters(rule, declared, changed)) ||
        failed(verifyUpdate(rule, targetType(rule, declared))))
      return failure();
  }
  return success();
}

} // namespace

LogicalResult RunOp::verifyRegions() {
  for (Region *region : {&getLoss(), &getValidation(), &getMetrics()})
    if (!yieldOf(*region)) // run_c1
      return emitOpError("has a region without train.yield (run_c1)");
  Declarations declared;
  if (failed(collectDeclarations(*this, declared))) return failure(); // run_c2
  if (failed(verifyTerms(*this))) return failure();                   // run_c3
  if (failed(verifyUses(*this, declared))) return failure();          // run_c4
  if (failed(verifyOptimizer(*this, declared))) return failure();     // run_c5
  if (failed(verifyShares(*this))) return failure();                  // run_c7
  return verifyNexts(*this, declared.buffers);                        // run_c6
}

LogicalResult RuleOp::verifyRegions() {
  llvm::StringSet<> names;
  for (mlir::Operation &op : getMoments().getOps()) {
    auto moment = dyn_cast<MomentOp>(op);
    if (!moment || !names.insert(moment.getName()).second) // rule_c2
      return op.emitOpError("is no moment of its own name (rule_c2)");
  }
  return success();
}

LogicalResult CommandOp::verifyRegions() {
  if (!yieldOf(getBody())) // command_c1
    return emitOpError("has a body without train.yield (command_c1)");
  return success();
}

LogicalResult SampleOp::verifyRegions() {
  if (!yieldOf(getBody())) // sample_c1
    return emitOpError("has a body without train.yield (sample_c1)");
  return success();
}

LogicalResult ParamOp::verify() {
  auto tensor = dyn_cast<RankedTensorType>(getType());
  if (!tensor || !tensor.hasStaticShape() || !tensor.getElementType().isF32()) // param_c2
    return emitOpError("has type ") << getType() << ", not a static f32 tensor (param_c2)";
  return success();
}

/// Whether the computation of a first value yields one value of the declared type.
static bool yieldsOne(Region &init, Type type) {
  YieldOp yield = yieldOf(init);
  return yield && yield.getValues().size() == 1 && yield.getValues().front().getType() == type;
}

LogicalResult ParamOp::verifyRegions() {
  if (!yieldsOne(getInit(), getType())) // param_c1
    return emitOpError("init does not yield one value of type ") << getType() << " (param_c1)";
  return success();
}

/// Whether a run can store a tensor of this type.
static bool isStorable(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() &&
         (tensor.getElementType().isF32() || tensor.getElementType().isInteger(32) ||
          tensor.getElementType().isInteger(64));
}

LogicalResult BufferOp::verify() {
  if (!isStorable(getType())) // buffer_c2
    return emitOpError("has type ")
           << getType() << ", not a static tensor of f32, i32 or i64 (buffer_c2)";
  return success();
}

LogicalResult BufferOp::verifyRegions() {
  if (!yieldsOne(getInit(), getType())) // buffer_c1
    return emitOpError("init does not yield one value of type ") << getType() << " (buffer_c1)";
  return success();
}

LogicalResult MomentOp::verify() {
  if (!isStorable(getType())) // moment_c2
    return emitOpError("has type ")
           << getType() << ", not a static tensor of f32, i32 or i64 (moment_c2)";
  return success();
}

LogicalResult MomentOp::verifyRegions() {
  if (!yieldsOne(getInit(), getType())) // moment_c1
    return emitOpError("init does not yield one value of type ") << getType() << " (moment_c1)";
  return success();
}

LogicalResult YieldOp::verify() {
  llvm::StringSet<> seen;
  for (mlir::Attribute name : getNames())
    seen.insert(cast<mlir::StringAttr>(name).getValue());
  if (seen.size() != getNames().size() || seen.size() != getValues().size()) // yield_c1
    return emitOpError("has ") << seen.size() << " distinct names and " << getValues().size()
                               << " values (yield_c1)";
  return success();
}

/// A type without some of its dims.
static RankedTensorType withoutDims(RankedTensorType type, llvm::ArrayRef<int64_t> dims) {
  llvm::SmallVector<int64_t> kept;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (!llvm::is_contained(dims, dim)) kept.push_back(type.getDimSize(dim));
  return RankedTensorType::get(kept, type.getElementType());
}

/// Whether dims increase strictly within the rank, from 0 if `hasBatch`.
static bool areOrdered(llvm::ArrayRef<int64_t> dims, int64_t rank, bool hasBatch) {
  bool isOrdered = !dims.empty() && dims.front() >= 0 && (!hasBatch || dims.front() == 0);
  for (size_t i = 1; i < dims.size(); ++i)
    isOrdered &= dims[i - 1] < dims[i];
  return isOrdered && dims.back() < rank;
}

LogicalResult BatchReduceOp::verify() {
  auto from = cast<RankedTensorType>(getOperand().getType());
  auto run = (*this)->getParentOfType<RunOp>();
  bool isTraining = run && (*this)->getParentRegion() == &run.getLoss();
  if (!areOrdered(getDims(), from.getRank(), !isTraining))
    return emitOpError("dims do not increase from 0 within rank ")
           << from.getRank() << " (batch_reduce_c1)";        // batch_reduce_c1
  if (getResult().getType() != withoutDims(from, getDims())) // batch_reduce_c2
    return emitOpError("has type ") << getResult().getType() << ", not the operand's without dims"
                                    << " (batch_reduce_c2)";
  return success();
}

LogicalResult BatchSquaresOp::verify() {
  auto from = cast<RankedTensorType>(getOperand().getType());
  if (!areOrdered(getDims(), from.getRank(), true))
    return emitOpError("dims do not increase from 0 within rank ")
           << from.getRank() << " (batch_squares_c1)"; // batch_squares_c1
  bool fitsMask =
      !getMask() || mlir::cast<RankedTensorType>(getMask().getType()).getShape() == from.getShape();
  if (getResult().getType() != withoutDims(from, getDims()) || !fitsMask) // batch_squares_c2
    return emitOpError("has a result or a mask of another shape than the operand's")
           << " (batch_squares_c2)";
  return success();
}

} // namespace dlm::train

// The checkpoint's list comes from the declaration itself, so nothing that changes can be left out:
// every parameter, every buffer, every moment of every parameter, every counter.
#include "compiler/transforms/expand/DeclaredState.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringSet.h"

namespace dlm::expand {

using mlir::RankedTensorType;

namespace {

/// Lays tensors out in a flat one; without any it has the size of an empty segment.
RankedTensorType layOut(llvm::ArrayRef<RankedTensorType> types, mlir::Type element,
                        train::FlatLayout &layout) {
  llvm::SmallVector<int64_t> counts;
  for (RankedTensorType type : types)
    counts.push_back(type.getNumElements());
  layout = train::layOutFlat(counts);
  return RankedTensorType::get({layout.size}, element);
}

ParameterGroup groupOf(llvm::ArrayRef<train::ParamOp> params, const std::string &suffix,
                       mlir::MLIRContext *context) {
  ParameterGroup group;
  group.suffix = suffix;
  llvm::SmallVector<RankedTensorType> types;
  for (train::ParamOp param : params)
    types.push_back(param.getTensorType());
  group.flatType = layOut(types, mlir::Float32Type::get(context), group.layout);
  for (auto [param, offset] : llvm::zip_equal(params, group.layout.offsets)) {
    train::ParamOp op = param;
    group.parameters.push_back(
        {op.getPath().str(), op.getTensorType(), offset, &op.getInit(), op.getLoc()});
  }
  return group;
}

void addRule(ParameterGroup &group, train::RuleOp rule) {
  group.update = &rule.getUpdate();
  group.isEach = rule.getEach();
  for (train::MomentOp op : rule.getMoments().getOps<train::MomentOp>()) {
    std::string name = op.getName().str();
    Moment moment = {name,
                     "opt" + group.suffix + "." + name,
                     op.getTensorType(),
                     group.layout,
                     group.flatType,
                     &op.getInit()};
    if (group.isEach) {
      llvm::SmallVector<RankedTensorType> types(group.parameters.size(), moment.type);
      moment.flatType = layOut(types, moment.type.getElementType(), moment.layout);
    }
    group.moments.push_back(std::move(moment));
  }
}

/// The updates of a step, and of which of them each rule is.
std::vector<DeclaredUpdate> updatesOf(train::RunOp run, llvm::SmallVector<size_t> &ofRule) {
  std::vector<DeclaredUpdate> updates;
  if (!run.getUpdates()) {
    updates.emplace_back();
    if (run.getClipNorm()) updates[0].clipNorm = run.getClipNorm()->convertToFloat();
    ofRule.assign(llvm::range_size(run.getOptimizer().getOps<train::RuleOp>()), 0);
    return updates;
  }
  for (auto entry : run.getUpdates()->getAsRange<mlir::DictionaryAttr>()) {
    int64_t rules = entry.getAs<mlir::IntegerAttr>("rules").getInt();
    ofRule.append(size_t(rules), updates.size());
    double limit = entry.getAs<mlir::FloatAttr>("clip_norm").getValueAsDouble();
    updates.push_back({entry.getAs<mlir::StringAttr>("name").str(), std::nullopt});
    if (limit > 0) updates.back().clipNorm = limit;
  }
  return updates;
}

} // namespace

DeclaredState::DeclaredState(train::RunOp run) : run(run) {
  llvm::SmallVector<size_t> ofRule;
  updates = updatesOf(run, ofRule);
  llvm::append_range(parameters, run.getParameters().getOps<train::ParamOp>());
  llvm::append_range(buffers, run.getParameters().getOps<train::BufferOp>());
  llvm::append_range(nexts, run.getLoss().getOps<train::NextOp>());
  llvm::append_range(averages, run.getOptimizer().getOps<train::AverageOp>());
  llvm::StringSet<> changed;
  auto select = [&](auto isMeant) {
    llvm::SmallVector<train::ParamOp> params;
    llvm::copy_if(parameters, std::back_inserter(params), isMeant);
    return params;
  };
  for (train::RuleOp rule : run.getOptimizer().getOps<train::RuleOp>()) {
    llvm::StringSet<> paths;
    for (llvm::StringRef path : rule.getParameters().getAsValueRange<mlir::StringAttr>()) {
      paths.insert(path);
      changed.insert(path);
    }
    std::string suffix = groups.empty() ? "" : "." + std::to_string(groups.size() + 1);
    groups.push_back(
        groupOf(select([&](train::ParamOp param) { return paths.contains(param.getPath()); }),
                suffix, run.getContext()));
    groups.back().ofUpdate = ofRule[groups.size() - 1];
    addRule(groups.back(), rule);
  }
  llvm::SmallVector<train::ParamOp> held =
      select([&](train::ParamOp param) { return !changed.contains(param.getPath()); });
  if (!held.empty()) groups.push_back(groupOf(held, ".held", run.getContext()));
  auto yield = mlir::cast<train::YieldOp>(run.getLoss().front().getTerminator());
  for (mlir::Attribute name : yield.getNames())
    terms.push_back(mlir::cast<mlir::StringAttr>(name).str());
}

std::pair<const ParameterGroup *, size_t> DeclaredState::placeOf(llvm::StringRef path) const {
  for (const ParameterGroup &group : groups)
    for (size_t i = 0; i < group.parameters.size(); ++i)
      if (group.parameters[i].path == path) return {&group, i};
  return {nullptr, 0};
}

std::string DeclaredState::nextBuffer(train::NextOp next) {
  return ((next.getSums() ? "next." : "last.") + next.getName()).str();
}

bool DeclaredState::hasRate(size_t update) {
  auto name = mlir::StringAttr::get(run.getContext(), Rate);
  return llvm::any_of(groups, [&](const ParameterGroup &group) {
    if (!group.update || group.ofUpdate != update) return false;
    auto yield = mlir::cast<train::YieldOp>(group.update->front().getTerminator());
    return llvm::is_contained(yield.getNames(), name);
  });
}

bool DeclaredState::countsRows() {
  return llvm::any_of(run.getLoss().getOps<train::AmbientOp>(),
                      [](train::AmbientOp op) { return op.getBuffer() == Row; });
}

std::vector<std::string> DeclaredState::publishedTerms() const {
  std::vector<std::string> names = terms;
  if (!hasTotal()) names.insert(names.begin(), "loss");
  return names;
}

namespace {

/// Collects entries of the list of state.
class StateList {
public:
  explicit StateList(mlir::MLIRContext *context) : build(context) {}

  void add(llvm::StringRef name, llvm::StringRef role, llvm::StringRef buffer, int64_t offset,
           RankedTensorType type) {
    entries.push_back(build.getDictionaryAttr(
        {build.getNamedAttr("name", build.getStringAttr(name)),
         build.getNamedAttr("role", build.getStringAttr(role)),
         build.getNamedAttr("buffer", build.getStringAttr(buffer)),
         build.getNamedAttr("offset", build.getI64IntegerAttr(offset)),
         build.getNamedAttr("shape", build.getDenseI64ArrayAttr(type.getShape())),
         build.getNamedAttr("type", mlir::TypeAttr::get(type))}));
  }

  mlir::ArrayAttr get() { return build.getArrayAttr(entries); }

private:
  mlir::Builder build;
  llvm::SmallVector<mlir::Attribute> entries;
};

mlir::ArrayAttr listState(DeclaredState &state, mlir::MLIRContext *context) {
  StateList list(context);
  for (train::ParamOp param : state.parameters) {
    auto [group, number] = state.placeOf(param.getPath());
    const PlacedParameter &placed = group->parameters[number];
    list.add(placed.path, "param", group->buffer("params"), placed.offset, placed.type);
  }
  for (train::BufferOp buffer : state.buffers)
    list.add(buffer.getPath(), "buffer", ("buffer." + buffer.getPath()).str(), 0,
             buffer.getTensorType());
  for (const ParameterGroup &group : state.groups)
    for (const Moment &moment : group.moments)
      for (const auto &[param, offset] : llvm::zip_equal(group.parameters, moment.layout.offsets))
        list.add("opt." + moment.name + "." + param.path, "moment", moment.buffer, offset,
                 group.isEach ? moment.type : param.type);
  auto i64 = RankedTensorType::get({}, mlir::IntegerType::get(context, 64));
  for (const char *counter : {"state.attempt", "state.step", "state.skipped", "state.seed"})
    list.add(counter, "scalar", counter, 0, i64);
  if (state.hasSeveralUpdates()) {
    list.add(DeclaredState::Updates, "scalar", DeclaredState::Updates, 0, i64);
    for (const DeclaredUpdate &update : state.updates)
      list.add(update.made(), "scalar", update.made(), 0, i64);
  }
  list.add("state.ok", "scalar", "state.ok", 0,
           RankedTensorType::get({}, mlir::IntegerType::get(context, 32)));
  return list.get();
}

mlir::ArrayAttr nameList(mlir::MLIRContext *context, llvm::ArrayRef<std::string> names) {
  llvm::SmallVector<llvm::StringRef> refs(names.begin(), names.end());
  return mlir::Builder(context).getStrArrayAttr(refs);
}

} // namespace

void DeclaredState::describe(mlir::ModuleOp module, llvm::ArrayRef<std::string> metrics) {
  mlir::MLIRContext *context = module.getContext();
  mlir::NamedAttrList policy(run.getPolicy());
  policy.set("loss_terms", nameList(context, publishedTerms()));
  policy.set("metrics", nameList(context, metrics));
  module->setAttr("train.policy", policy.getDictionary(context));
  module->setAttr("dlm.state", listState(*this, context));
}

} // namespace dlm::expand

// The checkpoint's list comes from the declaration itself, so nothing that changes can be left out:
// every parameter, every buffer, every moment of every parameter, every counter.
#include "compiler/transforms/expand/DeclaredState.h"

#include "mlir/IR/Builders.h"

namespace dlm::expand {

using mlir::RankedTensorType;

DeclaredState::DeclaredState(train::RunOp run) : run(run) {
  for (mlir::Operation &op : run.getParameters().getOps()) {
    if (auto param = mlir::dyn_cast<train::ParamOp>(op)) parameters.push_back(param);
    if (auto buffer = mlir::dyn_cast<train::BufferOp>(op)) buffers.push_back(buffer);
    if (auto moment = mlir::dyn_cast<train::MomentOp>(op)) moments.push_back(moment);
  }
  nexts = llvm::to_vector(run.getLoss().getOps<train::NextOp>());
  llvm::SmallVector<int64_t> counts;
  for (train::ParamOp param : parameters)
    counts.push_back(param.getTensorType().getNumElements());
  layout = train::layOutFlat(counts);
  flatType = RankedTensorType::get({layout.size}, mlir::Float32Type::get(run.getContext()));
  auto yield = mlir::cast<train::YieldOp>(run.getLoss().front().getTerminator());
  for (mlir::Attribute name : yield.getNames())
    terms.push_back(mlir::cast<mlir::StringAttr>(name).str());
}

mlir::LogicalResult DeclaredState::verify() {
  auto yield = mlir::cast<train::YieldOp>(run.getOptimizer().front().getTerminator());
  auto target = llvm::find(yield.getNames(), mlir::StringAttr::get(run.getContext(), "target"));
  mlir::Type type = yield.getValues()[target - yield.getNames().begin()].getType();
  if (type != flatType)
    return run.emitError("the optimizer updates ") << type << ", the parameters are " << flatType;
  return mlir::success();
}

size_t DeclaredState::indexOf(llvm::StringRef path) const {
  return llvm::find_if(parameters, [&](auto param) { return param.getPath() == path; }) -
         parameters.begin();
}

std::string DeclaredState::nextBuffer(train::NextOp next) {
  return ((next.getSums() ? "next." : "last.") + next.getName()).str();
}

bool DeclaredState::hasRate() {
  auto yield = mlir::cast<train::YieldOp>(run.getOptimizer().front().getTerminator());
  return llvm::is_contained(yield.getNames(), mlir::StringAttr::get(run.getContext(), Rate));
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
  for (auto [param, offset] : llvm::zip_equal(state.parameters, state.layout.offsets))
    list.add(param.getPath(), "param", "params", offset, param.getTensorType());
  for (train::BufferOp buffer : state.buffers)
    list.add(buffer.getPath(), "buffer", ("buffer." + buffer.getPath()).str(), 0,
             buffer.getTensorType());
  for (train::MomentOp moment : state.moments) {
    std::string buffer = ("opt." + moment.getName()).str();
    for (auto [param, offset] : llvm::zip_equal(state.parameters, state.layout.offsets))
      list.add((buffer + "." + param.getPath()).str(), "moment", buffer, offset,
               param.getTensorType());
  }
  auto i64 = RankedTensorType::get({}, mlir::IntegerType::get(context, 64));
  for (const char *counter : {"state.attempt", "state.step", "state.skipped", "state.seed"})
    list.add(counter, "scalar", counter, 0, i64);
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

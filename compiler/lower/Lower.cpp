// Assembles `train.run`: declarations, then the graphs of the loss and of evaluations, then the
// rules of the optimizer.
#include "compiler/lower/Lower.h"

#include "compiler/lower/Commands.h"
#include "compiler/lower/GraphLowering.h"
#include "compiler/lower/Places.h"
#include "compiler/lower/Policy.h"
#include "compiler/lower/SampleMaps.h"
#include "compiler/lower/Shadows.h"
#include "dialects/dlm/Dlm.h"
#include "dialects/train/FlatLayout.h"
#include "dialects/train/Train.h"

#include "mlir/IR/Verifier.h"

#include <algorithm>

namespace dlm::lower {

namespace {

class RunLowering {
public:
  RunLowering(const sema::TypedProgram &program, mlir::MLIRContext &context,
              const SourceManager &sources, const LowerOptions &options);

  mlir::LogicalResult lowerInto(mlir::ModuleOp module);

private:
  mlir::LogicalResult lowerParameters(mlir::Region &region);
  mlir::LogicalResult lowerOptimizer(mlir::Region &region);
  mlir::LogicalResult lowerRule(const sema::OptimizerGroup &group);
  mlir::ArrayAttr updateList();
  mlir::LogicalResult lowerBuffer(const std::string &path, const sema::TensorType &type,
                                  const sema::Graph &init, const std::string &site, Span span);
  mlir::LogicalResult lowerGraph(const sema::Graph &graph, mlir::Region &region, GraphPart part,
                                 const char *site) {
    Sizes sizes = {part == GraphPart::Training ? rows : evalRows, 0, program.settings.batch};
    GraphLowering lowering(build, places, sizes, site);
    if (!program.updates.empty()) lowering.stepNumber = "updates";
    return lowering.as(part).with(program.buffers).of(program.updates).lower(graph, region);
  }

  const sema::TypedProgram &program;
  mlir::MLIRContext &context;
  const SourceManager &sources;
  const FittedValues &fitted;
  mlir::OpBuilder build;
  Places places;
  int64_t rows, evalRows;
  std::vector<Shadow> shadows;
};

/// Where training computes few samples at once they are large: an evaluation, which keeps less of
/// each, then takes a few times as many and not as many as it likes.
int64_t evaluationRows(const sema::DataSource &data, int64_t rows, const LowerOptions &options) {
  int64_t fitting = std::min(options.evalRowsMax, std::max<int64_t>(16, 8 * rows));
  int64_t most = std::max({data.trainCount, data.validationCount, data.testCount});
  return most > 0 ? std::min(most, fitting) : fitting;
}

RunLowering::RunLowering(const sema::TypedProgram &program, mlir::MLIRContext &context,
                         const SourceManager &sources, const LowerOptions &options)
    : program(program), context(context), sources(sources), fitted(options.fitted), build(&context),
      places(context, sources, program.layers), rows(microRows(program, options)),
      evalRows(evaluationRows(program.data, rows, options)), shadows(shadowsOf(program)) {}

/// The graph of the rule, and beside it the learning rate, which the run reports.
sema::Graph withRate(const sema::OptimizerRule &rule) {
  sema::Graph graph = rule.update;
  auto first = sema::NodeId(graph.nodes.size());
  for (sema::Node node : rule.rate.nodes) {
    for (sema::NodeId &operand : node.operands)
      operand += first;
    graph.nodes.push_back(std::move(node));
  }
  for (const auto &[name, node] : rule.rate.results)
    graph.results.emplace_back("report." + name, node + first);
  return graph;
}

/// Null if a step makes one update.
mlir::ArrayAttr RunLowering::updateList() {
  llvm::SmallVector<mlir::Attribute> list;
  for (const sema::Update &update : program.updates) {
    mlir::NamedAttrList entry;
    entry.append("name", build.getStringAttr(update.name));
    entry.append("clip_norm", build.getF64FloatAttr(update.clipNorm));
    entry.append("rules", build.getI64IntegerAttr(int64_t(update.groups.size())));
    list.push_back(entry.getDictionary(&context));
  }
  return list.empty() ? mlir::ArrayAttr() : build.getArrayAttr(list);
}

mlir::LogicalResult RunLowering::lowerInto(mlir::ModuleOp module) {
  build.setInsertionPointToStart(module.getBody());
  auto run = train::RunOp::create(build, module.getLoc(), program.name, rows, evalRows,
                                  policyOf(program, context, sources, rows, evalRows, fitted),
                                  mlir::FloatAttr(), updateList());
  if (program.settings.clipNorm > 0)
    run.setClipNormAttr(build.getF32FloatAttr(float(program.settings.clipNorm)));
  if (failed(lowerParameters(run.getParameters())) ||
      failed(lowerGraph(program.loss, run.getLoss(), GraphPart::Training, "loss")) ||
      failed(
          lowerGraph(program.evaluationLoss, run.getValidation(), GraphPart::Evaluation, "loss")) ||
      failed(lowerGraph(program.metrics, run.getMetrics(), GraphPart::Evaluation, "metrics")) ||
      failed(lowerOptimizer(run.getOptimizer())))
    return mlir::failure();
  if (failed(lowerCommands(program, build, places, evalRows)) ||
      failed(lowerSampleMaps(program, build, places)))
    return mlir::failure();
  return mlir::verify(module);
}

mlir::LogicalResult RunLowering::lowerParameters(mlir::Region &region) {
  mlir::OpBuilder::InsertionGuard guard(build);
  mlir::Block &block = region.emplaceBlock();
  build.setInsertionPointToStart(&block);
  for (const sema::Parameter &parameter : program.parameters) {
    auto param = train::ParamOp::create(build, places.of(parameter.span), parameter.path,
                                        tensorType(context, parameter.type, {}));
    GraphLowering init(build, places, {}, parameter.path);
    if (failed(init.lower(parameter.init, param.getInit()))) return mlir::failure();
  }
  for (const sema::Buffer &buffer : program.buffers)
    if (failed(lowerBuffer(buffer.path, buffer.type, buffer.init, buffer.path, buffer.span)))
      return mlir::failure();
  for (const Shadow &shadow : shadows) // starts as what it shadows, by the same random numbers
    if (failed(lowerBuffer(shadow.path, shadow.type, *shadow.init, shadow.of, shadow.span)))
      return mlir::failure();
  return mlir::success();
}

mlir::LogicalResult RunLowering::lowerBuffer(const std::string &path, const sema::TensorType &type,
                                             const sema::Graph &init, const std::string &site,
                                             Span span) {
  Sizes sizes = {program.settings.batch}; // of buffers over the batch
  auto stored =
      train::BufferOp::create(build, places.of(span), path, tensorType(context, type, sizes));
  return GraphLowering(build, places, sizes, site).lower(init, stored.getInit());
}

mlir::LogicalResult RunLowering::lowerOptimizer(mlir::Region &region) {
  mlir::OpBuilder::InsertionGuard guard(build);
  build.setInsertionPointToStart(&region.emplaceBlock());
  for (const sema::OptimizerGroup &group : program.groups)
    if (failed(lowerRule(group))) return mlir::failure();
  for (const Shadow &shadow : shadows)
    if (shadow.decay)
      train::AverageOp::create(build, places.of(shadow.span), shadow.path, shadow.of,
                               llvm::APFloat(*shadow.decay));
  return mlir::success();
}

mlir::LogicalResult RunLowering::lowerRule(const sema::OptimizerGroup &group) {
  llvm::SmallVector<llvm::StringRef> paths; // in the order of all parameters
  llvm::SmallVector<int64_t> counts;
  for (const sema::Parameter &parameter : program.parameters) {
    if (!llvm::is_contained(group.parameters, parameter.path)) continue;
    paths.push_back(parameter.path);
    counts.push_back(tensorType(context, parameter.type, {}).getNumElements());
  }
  Sizes sizes = {0, train::layOutFlat(counts).size};
  auto rule = train::RuleOp::create(build, places.of(group.rule.span), build.getStrArrayAttr(paths),
                                    !group.isFlat);
  {
    mlir::OpBuilder::InsertionGuard guard(build);
    build.setInsertionPointToStart(&rule.getMoments().emplaceBlock());
    for (const sema::OptimizerState &state : group.rule.states) {
      auto moment = train::MomentOp::create(build, places.of(group.rule.span), state.name,
                                            tensorType(context, state.type, sizes));
      GraphLowering start(build, places, sizes, "state." + state.name);
      if (failed(start.lower(state.initGraph, moment.getInit()))) return mlir::failure();
    }
  }
  GraphLowering update(build, places, sizes, "update");
  if (!program.updates.empty()) update.stepNumber = "updates";
  return update.as(GraphPart::Update).lower(withRate(group.rule), rule.getUpdate());
}

} // namespace

int64_t microRows(const sema::TypedProgram &program, const LowerOptions &options) {
  int64_t batch = std::max<int64_t>(program.settings.batch, 1);
  if (program.settings.micro > 0) return program.settings.micro;
  if (isCoupled(program.loss)) return batch;
  int64_t multiple = program.settings.batchMultiple;
  int64_t rows = std::max(std::min(batch, options.microRowsMax), multiple);
  while (rows > 1 && (batch % rows != 0 || rows % multiple != 0))
    --rows;
  // A batch without a divisor of some size (a prime) stays whole: a few samples at a time are slow.
  return rows >= std::min(batch, options.microRowsMax / 8) ? rows : batch;
}

void loadDialects(mlir::MLIRContext &context) {
  context.loadDialect<DlmDialect, train::TrainDialect, mlir::func::FuncDialect>();
}

mlir::OwningOpRef<mlir::ModuleOp> lower(const sema::TypedProgram &program,
                                        mlir::MLIRContext &context, const SourceManager &sources,
                                        const LowerOptions &options) {
  loadDialects(context);
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::ModuleOp::create(mlir::UnknownLoc::get(&context), program.name);
  if (failed(RunLowering(program, context, sources, options).lowerInto(*module))) return {};
  return module;
}

} // namespace dlm::lower

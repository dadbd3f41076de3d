// Assembles `train.run`: declarations, then the four graphs, each into its region.
#include "compiler/lower/Lower.h"

#include "compiler/lower/Commands.h"
#include "compiler/lower/GraphLowering.h"
#include "compiler/lower/Places.h"
#include "compiler/lower/Policy.h"
#include "compiler/lower/SampleMaps.h"
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
  mlir::LogicalResult lowerGraph(const sema::Graph &graph, mlir::Region &region, GraphPart part,
                                 const char *site) {
    Sizes sizes = {part == GraphPart::Training ? rows : evalRows, flatSize};
    return GraphLowering(build, places, sizes, site).as(part).lower(graph, region);
  }

  const sema::TypedProgram &program;
  mlir::MLIRContext &context;
  const SourceManager &sources;
  const FittedValues &fitted;
  mlir::OpBuilder build;
  Places places;
  int64_t rows, evalRows, flatSize;
};

int64_t evaluationRows(const sema::DataSource &data, const LowerOptions &options) {
  int64_t most = std::max({data.trainCount, data.validationCount, data.testCount});
  return most > 0 ? std::min(most, options.evalRowsMax) : options.evalRowsMax;
}

int64_t flatSizeOf(const sema::TypedProgram &program) {
  llvm::SmallVector<int64_t> counts;
  for (const sema::Parameter &parameter : program.parameters) {
    int64_t count = 1;
    for (const sema::Dim &dim : parameter.type.dims)
      count *= dim.size();
    counts.push_back(count);
  }
  return train::layOutFlat(counts).size;
}

RunLowering::RunLowering(const sema::TypedProgram &program, mlir::MLIRContext &context,
                         const SourceManager &sources, const LowerOptions &options)
    : program(program), context(context), sources(sources), fitted(options.fitted), build(&context),
      places(context, sources, program.layers), rows(microRows(program, options)),
      evalRows(evaluationRows(program.data, options)), flatSize(flatSizeOf(program)) {}

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

mlir::LogicalResult RunLowering::lowerInto(mlir::ModuleOp module) {
  build.setInsertionPointToStart(module.getBody());
  auto run = train::RunOp::create(build, module.getLoc(), program.name, rows, evalRows,
                                  policyOf(program, context, sources, rows, evalRows, fitted),
                                  mlir::FloatAttr());
  if (program.settings.clipNorm > 0)
    run.setClipNormAttr(build.getF32FloatAttr(float(program.settings.clipNorm)));
  if (failed(lowerParameters(run.getParameters())) ||
      failed(lowerGraph(program.loss, run.getLoss(), GraphPart::Training, "loss")) ||
      failed(
          lowerGraph(program.evaluationLoss, run.getValidation(), GraphPart::Evaluation, "loss")) ||
      failed(lowerGraph(program.metrics, run.getMetrics(), GraphPart::Evaluation, "metrics")) ||
      failed(GraphLowering(build, places, {evalRows, flatSize})
                 .lower(withRate(program.optimizer), run.getOptimizer())))
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
  for (const sema::Buffer &buffer : program.buffers) {
    auto stored = train::BufferOp::create(build, places.of(buffer.span), buffer.path,
                                          tensorType(context, buffer.type, {}));
    GraphLowering init(build, places, {}, buffer.path);
    if (failed(init.lower(buffer.init, stored.getInit()))) return mlir::failure();
  }
  for (const sema::OptimizerState &state : program.optimizer.states)
    train::MomentOp::create(build, places.of(program.optimizer.span), state.name,
                            llvm::APFloat(static_cast<float>(state.init)));
  return mlir::success();
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

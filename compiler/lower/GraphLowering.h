// One graph of the typed program into one region.
#pragma once

#include "compiler/lower/Places.h"
#include "compiler/sema/TypedProgram.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace dlm::lower {

/// The sizes that the typed program leaves open.
struct Sizes {
  int64_t rows = 0; // of the batch axis
  int64_t flat = 0; // of all parameters together: the dim of size 0 in the optimizer's rule
};

mlir::Type elementType(mlir::MLIRContext &context, sema::DType dtype);

mlir::RankedTensorType tensorType(mlir::MLIRContext &context, const sema::TensorType &type,
                                  Sizes sizes);

class GraphLowering {
public:
  /// `site` names the place of the graph's random numbers, and of what `data.fit` gives: the path
  /// of a parameter or buffer. `command` is whose arguments the graph reads.
  GraphLowering(mlir::OpBuilder &builder, const Places &places, Sizes sizes,
                llvm::StringRef site = "", llvm::StringRef command = "")
      : build(builder), places(places), sizes(sizes), site(site), command(command) {}

  using NamedValues = std::vector<std::pair<std::string, mlir::Value>>;

  /// Appends the graph's ops and a `train.yield` of its results to an empty region. Fails, with an
  /// error at the place, at a node that has no op.
  mlir::LogicalResult lower(const sema::Graph &graph, mlir::Region &region);

  /// Appends the ops only, where the builder stands, and returns the results. `inputs`: the values
  /// that stand for input leaves of these names.
  mlir::FailureOr<NamedValues> append(const sema::Graph &graph, const NamedValues &inputs = {});

  /// What random numbers of the graph are told of when they are drawn, beside the seed: a number of
  /// the run's state, or "" for parameters, which are drawn once.
  void drawBy(llvm::StringRef counter) { drawCounter = counter.str(); }

private:
  void lowerNexts(const sema::Graph &graph);
  mlir::Value lowerNode(const sema::Node &node);
  mlir::Value leaf(const sema::Node &node);
  mlir::Value argument(const sema::Node &node);
  mlir::Value source(const sema::Node &node);
  mlir::Value combining(const sema::Node &node);
  mlir::Value moving(const sema::Node &node);
  mlir::Value plain(const sema::Node &node);

  mlir::Value slice(const sema::Node &node);
  mlir::Value pad(const sema::Node &node);
  mlir::Value dynamicSlice(const sema::Node &node);
  mlir::Value random(const sema::Node &node);
  mlir::Value dense(const sema::Node &node);
  mlir::Value operand(const sema::Node &node, size_t index) { return values[node.operands[index]]; }
  mlir::RankedTensorType typeOf(const sema::Node &node);
  mlir::Location at(const sema::Node &node) { return places.of(node.span, node.layer); }

  mlir::OpBuilder &build;
  const Places &places;
  Sizes sizes;
  std::string site, command, drawCounter;
  int64_t randomCount = 0;
  std::vector<mlir::Value> values;
  NamedValues inputs;
};

/// Ends a region with these results.
void yieldNamed(mlir::OpBuilder &build, mlir::Location loc,
                const GraphLowering::NamedValues &results);

} // namespace dlm::lower

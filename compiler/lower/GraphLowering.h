// One graph of the typed program into one region.
#pragma once

#include "compiler/lower/Places.h"
#include "compiler/sema/TypedProgram.h"
#include "dialects/dlm/Dlm.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

#include "llvm/ADT/DenseMap.h"

#include <map>
#include <optional>
#include <string>

namespace dlm::lower {

/// The sizes that the typed program leaves open.
struct Sizes {
  int64_t rows = 0;  // of the batch axis
  int64_t flat = 0;  // of all parameters together: the dim of size 0 in the optimizer's rule
  int64_t batch = 0; // of the batch axis of the whole batch, while training
};

/// Whether a buffer of this type has a row for each sample of the batch.
bool isCarried(const sema::TensorType &type);
/// Why such a buffer has to wait; empty if it need not.
std::string whyNotCarried(const sema::Buffer &buffer, const sema::Settings &settings);

mlir::Type elementType(mlir::MLIRContext &context, sema::DType dtype);

mlir::RankedTensorType tensorType(mlir::MLIRContext &context, const sema::TensorType &type,
                                  Sizes sizes);

/// What a graph is part of. That decides what its random numbers follow from, besides the seed and
/// their place, and what a sum over samples is.
enum class GraphPart {
  Start,      // drawn once: parameters, tests
  Sample,     // anew for each sample and epoch: `data.map`
  Training,   // anew in each step: the loss
  Update,     // anew in each step, for each parameter: the rule of an optimizer
  Evaluation, // the same each time, as of a step that never comes
  Prediction, // the same, for each row of a file
  Command     // the same each time
};

/// How many trips a loop over a range makes; nothing if only the run knows.
std::optional<int64_t> tripsOf(const sema::Graph &graph, const sema::Node &loop);

struct LoopStep; // LoopNodes.cpp

/// An axis that has `count` elements for each `samples` samples: 3 for each, or 1 for a group of 4.
struct SampleAxis {
  int64_t axis, count, samples;
};

/// The first axis of a tensor that counts samples, if it has elements in proportion to them.
std::optional<SampleAxis> countedAxis(const sema::TensorType &type);

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

  GraphLowering &as(GraphPart of) {
    part = of;
    return *this;
  }

  /// The number of the run's state that tells one drawing of a step's random numbers from another.
  std::string stepNumber = "attempt";

  /// Where the buffers of the run are, for those over the batch.
  GraphLowering &with(const std::vector<sema::Buffer> &ofRun) {
    buffers = &ofRun;
    return *this;
  }

  /// The updates that the loss is put together of, if it is.
  GraphLowering &of(const std::vector<sema::Update> &joined) {
    updates = &joined;
    return *this;
  }

private:
  void lowerNexts(const sema::Graph &graph);
  void lowerNexts(const sema::Graph &graph, const std::vector<sema::NextValue> &given,
                  llvm::StringRef update);
  void markRecomputed(mlir::Operation *before, const sema::Node &node);
  mlir::Value lowerNode(const sema::Node &node);
  mlir::Value leaf(const sema::Node &node);
  mlir::Value argument(const sema::Node &node);
  mlir::Value source(const sema::Node &node);
  mlir::Value combining(const sema::Node &node);
  mlir::Value moving(const sema::Node &node);
  mlir::Value overSamples(const sema::Node &node);
  mlir::Value ordering(const sema::Node &node);
  mlir::Value differentiating(const sema::Node &node);
  mlir::Value plain(const sema::Node &node);
  bool lowerNodes();

  mlir::Value slice(const sema::Node &node);
  mlir::Value pad(const sema::Node &node);
  mlir::Value dynamicSlice(const sema::Node &node);
  mlir::Value iota(const sema::Node &node);

  // Buffers over the batch (CarriedRows.cpp).
  mlir::Value rowNumbers(mlir::Location loc, int64_t count, bool isFromRow);
  mlir::Value carriedRows(const sema::Node &node);
  mlir::Value startOfRows(const sema::Node &node);
  mlir::Value asWholeBatch(mlir::Location loc, mlir::Value value);

  // Convolutions (Convolutions.cpp).
  mlir::Value windowing(const sema::Node &node);
  mlir::Value convolution(const sema::Node &node);
  mlir::Value depthwise(const sema::Node &node, mlir::Value windows);
  mlir::Value convolutionTranspose(const sema::Node &node);
  mlir::Value reshaped(const sema::Node &node, mlir::Value x, llvm::ArrayRef<int64_t> shape);

  // Loops (LoopNodes.cpp).
  mlir::Value looping(const sema::Node &node);
  mlir::Value loop(const sema::Node &node);
  bool lowerStep(const sema::Node &node, LoopStep &made, mlir::ValueRange inits,
                 mlir::ValueRange xs, bool hasUntil);
  mlir::Value tripNumber(mlir::Location loc);
  mlir::Value runningSum(const sema::Node &node);

  mlir::Value random(const sema::Node &node);
  mlir::Value elementsBefore(const sema::Node &node, int64_t count, int64_t samples);
  mlir::Value drawn(const sema::Node &node, mlir::RankedTensorType type, RandomKind kind);
  mlir::Value wholeNumbers(const sema::Node &node);
  std::string siteName(const sema::Node &node);
  mlir::Value ambient(const sema::Node &node, llvm::StringRef name);
  bool numbersSamples() const {
    return part == GraphPart::Training || part == GraphPart::Evaluation ||
           part == GraphPart::Prediction;
  }
  mlir::Value dense(const sema::Node &node);
  mlir::Value operand(const sema::Node &node, size_t index) { return values[node.operands[index]]; }
  mlir::RankedTensorType typeOf(const sema::Node &node);
  mlir::Location at(const sema::Node &node) { return places.of(node.span, node.layer); }

  mlir::OpBuilder &build;
  const Places &places;
  Sizes sizes;
  std::string site, command;
  GraphPart part = GraphPart::Start;
  const std::vector<sema::Buffer> *buffers = nullptr;
  const std::vector<sema::Update> *updates = nullptr;
  std::map<std::string, int64_t> drawnAt; // how many random tensors each site has
  const sema::Graph *graph = nullptr;
  std::vector<mlir::Value> values;
  NamedValues inputs;
  const LoopStep *step = nullptr; // that `graph` is
  llvm::DenseMap<const sema::Node *, llvm::SmallVector<mlir::Value>> loopResults;
};

/// Ends a region with these results.
void yieldNamed(mlir::OpBuilder &build, mlir::Location loc,
                const GraphLowering::NamedValues &results);

} // namespace dlm::lower

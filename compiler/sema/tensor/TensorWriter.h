// Writes tensor operations into the current graph. Everything here is given operands that fit:
// the callers check shapes and types and report what does not, in the words of the program.
#pragma once

#include "compiler/sema/Reporter.h"
#include "compiler/sema/tensor/GraphBuilder.h"
#include "compiler/sema/value/Value.h"

#include <memory>
#include <string>
#include <vector>

namespace dlm::sema {

class TensorWriter {
public:
  TensorWriter();

  /// The graph that operations are appended to; the free graph unless a GraphScope is open.
  GraphBuilder &current() { return *graphs.back(); }
  GraphBuilder &free() { return *graphs.front(); }
  /// The graph around the current one.
  GraphBuilder &around() { return *graphs[graphs.size() - 2]; }

  Tensor leaf(const std::string &op, const std::string &text, const TensorType &type, Span span);
  /// A leaf of the free graph, which every graph can use.
  Tensor freeLeaf(const std::string &op, const std::string &text, const TensorType &type,
                  Span span);
  /// A scalar constant, or a splat of a shape.
  Tensor constant(double value, DType dtype, std::vector<Dim> dims = {});

  /// An operation whose result has the shape of its operands (which are equal).
  Tensor pointwise(const std::string &op, const std::vector<Tensor> &operands, DType dtype,
                   const std::string &text = "");
  Tensor unary(const std::string &op, const Tensor &x) { return pointwise(op, {x}, x.type.dtype); }
  /// `a op b` for equal dtypes; a scalar side is stretched to the other.
  Tensor binary(const std::string &op, const Tensor &a, const Tensor &b);
  Tensor cast(const Tensor &x, DType dtype);
  /// Stretches to `dims`, which the operand's dimensions fit from the right.
  Tensor stretch(const Tensor &x, const std::vector<Dim> &dims);
  Tensor reshape(const Tensor &x, std::vector<Dim> dims);
  Tensor transpose(const Tensor &x, const std::vector<int64_t> &permutation);
  /// Reduces the axes with add, max or min; over all samples if the batch is one of them.
  Tensor reduce(const std::string &kind, const Tensor &x, const std::vector<int64_t> &axes,
                bool keep);
  /// The sum of the squared distances of elements from their mean over axes of samples; of those
  /// that the mask lets through, if there is one.
  Tensor squaredDistances(const Tensor &x, const std::optional<Tensor> &mask,
                          const std::vector<int64_t> &axes, bool keep);
  Tensor matmul(const Tensor &a, const Tensor &b);
  /// The bytes of a text as `u8[n]`.
  Tensor bytes(const std::string &text);
  /// `encode` and `decode` of the text source with this name.
  Tensor translate(const std::string &op, const std::string &source, const Tensor &x,
                   const TensorType &type);
  /// A product with a letter for each dimension: "axy,yz->axz"; over all samples, if a letter that
  /// is summed over counts them.
  Tensor contract(const std::string &text, const Tensor &a, const Tensor &b, std::vector<Dim> dims,
                  bool isOverSamples);
  Tensor iota(const std::vector<Dim> &dims, int64_t axis, DType dtype);
  Tensor random(const std::string &text, const std::vector<Dim> &dims);
  /// The number of samples in the whole batch, as f32.
  Tensor sampleCount();

  /// Any other operation: fills in operands, place and layer, and appends the node.
  Tensor emit(Node node, const std::vector<Tensor> &operands);
  Tensor concat(const std::vector<Tensor> &parts, int64_t axis);
  /// The part of each axis that begins at `begins` and is as long as that of `dims`.
  Tensor slice(const Tensor &x, std::vector<Extent> begins, std::vector<Dim> dims);
  /// `ids` has the dimensions of x in front of the axis, then any others; these take the place of
  /// the axis in the result.
  Tensor gather(const Tensor &x, const Tensor &ids, int64_t axis);

  /// The tensor's node in the current graph.
  NodeId use(const Tensor &x);
  const Node &node(const Tensor &x);
  /// The leaves that a tensor is computed from, also those around the loop it is computed in.
  std::vector<const Node *> leavesOf(const Tensor &x) const;

  /// Operations written so far.
  int64_t nodeCount() const { return nodesWritten; }

  Span span;                        // of the expression being checked; nodes carry it
  uint32_t layer = 0;               // of the instance being applied
  uint8_t marks = 0;                // of the calls being followed
  uint32_t recomputation = 0;       // the outermost of them that is computed again, if any is
  uint32_t recomputations = 0;      // such calls so far
  const Reporter *report = nullptr; // knows those calls

private:
  friend class GraphScope;
  friend class FreeGraphScope;
  NodeId useAt(size_t level, const Tensor &x);
  Tensor reduceAll(const std::string &kind, const std::vector<Tensor> &operands,
                   const std::vector<int64_t> &axes, bool keep);

  std::vector<std::shared_ptr<GraphBuilder>> graphs;
  uint32_t graphCount = 1;
  int64_t nodesWritten = 0;
};

/// Makes a new graph the current one for the length of a block.
class GraphScope {
public:
  explicit GraphScope(TensorWriter &writer);
  GraphScope(const GraphScope &) = delete;
  GraphScope &operator=(const GraphScope &) = delete;
  ~GraphScope();

  Graph &graph() { return builder->graph; }
  GraphBuilder &operator*() { return *builder; }

private:
  TensorWriter &writer;
  std::shared_ptr<GraphBuilder> builder;
};

/// Makes the free graph the current one: for values that outlive the hook that first asks for
/// them.
class FreeGraphScope {
public:
  explicit FreeGraphScope(TensorWriter &writer) : writer(writer) {
    writer.graphs.push_back(writer.graphs.front());
  }
  FreeGraphScope(const FreeGraphScope &) = delete;
  FreeGraphScope &operator=(const FreeGraphScope &) = delete;
  ~FreeGraphScope() { writer.graphs.pop_back(); }

private:
  TensorWriter &writer;
};

} // namespace dlm::sema

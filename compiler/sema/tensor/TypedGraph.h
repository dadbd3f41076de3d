// Tensor computations of a typed program: graphs of nodes. A node names an operation of the `dlm`
// or `train` dialect by its mnemonic, so that lowering is one to one. Sizes may hold symbols, above
// all that of the batch, which takes the size of the signature that `lower` instantiates.
#pragma once

#include "compiler/sema/value/Extent.h"
#include "compiler/source/Span.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace dlm::sema {

enum class DType { Bool, U8, U32, I8, I32, I64, F16, BF16, F32, F64 };

/// One dimension of a tensor: its size and the name it was written with (may be empty).
struct Dim {
  Extent extent;
  std::string name;
  bool isWrittenOne = false; // a 1 that was written as such: `new`, `keep = true`, a literal

  static Dim whole(int64_t size, std::string name = "") {
    return {Extent::whole(size), std::move(name), false};
  }
  static Dim batch(std::string name = "batch") { return {Extent::batch(), std::move(name), false}; }
  static Dim one(std::string name = "") { return {Extent::whole(1), std::move(name), true}; }

  /// The size, if it is known when the program is compiled.
  int64_t size() const { return extent.asWhole(); }
  bool isWhole() const { return extent.isWhole(); }
  bool isBatch() const { return extent.isBatch(); }
};

struct TensorType {
  DType dtype = DType::F32;
  std::vector<Dim> dims;
};

/// How a value depends on the batch: not at all, sample by sample, as a sum over samples that is
/// used linearly, or otherwise (then the batch cannot be split into micro-batches).
enum class Grade { Constant, Row, Sum, Coupled };

using NodeId = uint32_t;

struct Graph;
struct DataSource;

/// What calls say of the operations in them.
enum Mark : uint8_t {
  MarkPrecise = 1,  // in f32, whatever the run's precision is
  MarkRecompute = 2 // computed again for gradients, instead of being kept
};

/// One operation. What `ints`, `number`, `numbers` and `text` hold depends on `op`:
///
///   leaves      input(text = field)  parameter(text = path)  option(text = name)
///               ambient(text = "step" | "steps" | "epoch" | "seed" | "updates")
///               state(text = name)  target()
///               gradient() constant(number: a splat of the type)  dense(numbers, row-major)
///               buffer(text = path)
///               shadow(text = path): of a copy or a moving average of a model, like its parameter
///               argument(text = name of a command's argument)
///               iota(ints = {dim})  sample_count()
///               random(text = uniform | normal | int, ints = {low, high} of the last)
///               extent(text = symbol): the value of a size other than the batch, as f32
///   elementwise neg abs exp log sqrt rsqrt tanh erf sin cos floor ceil round sign relu
///               add sub mul div max min pow   rem(integers; the sign of the divisor, 0 for a
///               divisor of 0)   compare(text = eq ne lt le gt ge)
///               and or not   select(condition, a, b)   cast(to the node's dtype)
///               operands have equal shapes: stretching is always a `broadcast` node
///   shape       broadcast(ints[i] = result dim of operand dim i; any other dim is new)
///               reshape   transpose(ints = permutation)   stop_gradient
///               slice(extents = begin in each dim; sizes are the type's)   flip(ints = dims)
///               concat(ints = {dim})   pad(ints = {dim, before, ...}, number)
///               gather(x, ids; ints = {dim}): see TensorWriter; an id that is no index fails
///               dynamic_slice(x, start of each dim as i32; sizes are the type's)
///               windows(ints = {first dim, strides, dilations, zeros in front}): for each of these
///               n dims the number of the window stands in its place, and the places within windows
///               are n dims behind them
///   order       order(ints = {dim, 1 if descending}) top_k(ints = {dim}): i32 indexes, stable;
///               values are a `gather` by them, so no operation has two results
///   reduction   reduce(text = add max min, ints = dims; dims are dropped; number = 1: the
///               gradient of a max goes to the first of equal elements, and is not split)
///               batch_reduce(the same, one dim of samples): over the whole batch or evaluation
///               set. text = squares, of an evaluation only: squared distances from the mean, of
///               the elements that the second operand lets through, if there is one argmax
///               argmin(ints = {dim}; the dim is dropped; i32)   cumsum(ints = {dim})
///   product     matmul(ints = {transposeLhs, transposeRhs}), both of rank 2
///               contract(text = "abc,adc->abd": a letter for each dim)   batch_contract: the
///               same, summed over all samples
///               convolution(x [batch, dims.., channels], weight [window.., channels of a group,
///               outputs]; ints = {groups, strides, dilations, padding}) and its transpose
///               convolution_transpose; sizes are the type's
///   text        encode decode(text = data source): bytes to token ids, and back
///   data        fit(bodies = {what it computes from all training samples}; ints = {columns}, if it
///               is done for each column of numbers)
///   loop        scan(ints = {states, axis, outputs}; bodies = {one step}; text = fold | scan):
///               operands are the first values of the states, what the loop goes over (a tensor, by
///               its axis; or two i32 bounds, axis = -1), and what the step uses from around it.
///               In the step these are slot(text = number): the states, then the element or the
///               number; and capture(text = number). The results of the step: the states, the
///               outputs, then `until`, if there is one: a bool that ends the loop.
///               scan_result(ints = {number}): of a scan, its states and its stacked outputs
///   generate    generate(bodies = {model, pick, until}; text says which of the last two are there;
///               ints = how much each uses from around it): the first operand is the prompt. Each
///               has the leaf slot(0): the ids so far, the logits of the last place, the new
///               ids
///   gradient    gradient_of(a number, a variable): of the number, with respect to the variable
///               variable(x): x as what gradients are taken with respect to
///   batch       share: a Constant-graded operand that joins Sum-graded ones, to be scaled by
///               micro-batch / batch so that it is counted once
struct Node {
  std::string op;
  TensorType type;
  std::vector<NodeId> operands;
  std::vector<int64_t> ints;
  std::vector<Extent> extents;
  std::vector<double> numbers;
  double number = 0;
  std::string text;
  Grade grade = Grade::Constant;
  bool dependsOnModel = false; // on a parameter, a buffer or anything computed from one
  Span span;
  Span shown = {};            // the same, but of the call in the program if that is in the library
  uint32_t layer = 0;         // index into TypedProgram::layers
  uint8_t marks = 0;          // of `Mark`
  uint32_t recomputation = 0; // with MarkRecompute: the number of the outermost call marked so
  std::vector<std::shared_ptr<const Graph>> bodies = {}; // of a loop

  /// Where messages show it.
  Span place() const { return shown.isValid() ? shown : span; }
};

/// What a buffer is after the step. Several values of one buffer, of different calls, are averaged
/// by the number of samples they stand for.
struct NextValue {
  std::string path; // of the buffer
  NodeId value = 0; // of the buffer's type
  Span span;
  uint32_t call = 0; // of the function that gave it
};

/// Nodes in an order in which operands stand before their uses, and named results.
struct Graph {
  std::vector<Node> nodes;
  std::vector<std::pair<std::string, NodeId>> results;
  std::vector<NextValue> nexts = {}; // of the loss while training; elsewhere buffers stay
  std::shared_ptr<const DataSource> source = nullptr; // of `data.fit`: whose samples it looks at
};

} // namespace dlm::sema

// Kernel bodies. A body is evaluated value by value rather than point by point: each value becomes
// a tensor over just the dims it varies over, in increasing order. Schedules do not matter here;
// what a reduction combines in which order stands in the op.
#include "compiler/reference/Evaluation.h"
#include "dialects/kernel/Access.h"
#include "dialects/kernel/Variation.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cstring>

namespace dlm::reference {

namespace {

/// The shape of a kernel's argument with `extent` in the place of `?`.
std::vector<int64_t> boundShape(mlir::Type type, int64_t extent) {
  std::vector<int64_t> shape = shapeOf(type);
  for (int64_t &size : shape)
    if (mlir::ShapedType::isDynamic(size)) size = extent;
  return shape;
}

/// A value of the body: `dims` names the dims of `tensor`.
struct BodyValue {
  std::vector<int64_t> dims;
  Tensor tensor;
};

class BodyEvaluation {
public:
  BodyEvaluation(kernel::FuncOp func, int64_t extent, Mode mode)
      : func(func), extent(extent), mode(mode) {}

  Status run(Operands inputs);
  std::vector<Tensor> takeOutputs() { return std::move(outputs); }

private:
  std::vector<int64_t> extentsOf(llvm::ArrayRef<int64_t> dims) const;
  std::vector<int64_t> unionOfDims(mlir::ValueRange operands) const;
  Tensor spread(const BodyValue &value, llvm::ArrayRef<int64_t> dims) const;

  Expected<BodyValue> evaluate(mlir::Operation *op);
  BodyValue load(kernel::LoadOp op);
  BodyValue iota(kernel::IotaOp op);
  BodyValue reduce(kernel::ReduceOp op);
  BodyValue argmax(kernel::ArgmaxOp op);
  BodyValue scatter(kernel::ScatterOp op);
  Expected<BodyValue> random(kernel::RandomOp op);
  Expected<BodyValue> scalar(mlir::Operation *op);
  void store(kernel::StoreOp op);

  kernel::FuncOp func;
  int64_t extent;
  Mode mode;
  llvm::DenseMap<mlir::Value, const Tensor *> inputOf;
  llvm::DenseMap<mlir::Value, size_t> outputOf;
  std::vector<Tensor> outputs;
  llvm::DenseMap<mlir::Value, BodyValue> values;
};

std::vector<int64_t> BodyEvaluation::extentsOf(llvm::ArrayRef<int64_t> dims) const {
  std::vector<int64_t> extents;
  auto space = const_cast<kernel::FuncOp &>(func).getSpace();
  for (int64_t dim : dims)
    extents.push_back(space.getExtent(dim, extent));
  return extents;
}

std::vector<int64_t> BodyEvaluation::unionOfDims(mlir::ValueRange operands) const {
  std::vector<int64_t> dims;
  for (mlir::Value operand : operands)
    for (int64_t dim : values.find(operand)->second.dims)
      dims.push_back(dim);
  llvm::sort(dims);
  dims.erase(std::unique(dims.begin(), dims.end()), dims.end());
  return dims;
}

/// The value over `dims`, in that order; dims it does not vary over repeat it.
Tensor BodyEvaluation::spread(const BodyValue &value, llvm::ArrayRef<int64_t> dims) const {
  std::vector<int64_t> own = rowMajorStrides(value.tensor.shape), strides;
  for (int64_t dim : dims) {
    auto found = llvm::find(value.dims, dim);
    strides.push_back(found == value.dims.end() ? 0 : own[found - value.dims.begin()]);
  }
  return gather(value.tensor, extentsOf(dims), strides);
}

/// The dims a map names, in increasing order.
std::vector<int64_t> namedDims(mlir::AffineMap map) {
  std::vector<int64_t> dims;
  for (int64_t dim = 0; dim < map.getNumDims(); ++dim)
    if (map.isFunctionOfDim(dim)) dims.push_back(dim);
  return dims;
}

/// The element of `source` at each point of `dims`; zero where an index leaves it.
BodyValue BodyEvaluation::load(kernel::LoadOp op) {
  const Tensor &source = *inputOf.lookup(op.getTensor());
  std::vector<int64_t> dims = unionOfDims(op.getAt());
  for (int64_t dim : namedDims(op.getMap()))
    if (!llvm::is_contained(dims, dim)) dims.push_back(dim);
  llvm::sort(dims);
  std::vector<Tensor> given;
  for (mlir::Value value : op.getAt())
    given.push_back(spread(values[value], dims));
  Tensor result = Tensor::zeros(source.dtype, extentsOf(dims));
  std::vector<int64_t> strides = rowMajorStrides(result.shape);
  size_t size = elementSizeBytes(source.dtype);
  auto indices = kernel::readIndices(op.getMap());
  for (int64_t point = 0; point < result.elementCount(); ++point) {
    auto along = [&](unsigned dim) {
      size_t at = llvm::find(dims, int64_t(dim)) - dims.begin();
      return point / strides[at] % result.shape[at];
    };
    int64_t number = 0;
    bool isInside = true;
    for (auto [dim, index] : llvm::enumerate(indices)) {
      int64_t at = index.offset;
      for (kernel::AccessIndex::Term term : index.terms)
        at += term.factor * along(term.dim);
      if (index.kind == kernel::AccessIndex::Given) at = given[index.given].as<int64_t>()[point];
      isInside = isInside && at >= 0 && at < source.shape[dim];
      number = number * source.shape[dim] + at;
    }
    if (isInside)
      std::memcpy(result.bytes.data() + point * size, source.bytes.data() + number * size, size);
  }
  return {dims, std::move(result)};
}

BodyValue BodyEvaluation::iota(kernel::IotaOp op) {
  std::vector<int64_t> dims{static_cast<int64_t>(op.getDim())};
  Tensor tensor = Tensor::zeros(DType::I64, extentsOf(dims));
  for (int64_t n = 0; n < tensor.shape[0]; ++n)
    tensor.as<int64_t>()[n] = n;
  return {dims, std::move(tensor)};
}

BodyValue BodyEvaluation::reduce(kernel::ReduceOp op) {
  std::vector<int64_t> dims = unionOfDims(op->getOperands());
  llvm::erase(dims, static_cast<int64_t>(op.getDim()));
  std::vector<int64_t> ordered = dims;
  ordered.push_back(op.getDim()); // the reduced dim last: groups are rows
  Tensor rows = spread(values[op.getValue()], ordered);
  Tensor result = Tensor::zeros(rows.dtype, extentsOf(dims));
  auto kind = static_cast<ReduceKind>(op.getKind()); // the enumerations agree
  Tree tree{static_cast<int64_t>(op.getLanes()), static_cast<int64_t>(op.getChunk())};
  reduceRows(kind, rows, rows.shape.back(), tree, result);
  return {dims, std::move(result)};
}

BodyValue BodyEvaluation::argmax(kernel::ArgmaxOp op) {
  std::vector<int64_t> dims = unionOfDims(op->getOperands());
  llvm::erase(dims, static_cast<int64_t>(op.getDim()));
  std::vector<int64_t> ordered = dims;
  ordered.push_back(op.getDim());
  Tensor rows = spread(values[op.getValue()], ordered);
  Tensor result = Tensor::zeros(DType::I32, extentsOf(dims));
  argmaxRows(rows, rows.shape.back(), result);
  return {dims, std::move(result)};
}

/// Values are [g, p, j], indices [g, p], sums [g, n, j].
BodyValue BodyEvaluation::scatter(kernel::ScatterOp op) {
  std::vector<int64_t> dims{0, 1, 3};
  Tensor from = spread(values[op.getValue()], {0, 2, 3}), ids = spread(values[op.getAt()], {0, 2});
  Tensor sums = Tensor::zeros(from.dtype, extentsOf(dims));
  addByIds(from, ids, sums);
  return {dims, std::move(sums)};
}

Expected<BodyValue> BodyEvaluation::random(kernel::RandomOp op) {
  const BodyValue &indices = values[op.getIndex()];
  RandomStream stream{
      static_cast<RandomKind>(op.getKind()), *values[op.getSeed()].tensor.as<int64_t>(),
      *values[op.getAttempt()].tensor.as<int64_t>(), static_cast<int64_t>(op.getSite())};
  Expected<Tensor> result = randomValues(op.getContext(), stream, indices.tensor, mode);
  if (!result) return result.status();
  return BodyValue{indices.dims, result.take()};
}

Expected<BodyValue> BodyEvaluation::scalar(mlir::Operation *op) {
  std::vector<int64_t> dims = unionOfDims(op->getOperands());
  std::vector<Tensor> operands;
  for (mlir::Value operand : op->getOperands())
    operands.push_back(spread(values[operand], dims));
  llvm::SmallVector<const Tensor *> pointers;
  for (const Tensor &operand : operands)
    pointers.push_back(&operand);
  Expected<Tensor> result = evaluateElementwise(op, pointers, mode);
  if (!result) return result.status();
  return BodyValue{dims, result.take()};
}

void BodyEvaluation::store(kernel::StoreOp op) {
  Tensor &target = outputs[outputOf.lookup(op.getTensor())];
  // Over the tensor's own dims the store is a plain read of the value: dims named once, or zeros.
  const BodyValue &value = values[op.getValue()];
  std::vector<int64_t> own = rowMajorStrides(value.tensor.shape), strides;
  for (mlir::AffineExpr expr : op.getMap().getResults()) {
    auto dim = mlir::dyn_cast<mlir::AffineDimExpr>(expr);
    auto found = dim ? llvm::find(value.dims, dim.getPosition()) : value.dims.end();
    strides.push_back(found == value.dims.end() ? 0 : own[found - value.dims.begin()]);
  }
  target = gather(value.tensor, target.shape, strides);
}

Expected<BodyValue> BodyEvaluation::evaluate(mlir::Operation *op) {
  return llvm::TypeSwitch<mlir::Operation *, Expected<BodyValue>>(op)
      .Case([&](kernel::LoadOp o) { return load(o); })
      .Case([&](kernel::IotaOp o) { return iota(o); })
      .Case([&](kernel::ReduceOp o) { return reduce(o); })
      .Case([&](kernel::ArgmaxOp o) { return argmax(o); })
      .Case([&](kernel::ScatterOp o) { return scatter(o); })
      .Case([&](kernel::RandomOp o) { return random(o); })
      .Default([&](mlir::Operation *o) { return scalar(o); });
}

Status BodyEvaluation::run(Operands inputs) {
  for (auto [argument, input] : llvm::zip_equal(func.getInputArgs(), inputs))
    inputOf[argument] = input;
  for (mlir::Value argument : func.getOutputArgs()) {
    outputOf[argument] = outputs.size();
    mlir::Type element = mlir::getElementTypeOrSelf(argument.getType());
    outputs.push_back(
        Tensor::zeros(dtypeOf(element, mode), boundShape(argument.getType(), extent)));
  }
  for (mlir::Operation &op : func.getBlock()) {
    if (auto storeOp = mlir::dyn_cast<kernel::StoreOp>(op)) {
      store(storeOp);
      continue;
    }
    Expected<BodyValue> value = evaluate(&op);
    if (!value) return value.status();
    values[op.getResult(0)] = value.take();
  }
  return Status::ok();
}

} // namespace

Expected<std::vector<Tensor>> interpretKernel(kernel::FuncOp func, int64_t extent,
                                              llvm::ArrayRef<Tensor> inputs, Mode mode) {
  llvm::SmallVector<const Tensor *> pointers;
  for (const Tensor &input : inputs)
    pointers.push_back(&input);
  BodyEvaluation body(func, extent, mode);
  DLM_TRY(body.run(pointers).withContext("@" + func.getSymName().str()));
  return body.takeOutputs();
}

Expected<std::vector<Tensor>> evaluateLaunch(mlir::Operation *op, Operands operands, Mode mode) {
  auto launch = mlir::cast<kernel::LaunchOp>(op);
  kernel::FuncOp func = launch.getKernel();
  if (!func) return invalidArgument("no kernel @" + launch.getCallee().str());
  int64_t extent = launch.getExtent();
  // The kernel may see other shapes than the program: row-major memory is the same.
  std::vector<Tensor> inputs;
  for (auto [argument, operand] : llvm::zip_equal(func.getInputArgs(), operands)) {
    inputs.push_back(*operand);
    inputs.back().shape = boundShape(argument.getType(), extent);
  }
  Expected<std::vector<Tensor>> outputs = interpretKernel(func, extent, inputs, mode);
  if (!outputs) return outputs.status();
  for (auto [output, type] : llvm::zip_equal(*outputs, op->getResultTypes()))
    output.shape = shapeOf(type);
  return outputs.take();
}

} // namespace dlm::reference

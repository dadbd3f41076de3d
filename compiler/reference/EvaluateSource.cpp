// Ops without tensor operands: constants, indices, random values.
#include "compiler/reference/Evaluation.h"
#include "compiler/reference/ScalarText.h"
#include "runtime/base/Philox.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace dlm::reference {

namespace arith = mlir::arith;
namespace math = mlir::math;

namespace {

template <class T> void writeIndices(Tensor &result, int64_t inner, int64_t size) {
  for (int64_t n = 0, count = result.elementCount(); n < count; ++n)
    result.as<T>()[n] = static_cast<T>(n / inner % size);
}

/// Box and Muller as scalar text: r cos a or r sin a with r = sqrt(-2 log u1), a = 2 pi u2.
mlir::Value buildNormal(mlir::OpBuilder &b, mlir::Location loc, mlir::ValueRange scalars) {
  auto constant = [&](double value) -> mlir::Value {
    return arith::ConstantOp::create(b, loc, b.getF32FloatAttr(static_cast<float>(value)));
  };
  mlir::Value log = math::LogOp::create(b, loc, scalars[0]);
  mlir::Value square = arith::MulFOp::create(b, loc, constant(-2), log);
  mlir::Value radius = math::SqrtOp::create(b, loc, square);
  mlir::Value angle = arith::MulFOp::create(b, loc, constant(TwoPiF32), scalars[1]);
  mlir::Value sin = math::SinOp::create(b, loc, angle), cos = math::CosOp::create(b, loc, angle);
  mlir::Value side = arith::SelectOp::create(b, loc, scalars[2], sin, cos);
  return arith::MulFOp::create(b, loc, radius, side);
}

} // namespace

Tensor evaluateConstant(ConstantOp op, Mode mode) {
  Tensor result = tensorFor(op.getType(), mode);
  auto elements = mlir::cast<mlir::ElementsAttr>(op.getValue());
  int64_t count = result.elementCount();
  if (mlir::isa<mlir::FloatType>(elements.getElementType())) {
    auto values = elements.getValues<llvm::APFloat>();
    for (int64_t n = 0; n < count; ++n) {
      if (mode == Mode::F32)
        result.as<float>()[n] = values[n].convertToFloat();
      else
        result.as<double>()[n] = values[n].convertToFloat(); // exact: the attribute is f32
    }
    return result;
  }
  auto values = elements.getValues<llvm::APInt>();
  for (int64_t n = 0; n < count; ++n) {
    uint64_t bits = values[n].getZExtValue();
    switch (elementSizeBytes(result.dtype)) {
    case 1:
      result.as<uint8_t>()[n] = static_cast<uint8_t>(bits);
      break;
    case 4:
      result.as<uint32_t>()[n] = static_cast<uint32_t>(bits);
      break;
    default:
      result.as<uint64_t>()[n] = bits;
    }
  }
  return result;
}

Tensor evaluateIota(IotaOp op, Mode mode) {
  Tensor result = tensorFor(op.getType(), mode);
  int64_t dim = op.getDim();
  int64_t inner = rowMajorStrides(result.shape)[dim], size = result.shape[dim];
  switch (result.dtype) {
  case DType::F32:
    writeIndices<float>(result, inner, size);
    break;
  case DType::F64:
    writeIndices<double>(result, inner, size);
    break;
  case DType::I32:
    writeIndices<int32_t>(result, inner, size);
    break;
  default:
    writeIndices<int64_t>(result, inner, size);
  }
  return result;
}

Expected<Tensor> randomValues(mlir::MLIRContext *context, RandomStream stream,
                              const Tensor &indices, Mode mode) {
  int64_t count = indices.elementCount();
  Tensor u1 = Tensor::zeros(DType::F32, indices.shape), u2 = u1;
  Tensor sine = Tensor::zeros(DType::Bool, indices.shape);
  for (int64_t n = 0; n < count; ++n) {
    RandomPlace place{static_cast<uint64_t>(stream.seed), static_cast<uint64_t>(stream.attempt),
                      static_cast<uint32_t>(stream.site),
                      static_cast<uint64_t>(indices.as<int64_t>()[n])};
    if (stream.kind == RandomKind::Uniform) {
      u1.as<float>()[n] = randomUniform(place);
      continue;
    }
    NormalUniforms uniforms = normalUniforms(place);
    u1.as<float>()[n] = uniforms.u1;
    u2.as<float>()[n] = uniforms.u2;
    sine.as<uint8_t>()[n] = uniforms.sine;
  }
  DType dtype = mode == Mode::F32 ? DType::F32 : DType::F64;
  u1 = withPrecision(std::move(u1), dtype);
  if (stream.kind == RandomKind::Uniform) return u1;
  u2 = withPrecision(std::move(u2), dtype);
  auto loc = mlir::UnknownLoc::get(context);
  mlir::Type f32 = mlir::Float32Type::get(context), i1 = mlir::IntegerType::get(context, 1);
  Expected<ScalarProgram> program = compileScalars(
      loc, {f32, f32, i1},
      [&](mlir::OpBuilder &b, mlir::ValueRange scalars) { return buildNormal(b, loc, scalars); },
      mode);
  if (!program) return program.status();
  Tensor result = Tensor::zeros(dtype, indices.shape);
  program->run({u1.bytes.data(), u2.bytes.data(), sine.bytes.data()}, result.bytes.data(), count);
  return result;
}

Expected<Tensor> evaluateRandom(RandomOp op, Operands operands, Mode mode) {
  Tensor indices = Tensor::zeros(DType::I64, shapeOf(op.getType()));
  int64_t first = op.getFirst() ? *operands[2]->as<int64_t>() : 0;
  for (int64_t n = 0, count = indices.elementCount(); n < count; ++n)
    indices.as<int64_t>()[n] = first + n;
  RandomStream stream{op.getKind(), *operands[0]->as<int64_t>(), *operands[1]->as<int64_t>(),
                      static_cast<int64_t>(op.getSite())};
  return randomValues(op.getContext(), stream, indices, mode);
}

} // namespace dlm::reference

// Compiles scalar text into instructions over registers, and runs them block by block.
#include "compiler/reference/ScalarProgram.h"
#include "compiler/reference/Evaluation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <algorithm>
#include <cstring>

namespace dlm::reference {

namespace {

template <class T> std::vector<uint8_t> bytesOf(T value) {
  std::vector<uint8_t> bytes(sizeof(T));
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}

/// The bytes of a scalar constant as a register of type `dtype` holds it.
std::vector<uint8_t> constantBytes(mlir::TypedAttr attr, DType dtype) {
  if (auto number = mlir::dyn_cast<mlir::FloatAttr>(attr)) {
    if (dtype == DType::F64) return bytesOf(number.getValueAsDouble());
    return bytesOf(number.getValue().convertToFloat());
  }
  llvm::APInt value = mlir::cast<mlir::IntegerAttr>(attr).getValue();
  std::vector<uint8_t> bytes = bytesOf<uint64_t>(value.getZExtValue()); // little-endian
  bytes.resize(elementSizeBytes(dtype));
  return bytes;
}

} // namespace

Expected<ScalarProgram> ScalarProgram::compile(mlir::func::FuncOp text, Mode mode) {
  ScalarProgram program;
  llvm::DenseMap<mlir::Value, unsigned> registerOf;
  auto addRegister = [&](mlir::Value value) {
    registerOf[value] = program.registers.size();
    program.registers.push_back({dtypeOf(value.getType(), mode), {}});
    return registerOf[value];
  };
  for (mlir::Value argument : text.getArguments())
    addRegister(argument);
  for (mlir::Operation &op : text.getBody().front()) {
    if (auto back = mlir::dyn_cast<mlir::func::ReturnOp>(op)) {
      program.result = registerOf.at(back.getOperand(0));
      return program;
    }
    if (auto constant = mlir::dyn_cast<mlir::arith::ConstantOp>(op)) {
      unsigned index = addRegister(constant);
      Register &target = program.registers[index];
      target.constant = constantBytes(constant.getValue(), target.dtype);
      continue;
    }
    Instruction instruction;
    instruction.function = selectScalarFunction(&op, mode);
    if (!instruction.function)
      return unsupported("the interpreter has no scalar op '" + op.getName().getStringRef().str() +
                         "' on these types");
    for (mlir::Value operand : op.getOperands())
      instruction.sources.push_back(registerOf.at(operand));
    instruction.result = addRegister(op.getResult(0));
    program.instructions.push_back(std::move(instruction));
  }
  return internalError("scalar text without a return");
}

void ScalarProgram::run(llvm::ArrayRef<const void *> inputs, void *output, int64_t count) const {
  std::vector<std::vector<uint64_t>> storage(registers.size());
  std::vector<const void *> places(registers.size());
  for (size_t index = inputs.size(); index < registers.size(); ++index) {
    storage[index].resize(BlockSize);
    places[index] = storage[index].data();
    auto *bytes = reinterpret_cast<uint8_t *>(storage[index].data());
    const std::vector<uint8_t> &constant = registers[index].constant;
    for (int64_t i = 0; i < BlockSize && !constant.empty(); ++i)
      std::memcpy(bytes + i * constant.size(), constant.data(), constant.size());
  }
  std::vector<const void *> sources;
  for (int64_t begin = 0; begin < count; begin += BlockSize) {
    int64_t size = std::min(BlockSize, count - begin);
    for (size_t index = 0; index < inputs.size(); ++index)
      places[index] = static_cast<const uint8_t *>(inputs[index]) +
                      begin * elementSizeBytes(registers[index].dtype);
    for (const Instruction &instruction : instructions) {
      sources.clear();
      for (unsigned source : instruction.sources)
        sources.push_back(places[source]);
      instruction.function(storage[instruction.result].data(), sources.data(), size);
    }
    uint64_t elementSize = elementSizeBytes(resultDType());
    std::memcpy(static_cast<uint8_t *>(output) + begin * elementSize, places[result],
                size * elementSize);
  }
}

} // namespace dlm::reference

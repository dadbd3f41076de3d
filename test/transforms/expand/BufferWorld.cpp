// Arguments and results are matched to buffers by the names the functions carry.
#include "test/transforms/expand/BufferWorld.h"

#include <gtest/gtest.h>

namespace dlm::test {

using reference::Tensor;

namespace {

template <class T> void store(Tensor &tensor, const std::vector<double> &numbers) {
  for (size_t i = 0; i < numbers.size(); ++i)
    tensor.as<T>()[i] = static_cast<T>(numbers[i]);
}

template <class T> std::vector<double> load(const Tensor &tensor) {
  return {tensor.as<T>(), tensor.as<T>() + tensor.elementCount()};
}

} // namespace

void BufferWorld::run(const std::string &program) {
  auto function = module.lookupSymbol<mlir::func::FuncOp>(program);
  ASSERT_TRUE(function) << program;
  std::vector<Tensor> arguments;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    auto buffer = buffers.find(reference::argumentName(function, i));
    ASSERT_NE(buffer, buffers.end()) << program << ": " << reference::argumentName(function, i);
    arguments.push_back(buffer->second);
  }
  auto results = reference::interpret(function, arguments, mode);
  ASSERT_TRUE(results.isOk()) << results.status().message();
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    buffers[reference::resultName(function, i)] = (*results)[i];
}

void BufferWorld::set(const std::string &buffer, std::vector<int64_t> shape,
                      const std::vector<double> &numbers, DType dtype) {
  if (dtype == DType::F32 && mode == reference::Mode::F64) dtype = DType::F64;
  Tensor tensor = Tensor::zeros(dtype, std::move(shape));
  ASSERT_EQ(tensor.elementCount(), int64_t(numbers.size())) << buffer;
  switch (dtype) {
  case DType::F32:
    store<float>(tensor, numbers);
    break;
  case DType::F64:
    store<double>(tensor, numbers);
    break;
  case DType::I32:
    store<int32_t>(tensor, numbers);
    break;
  case DType::I64:
    store<int64_t>(tensor, numbers);
    break;
  default:
    store<uint8_t>(tensor, numbers);
    break;
  }
  buffers[buffer] = std::move(tensor);
}

std::vector<double> BufferWorld::get(const std::string &buffer) const {
  const Tensor &tensor = buffers.at(buffer);
  switch (tensor.dtype) {
  case DType::F32:
    return load<float>(tensor);
  case DType::F64:
    return load<double>(tensor);
  case DType::I32:
    return load<int32_t>(tensor);
  case DType::I64:
    return load<int64_t>(tensor);
  default:
    return load<uint8_t>(tensor);
  }
}

} // namespace dlm::test

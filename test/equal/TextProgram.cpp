// Parses and runs IR text for the equality tests.
#include "test/equal/TextProgram.h"

#include "dialects/dlm/Dlm.h"
#include "dialects/kernel/Kernel.h"
#include "runtime/base/Philox.h"

#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

namespace dlm::test {

TextProgram::TextProgram(const std::string &text) {
  mlirContext.loadDialect<DlmDialect, kernel::KernelDialect, mlir::func::FuncDialect,
                          mlir::arith::ArithDialect, mlir::math::MathDialect>();
  parsed = mlir::parseSourceString<mlir::ModuleOp>(text, &mlirContext);
  EXPECT_TRUE(parsed) << text;
  if (!parsed) parsed = mlir::ModuleOp::create(mlir::UnknownLoc::get(&mlirContext));
}

mlir::func::FuncOp TextProgram::func(const std::string &name) {
  return parsed->lookupSymbol<mlir::func::FuncOp>(name);
}

std::vector<Tensor> TextProgram::run(const std::vector<Tensor> &arguments, Mode mode) {
  auto f = func("f");
  EXPECT_TRUE(f);
  if (!f) return {};
  auto results = reference::interpret(f, arguments, mode);
  EXPECT_TRUE(results.isOk()) << results.status().message();
  return results ? results.take() : std::vector<Tensor>();
}

std::string moduleOf(const std::string &op, const std::vector<std::string> &types,
                     const std::string &resultType) {
  std::string parameters;
  for (size_t index = 0; index < types.size(); ++index)
    parameters += (index ? ", %a" : "%a") + std::to_string(index) + ": " + types[index];
  return "func.func @f(" + parameters + ") -> " + resultType + " {\n  %r = " + op +
         "\n  return %r : " + resultType + "\n}\n";
}

Tensor runOp(const std::string &op, const std::vector<std::string> &types,
             const std::string &resultType, const std::vector<Tensor> &arguments, Mode mode) {
  std::vector<Tensor> results = TextProgram(moduleOf(op, types, resultType)).run(arguments, mode);
  return results.empty() ? Tensor() : results[0];
}

Tensor floats(const std::vector<float> &values) {
  return floats({static_cast<int64_t>(values.size())}, values);
}

Tensor floats(std::vector<int64_t> shape, const std::vector<float> &values) {
  return makeTensor<float>(DType::F32, std::move(shape), values);
}

std::vector<float> someFloats(int64_t count, uint32_t site, float low, float high) {
  std::vector<float> values;
  for (int64_t index = 0; index < count; ++index)
    values.push_back(low + (high - low) * randomUniform({1, 0, site, uint64_t(index)}));
  return values;
}

} // namespace dlm::test

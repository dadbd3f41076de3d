// dlm-interp: runs one function of an IR file on the tensors of a safetensors file with the
// reference interpreter. What generated code is compared with.
//
//   dlm-interp FILE --entry NAME --in a.safetensors --out b.safetensors [--mode f32|f64]
//
// Tensors are matched by name: the `dlm.buffer` attribute of an argument or result, else argN and
// resultN. The input file may hold more tensors than the function takes.
#include "compiler/driver/Registry.h"
#include "compiler/reference/Interpreter.h"
#include "runtime/base/Safetensors.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;
using dlm::reference::Mode;
using dlm::reference::Tensor;

namespace {

cl::OptionCategory category("dlm-interp");
cl::opt<std::string> fileName(cl::Positional, cl::desc("FILE"), cl::Required, cl::cat(category));
cl::opt<std::string> entry("entry", cl::desc("The function to run"), cl::Required,
                           cl::value_desc("NAME"), cl::cat(category));
cl::opt<std::string> inputName("in", cl::desc("The arguments, a safetensors file"),
                               cl::value_desc("FILE"), cl::cat(category));
cl::opt<std::string> outputName("out", cl::desc("Where the results go, a safetensors file"),
                                cl::Required, cl::value_desc("FILE"), cl::cat(category));
cl::opt<Mode> mode("mode", cl::desc("Precision of floats"), cl::init(Mode::F32),
                   cl::values(clEnumValN(Mode::F32, "f32", "bit for bit as generated code"),
                              clEnumValN(Mode::F64, "f64", "doubles and libm")),
                   cl::cat(category));

/// The arguments of `func` out of `file`.
dlm::Expected<std::vector<Tensor>> collectArguments(mlir::func::FuncOp func,
                                                    const dlm::Safetensors &file) {
  std::vector<Tensor> arguments;
  for (unsigned index = 0; index < func.getNumArguments(); ++index) {
    std::string name = dlm::reference::argumentName(func, index);
    const dlm::SafeTensor *tensor = file.find(name);
    if (!tensor) return dlm::notFound(inputName + " holds no tensor `" + name + "`");
    Tensor argument;
    argument.dtype = tensor->dtype;
    argument.shape = tensor->shape;
    argument.bytes.assign(tensor->data, tensor->data + tensor->sizeBytes);
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

dlm::Status writeResults(mlir::func::FuncOp func, const std::vector<Tensor> &results) {
  std::vector<dlm::SafeTensor> tensors;
  for (unsigned index = 0; index < results.size(); ++index) {
    const Tensor &result = results[index];
    tensors.push_back({dlm::reference::resultName(func, index), result.dtype, result.shape,
                       result.bytes.data(), result.bytes.size()});
  }
  return dlm::writeSafetensorsFile(outputName, tensors);
}

dlm::Status runEntry(mlir::ModuleOp module) {
  auto func = module.lookupSymbol<mlir::func::FuncOp>(entry);
  if (!func) return dlm::notFound(fileName + " has no function @" + entry);
  dlm::Safetensors file;
  if (!inputName.empty()) {
    auto read = dlm::Safetensors::read(inputName);
    if (!read) return read.status();
    file = read.take();
  }
  auto arguments = collectArguments(func, file);
  if (!arguments) return arguments.status();
  auto results = dlm::reference::interpret(func, *arguments, mode);
  if (!results) return results.status();
  return writeResults(func, *results);
}

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, "runs a function of an IR file on tensors\n");
  mlir::DialectRegistry registry;
  registerToolDialects(registry);
  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(fileName, &context);
  if (!module) return 1; // the parser has said why
  dlm::Status status = runEntry(*module);
  if (status.isOk()) return 0;
  llvm::errs() << "error: " << status.message() << "\n";
  return 1;
}

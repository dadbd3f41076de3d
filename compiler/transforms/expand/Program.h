// A program under construction: a function whose arguments are read from named buffers and whose
// results are written to named buffers. A buffer becomes an argument when it is first asked for.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <utility>
#include <vector>

namespace dlm::expand {

/// A value and the buffer it goes to.
using NamedResult = std::pair<std::string, mlir::Value>;

class Program {
public:
  /// Wraps a function of one block that ends in `func.return`.
  explicit Program(mlir::func::FuncOp function);

  /// A new, empty program at the end of the module. `rows` is 0 for one without a batch.
  static Program create(mlir::ModuleOp module, llvm::StringRef name, int64_t rows);

  /// The program `name` of the module, if there is one.
  static mlir::func::FuncOp find(mlir::ModuleOp module, llvm::StringRef name);

  /// What kind of program a function is ("grad"), or "".
  static llvm::StringRef kind(mlir::func::FuncOp function);

  /// Whether it is `grad`, or that of one of several updates.
  static bool isGrad(mlir::func::FuncOp function);

  mlir::func::FuncOp function() { return func; }
  mlir::Block &body() { return func.getBody().front(); }
  int64_t rows();

  /// Inserts before the return.
  mlir::OpBuilder &builder();

  /// The argument read from a buffer; it is appended if no argument reads that buffer yet.
  mlir::Value argument(llvm::StringRef buffer, mlir::Type type);

  /// The argument read from a buffer, or null.
  mlir::Value findArgument(llvm::StringRef buffer);

  /// Name of the buffer an argument is read from.
  llvm::StringRef bufferOf(mlir::BlockArgument argument);

  std::vector<NamedResult> results();
  void setResults(llvm::ArrayRef<NamedResult> results);

  /// Erases the ops that no result needs.
  void dropUnusedOps();

  /// Drops the arguments that nothing uses.
  void dropUnusedArguments();

private:
  mlir::func::FuncOp func;
  mlir::OpBuilder build;
};

} // namespace dlm::expand

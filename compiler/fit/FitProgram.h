// The functions of all `data.fit` of a program as one module that is compiled and opened in
// process, as an executable's is: the same passes, the same kernels, the same bits.
#pragma once

#include "compiler/pipeline/Backend.h"
#include "compiler/sema/TypedProgram.h"
#include "compiler/source/SourceManager.h"
#include "runtime/executor/Executor.h"

#include <memory>
#include <string>
#include <vector>

namespace dlm::fit {

/// A function of `data.fit`. It reads fields of all training samples, or one column of a table.
struct Fit {
  std::string path; // of what starts with it
  const sema::Graph *graph = nullptr;
  int64_t columns = 0; // it is computed for each of them; 0: once, from whole fields
  sema::TensorType type;
  Span span;

  /// The program that computes it, and where the result lies.
  std::string program() const { return "fit." + path; }
  std::string result() const { return "value." + path; }
};

/// The name of the place where a fit reads all values of a field.
std::string placeOf(const std::string &field, bool isColumn);

class FitProgram {
public:
  /// Compiles the functions; nothing is allocated yet.
  static Expected<std::unique_ptr<FitProgram>> compile(const std::vector<Fit> &fits,
                                                       const sema::TypedProgram &program,
                                                       const SourceManager &sources);

  /// The memory that samples and intermediate values take.
  uint64_t memoryBytes() const;

  /// Allocates it.
  Status open();

  /// A place by its name; nothing if no fit reads or writes it.
  BufferView find(const std::string &name) const { return executor->find(name); }

  void run(const Fit &fit) { executor->run(executor->findProgram(fit.program())); }

private:
  FitProgram() = default;

  CompiledProgram compiled;
  const plan::Plan *plan = nullptr;
  std::unique_ptr<KernelLibrary> kernels;
  std::unique_ptr<Executor> executor;
};

} // namespace dlm::fit

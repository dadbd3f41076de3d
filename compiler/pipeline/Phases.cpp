// The bookkeeping around phases.
#include "compiler/pipeline/Phases.h"

#include "runtime/base/Clock.h"
#include "runtime/base/FileBytes.h"

#include <mlir/IR/Diagnostics.h>

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Format.h>
#include <llvm/Support/raw_ostream.h>

using namespace mlir;

namespace dlm {

static std::vector<uint8_t> bytesOf(const std::string &text) { return {text.begin(), text.end()}; }

std::string printModule(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  stream << "\n";
  return text;
}

Status Phases::run(const std::string &name, const std::string &extension,
                   const std::function<Status()> &work, const std::function<std::string()> &text) {
  int64_t start = monotonicNs();
  DLM_TRY(work());
  phaseTimes.push_back({name, double(monotonicNs() - start) * 1e-6});
  if (options.dumpFolder.empty()) return Status::ok();
  return dump(name, extension, text());
}

Status Phases::runOn(ModuleOp module, const std::string &name, const std::string &pass,
                     const std::function<LogicalResult()> &work,
                     const std::function<std::string()> &text) {
  // Printing is cheap beside the phases; it makes every failure replayable.
  std::string input;
  {
    llvm::raw_string_ostream stream(input);
    module.print(stream, OpPrintingFlags().enableDebugInfo());
  }
  std::string errors;
  auto reported = [&]() -> Status {
    ScopedDiagnosticHandler handler(module.getContext(), [&](Diagnostic &diagnostic) {
      llvm::raw_string_ostream stream(errors);
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
        stream << "\n  " << diagnostic.getLocation() << ": " << diagnostic.str();
      return success();
    });
    if (succeeded(work())) return Status::ok();
    return internalError("internal error in phase '" + name + "':" + errors +
                         writeReproducer(name, pass, input));
  };
  return run(name, "mlir", reported, text);
}

Status Phases::runPasses(const std::string &name, ModuleOp module,
                         const std::function<void(OpPassManager &)> &build) {
  auto work = [&] {
    PassManager passes(module->getName());
    build(passes);
    return passes.run(module);
  };
  return runOn(module, name, "dlm-" + name, work, [&] { return printModule(module); });
}

std::string Phases::writeReproducer(const std::string &name, const std::string &pass,
                                    const std::string &input) const {
  std::string path = options.reproducerFolder + "/dlmc-" + name + "-reproducer.mlir";
  if (!writeFileBytes(path, bytesOf(input)).isOk()) return "";
  return "\nwhat the phase was given is in " + path + "; replay with\n  dlm-opt --" + pass + " " +
         path;
}

Status Phases::dump(const std::string &name, const std::string &extension,
                    const std::string &text) {
  if (std::error_code error = llvm::sys::fs::create_directories(options.dumpFolder))
    return invalidArgument("cannot create the folder " + options.dumpFolder + ": " +
                           error.message());
  std::string path;
  llvm::raw_string_ostream(path) << options.dumpFolder << "/" << llvm::format("%02u", ++number)
                                 << "-" << name << "." << extension;
  bool isSame = number > 1 && text == lastText;
  std::string shown = isSame ? "// " + name + " changed nothing: see " + lastName + "\n" : text;
  if (!isSame) lastName = name;
  lastText = text;
  return writeFileBytes(path, bytesOf(shown));
}

std::string Phases::timeReport() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  double sum = 0;
  for (const PhaseTime &phase : phaseTimes) {
    stream << llvm::format("%10.1f ms  %s\n", phase.milliseconds, phase.name.c_str());
    sum += phase.milliseconds;
  }
  stream << llvm::format("%10.1f ms  total\n", sum);
  return text;
}

} // namespace dlm

// parse, check, lower, expand, simplify, pin: the order of the first half.
#include "compiler/pipeline/Pipeline.h"

#include "compiler/fit/FitValues.h"
#include "compiler/fit/Weights.h"
#include "compiler/lower/Lower.h"
#include "compiler/lower/NotYet.h"
#include "compiler/lower/Updates.h"
#include "compiler/sema/Check.h"
#include "compiler/sema/PrintTyped.h"
#include "compiler/source/LargeStack.h"
#include "compiler/syntax/Parser.h"
#include "compiler/syntax/PrintAst.h"
#include "compiler/transforms/expand/Passes.h"
#include "compiler/transforms/pin/Passes.h"
#include "compiler/transforms/simplify/Passes.h"

#include <mlir/IR/Diagnostics.h>

#include <llvm/Support/SHA256.h>

using namespace mlir;

namespace dlm {

namespace {

/// One compilation: the program in whatever form it has at the moment.
class Compilation {
public:
  Compilation(const PipelineOptions &options, SourceManager &sources, DiagnosticEngine &diagnostics)
      : options(options), sources(sources), diagnostics(diagnostics), phases(options.phases),
        context(MLIRContext::Threading::DISABLED) {}

  Expected<PipelineResult> run(const std::string &path);

private:
  Status frontEnd(const std::string &path);
  Status parse(const std::string &path);
  Status check();
  Status fit();
  Status lower();
  Status middle();
  Status back();
  bool stopsAt(const std::string &phase) const { return options.emit == phase; }
  std::vector<uint8_t> sourceHash() const;

  const PipelineOptions &options;
  SourceManager &sources;
  DiagnosticEngine &diagnostics;
  Phases phases;
  MLIRContext context;
  std::unique_ptr<ast::File> file;
  std::optional<sema::TypedProgram> typed;
  lower::LowerOptions lowerOptions;
  OwningOpRef<ModuleOp> module;
  PipelineResult result;
  bool isDone = false;
};

} // namespace

/// The user's errors have been reported; nothing more is to be said.
static Status reported() { return invalidArgument(""); }

Status Compilation::parse(const std::string &path) {
  std::string reason;
  std::optional<FileId> id = sources.load(path, reason);
  if (!id) {
    diagnostics.error(Kind::MissingFile, {}, "`" + path + "` cannot be read: " + reason);
    return reported();
  }
  file = parseFile(sources, *id, diagnostics);
  return file ? Status::ok() : reported();
}

Status Compilation::check() {
  sema::CheckOptions checkOptions;
  checkOptions.definitions = options.definitions;
  checkOptions.train = options.train;
  checkOptions.everyTrain = options.checksOnly;
  if (options.checksOnly)
    checkOptions.eachTrain = [&](const sema::TypedProgram &train) {
      DiagnosticEngine later(sources);
      lower::reportNotYet(train, later);
      result.isNotYet |= later.hasErrors();
      diagnostics.addAsWarnings(later);
    };
  bool isCheck = options.checksOnly || stopsAt("typed");
  checkOptions.purpose = isCheck ? sema::Purpose::Check : sema::Purpose::Run;
  typed = sema::check(*file, sources, diagnostics, checkOptions);
  return typed ? Status::ok() : reported();
}

/// What `data.fit` computes and `weights` reads, where a program has any.
Status Compilation::fit() {
  lower::joinUpdates(*typed);
  lower::reportNotYet(*typed, diagnostics);
  if (diagnostics.hasErrors()) return reported();
  bool hasFits = fit::hasFits(*typed);
  if (!hasFits && typed->weights.empty()) return Status::ok();
  auto work = [&]() -> Status {
    if (hasFits) {
      Expected<lower::FittedValues> values = fit::fitValues(*typed, sources, diagnostics);
      if (!values) return values.status();
      lowerOptions.fitted = values.take();
    }
    return fit::readWeights(*typed, diagnostics, lowerOptions.fitted);
  };
  return phases.run("fit", "txt", work,
                    [&] { return std::to_string(lowerOptions.fitted.bytes.size()) + " values\n"; });
}

Status Compilation::lower() {
  lower::loadDialects(context);
  loadBackendDialects(context);
  std::string errors;
  ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    llvm::raw_string_ostream(errors)
        << "\n  " << diagnostic.getLocation() << ": " << diagnostic.str();
    return success();
  });
  module = lower::lower(*typed, context, sources, lowerOptions);
  return module ? Status::ok() : internalError("internal error in phase 'lower':" + errors);
}

Status Compilation::frontEnd(const std::string &path) {
  DLM_TRY(phases.run("parse", "dlm", [&] { return parse(path); }, [&] { return printAst(*file); }));
  if (stopsAt("ast")) {
    result.text = printAst(*file);
    isDone = true;
    return Status::ok();
  }
  DLM_TRY(phases.run(
      "check", "txt", [&] { return check(); }, [&] { return sema::printTyped(*typed); }));
  if (options.checksOnly) isDone = true;
  if (stopsAt("typed")) {
    result.text = sema::printTyped(*typed);
    isDone = true;
  }
  return Status::ok();
}

Status Compilation::middle() {
  auto stop = [&](const std::string &phase) {
    isDone = stopsAt(phase);
    if (isDone) result.text = printModule(*module);
    return isDone;
  };
  DLM_TRY(fit());
  DLM_TRY(
      phases.run("lower", "mlir", [&] { return lower(); }, [&] { return printModule(*module); }));
  if (stop("lower")) return Status::ok();
  DLM_TRY(phases.runPasses("expand", *module, expand::buildPipeline));
  if (stop("expand")) return Status::ok();
  DLM_TRY(phases.runPasses("simplify", *module, simplify::buildPipeline));
  if (stop("simplify")) return Status::ok();
  DLM_TRY(phases.runPasses("pin", *module, pin::buildPipeline));
  stop("pin");
  return Status::ok();
}

/// SHA-256 over all texts and definitions: what a checkpoint compares.
std::vector<uint8_t> Compilation::sourceHash() const {
  llvm::SHA256 hash;
  for (FileId id = 0; id < sources.fileCount(); ++id) {
    std::string_view text = sources.text(id);
    hash.update(llvm::StringRef(text.data(), text.size()));
  }
  for (const auto &[name, value] : options.definitions)
    hash.update(name + "=" + value + "\n");
  auto digest = hash.final();
  return {digest.begin(), digest.end()};
}

Status Compilation::back() {
  BackendOptions backend = options.backend;
  backend.sourceHash = sourceHash();
  for (FileId id = 0; id < sources.fileCount(); ++id)
    if (sources.path(id).rfind("stdlib/", 0) != 0) // the library is the compiler's
      backend.sources.emplace_back(sources.path(id), sources.text(id));
  backend.stopAfter = options.emit == "plan" ? "" : options.emit;
  Expected<CompiledProgram> program = runBackend(*module, backend, phases, result.text);
  if (!program) return program.status();
  result.program = program.take();
  return Status::ok();
}

Expected<PipelineResult> Compilation::run(const std::string &path) {
  DLM_TRY(frontEnd(path));
  if (!isDone) DLM_TRY(middle());
  if (!isDone) DLM_TRY(back());
  result.timeReport = phases.timeReport();
  return std::move(result);
}

const std::vector<std::string> &emitPhases() {
  static const std::vector<std::string> names = {"ast", "typed", "lower", "expand", "simplify",
                                                 "pin", "fuse",  "place", "plan",   "llvm",
                                                 "gpu", "nvvm",  "ptx"};
  return names;
}

bool isDevicePhase(const std::string &phase) {
  return phase == "gpu" || phase == "nvvm" || phase == "ptx";
}

Expected<PipelineResult> compileFile(const std::string &path, const PipelineOptions &options,
                                     SourceManager &sources, DiagnosticEngine &diagnostics) {
  std::optional<Expected<PipelineResult>> result;
  // Passes walk expressions by recursion, too.
  runOnLargeStack([&] { result = Compilation(options, sources, diagnostics).run(path); });
  return std::move(*result);
}

} // namespace dlm

// From a text to a program that can be opened, and what was said of it on the way.
#include "compiler/diagnostics/Render.h"
#include "compiler/embed/Parts.h"
#include "compiler/pipeline/Pipeline.h"
#include "compiler/source/TextFile.h"
#include "runtime/abi/PlanVerify.h"

#include <mutex>

namespace dlm::embed {

Report reportOf(const std::string &kind, const std::string &message) {
  return {{{Severity::Error, kind, message, "", 0, 0}}, "error: " + message + "\n"};
}

Report reportOf(const Status &status) {
  return reportOf(status.code() == Code::Internal ? "internal-error" : "run", status.message());
}

static Report reportOf(const DiagnosticEngine &diagnostics) {
  Report report;
  const SourceManager &sources = diagnostics.sources();
  for (const dlm::Diagnostic *each : diagnostics.sorted()) {
    Diagnostic said;
    said.severity = each->severity == dlm::Severity::Error ? Severity::Error : Severity::Warning;
    said.kind = kindInfo(each->kind).word;
    said.message = each->message;
    if (each->span.isValid()) {
      LineColumn place = sources.position(each->span.file, each->span.begin);
      said.file = sources.path(each->span.file);
      said.line = place.line;
      said.column = place.column;
    }
    report.diagnostics.push_back(std::move(said));
  }
  report.text = renderText(diagnostics);
  return report;
}

/// Plan and kernels as an executable would open them.
static Status open(Program::Parts &parts) {
  CompiledProgram &compiled = parts.compiled;
  Expected<const plan::Plan *> plan = loadPlan(compiled.plan.data(), compiled.plan.size());
  if (!plan) return plan.status();
  parts.plan = *plan;
  auto *kernels = reinterpret_cast<const uint8_t *>(compiled.kernels.data());
  Expected<std::unique_ptr<KernelLibrary>> library =
      openKernelLibrary(kernels, compiled.kernels.size());
  if (!library) return library.status();
  parts.kernels = library.take();
  return Status::ok();
}

static PipelineOptions pipelineOptions(const CompileOptions &options) {
  PipelineOptions pipeline;
  for (const auto &definition : options.definitions)
    pipeline.definitions.push_back(definition);
  pipeline.train = options.train;
  pipeline.backend.build = DLM_VERSION;
  return pipeline;
}

static Result<Program> compile(SourceManager &sources, const std::string &path,
                               const CompileOptions &options) {
  DiagnosticEngine diagnostics(sources);
  Expected<PipelineResult> result =
      dlm::compileFile(path, pipelineOptions(options), sources, diagnostics);
  Report report = reportOf(diagnostics);
  auto parts = std::make_shared<Program::Parts>();
  Status status = result.status();
  if (status.isOk()) {
    parts->compiled = std::move(result->program);
    status = open(*parts);
  }
  if (status.isOk()) return {Program(std::move(parts)), std::move(report)};
  if (!status.message().empty()) { // else the errors have been reported
    Report last = reportOf(status);
    report.diagnostics.push_back(last.diagnostics.front());
    report.text += last.text;
  }
  return report;
}

/// One compilation at a time: the libraries underneath have tables of their own.
static std::mutex &compiling() {
  static std::mutex mutex;
  return mutex;
}

Result<Program> compile(const std::string &text, const CompileOptions &options) {
  return guarded([&]() -> Result<Program> {
    if (text.size() > TextFile::sizeBytesMax)
      return reportOf("command", "the text has " + std::to_string(text.size()) +
                                     " bytes; no program is that long");
    std::lock_guard<std::mutex> lock(compiling());
    SourceManager sources;
    sources.setOverlay([&](const std::string &path) {
      return path == options.name ? std::optional<std::string>(text) : std::nullopt;
    });
    return compile(sources, options.name, options);
  });
}

Result<Program> compileFile(const std::string &path, const CompileOptions &options) {
  return guarded([&]() -> Result<Program> {
    std::lock_guard<std::mutex> lock(compiling());
    SourceManager sources;
    return compile(sources, path, options);
  });
}

Program::Program(std::shared_ptr<const Parts> parts) : parts(std::move(parts)) {}

std::string Program::name() const {
  const plan::Recipe *recipe = parts->plan->recipe();
  return recipe && recipe->name() ? recipe->name()->str() : "";
}

} // namespace dlm::embed

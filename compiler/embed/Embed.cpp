// Hands the bytes of the compiler to the launcher of the runtime.
#include "compiler/embed/Embed.h"

#include "compiler/diagnostics/Render.h"
#include "runtime/launch/RunProgram.h"

namespace dlm {

std::optional<EmbeddedProgram> EmbeddedProgram::compile(const std::string &path,
                                                        const PipelineOptions &options,
                                                        std::string &message) {
  SourceManager sources;
  DiagnosticEngine diagnostics(sources);
  Expected<PipelineResult> result = compileFile(path, options, sources, diagnostics);
  message = renderText(diagnostics);
  if (result) return EmbeddedProgram(std::move(result->program));
  message += result.status().message();
  return std::nullopt;
}

int EmbeddedProgram::run(const std::string &name, const std::vector<std::string> &arguments) const {
  return runInProcess(program, name, arguments);
}

int runInProcess(const CompiledProgram &program, const std::string &name,
                 const std::vector<std::string> &arguments) {
  std::vector<const char *> argv = {name.c_str()};
  for (const std::string &argument : arguments)
    argv.push_back(argument.c_str());
  auto bytesOf = [](const std::vector<char> &bytes) {
    return reinterpret_cast<const uint8_t *>(bytes.data());
  };
  ProgramBytes bytes;
  bytes.plan = {program.plan.data(), program.plan.size()};
  bytes.kernels = {bytesOf(program.kernels), program.kernels.size()};
  for (const CodeImage &image : program.images)
    bytes.images.push_back({image.name, bytesOf(image.bytes), image.bytes.size()});
  return runProgram(bytes, int(argv.size()), argv.data());
}

} // namespace dlm

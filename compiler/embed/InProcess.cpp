// Hands the bytes of the compiler to the launcher of the runtime.
#include "compiler/embed/InProcess.h"

namespace dlm {

static const uint8_t *bytesOf(const std::vector<char> &bytes) {
  return reinterpret_cast<const uint8_t *>(bytes.data());
}

ProgramBytes programBytes(const CompiledProgram &program) {
  ProgramBytes bytes;
  bytes.plan = {program.plan.data(), program.plan.size()};
  bytes.kernels = {bytesOf(program.kernels), program.kernels.size()};
  for (const CodeImage &image : program.images)
    bytes.images.push_back({image.name, bytesOf(image.bytes), image.bytes.size()});
  return bytes;
}

int runInProcess(const CompiledProgram &program, const std::string &name,
                 const std::vector<std::string> &arguments) {
  std::vector<const char *> argv = {name.c_str()};
  for (const std::string &argument : arguments)
    argv.push_back(argument.c_str());
  return runProgram(programBytes(program), int(argv.size()), argv.data());
}

} // namespace dlm

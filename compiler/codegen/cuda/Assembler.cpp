// Runs NVIDIA's assembler as a program and reads what it says of each function.
#include "compiler/codegen/cuda/CudaCodegen.h"
#include "compiler/codegen/link/TemporaryFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Regex.h"

#include <cstring>
#include <future>

namespace dlm {

const std::vector<std::string> DefaultArchitectures = {"sm_80", "sm_90", "sm_100"};

namespace {

/// Below the user's cache (~/.cache); tools/setup --cuda installs there.
constexpr char PackageFolder[] = "dlm/cuda/nvidia/cu13/bin";

/// `cuda` and what begins with `cuda-` in /usr/local, the newest first.
std::vector<std::string> listToolkits() {
  std::vector<std::string> found;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator entry("/usr/local", error), end; entry != end && !error;
       entry.increment(error))
    if (llvm::sys::path::filename(entry->path()).starts_with("cuda-"))
      found.push_back(entry->path() + "/bin");
  llvm::sort(found, [](const std::string &a, const std::string &b) {
    return llvm::StringRef(a).compare_numeric(b) > 0;
  });
  found.insert(found.begin(), "/usr/local/cuda/bin");
  return found;
}

unsigned getNumber(llvm::StringRef text) {
  unsigned number = 0;
  text.getAsInteger(10, number);
  return number;
}

/// ptxas -v writes, for each function: its name, its stack and spills, its registers.
std::vector<DeviceResources> parseResources(llvm::StringRef log, llvm::StringRef architecture) {
  const llvm::Regex name("Compiling entry function '([^']+)'"),
      stack("([0-9]+) bytes stack frame, ([0-9]+) bytes spill stores, ([0-9]+) bytes spill loads"),
      registers("Used ([0-9]+) registers"), shared("([0-9]+) bytes smem");
  std::vector<DeviceResources> all;
  llvm::SmallVector<llvm::StringRef, 4> parts;
  for (llvm::StringRef line : llvm::split(log, '\n')) {
    if (name.match(line, &parts)) {
      all.emplace_back();
      all.back().function = parts[1].str();
      all.back().architecture = architecture.str();
    }
    if (all.empty()) continue;
    if (stack.match(line, &parts)) {
      all.back().stackBytes += getNumber(parts[1]);
      all.back().spillBytes += getNumber(parts[2]) + getNumber(parts[3]);
    }
    if (registers.match(line, &parts)) all.back().registers = getNumber(parts[1]);
    if (shared.match(line, &parts)) all.back().sharedBytes = getNumber(parts[1]);
  }
  return all;
}

/// The number in `sm_90` and `sm_90a`; 0 if it is not of this form.
unsigned getArchitectureNumber(llvm::StringRef architecture) {
  llvm::SmallVector<llvm::StringRef, 2> parts;
  if (!llvm::Regex("^sm_([0-9]+)[a-z]?$").match(architecture, &parts)) return 0;
  return getNumber(parts[1]);
}

llvm::Error explainFailure(llvm::StringRef assembler, llvm::StringRef architecture,
                           llvm::StringRef messages) {
  if (messages.contains("is not defined for option 'gpu-name'"))
    return llvm::createStringError("the assembler '" + assembler + "' knows no architecture '" +
                                   architecture + "'");
  return llvm::createStringError("the assembler '" + assembler +
                                 "' could not assemble device code for '" + architecture +
                                 "': " + messages.trim());
}

/// An ELF file for NVIDIA's devices, with both of its tables: they stand at its end.
bool isDeviceCode(llvm::StringRef bytes) {
  constexpr unsigned MachineCuda = 190;
  llvm::ELF::Elf64_Ehdr header;
  if (bytes.size() < sizeof header) return false;
  std::memcpy(&header, bytes.data(), sizeof header);
  return header.checkMagic() && header.getFileClass() == llvm::ELF::ELFCLASS64 &&
         header.e_machine == MachineCuda &&
         header.e_shoff + header.e_shnum * sizeof(llvm::ELF::Elf64_Shdr) <= bytes.size() &&
         header.e_phoff + header.e_phnum * sizeof(llvm::ELF::Elf64_Phdr) <= bytes.size();
}

} // namespace

llvm::Error checkArchitecture(llvm::StringRef architecture) {
  unsigned number = getArchitectureNumber(architecture);
  if (number == 0)
    return llvm::createStringError("there is no architecture '" + architecture +
                                   "'; architectures are named as sm_80");
  if (number < 80)
    return llvm::createStringError("architecture '" + architecture +
                                   "' is too old: device code needs sm_80 or newer");
  return llvm::Error::success();
}

llvm::Expected<std::string> findAssembler() {
  std::vector<std::string> folders;
  std::optional<std::string> root = llvm::sys::Process::GetEnv("DLM_CUDA_ROOT");
  if (root && !root->empty()) {
    llvm::ErrorOr<std::string> path = llvm::sys::findProgramByName("ptxas", {*root + "/bin"});
    if (path) return *path;
    return llvm::createStringError("DLM_CUDA_ROOT is '" + *root + "', but there is no '" + *root +
                                   "/bin/ptxas'");
  }
  if (llvm::ErrorOr<std::string> path = llvm::sys::findProgramByName("ptxas")) return *path;
  for (const std::string &folder : listToolkits())
    if (llvm::ErrorOr<std::string> path = llvm::sys::findProgramByName("ptxas", {folder}))
      return *path;
  llvm::SmallString<64> package;
  if (llvm::sys::path::cache_directory(package)) {
    llvm::sys::path::append(package, PackageFolder);
    if (llvm::ErrorOr<std::string> path = llvm::sys::findProgramByName("ptxas", {package.str()}))
      return *path;
  }
  return llvm::createStringError(
      "NVIDIA's assembler 'ptxas' is not installed; it makes device code "
      "for GPUs. Run: tools/setup --cuda");
}

llvm::Expected<Cubin> assemble(llvm::StringRef ptx, llvm::StringRef architecture) {
  if (llvm::Error error = checkArchitecture(architecture)) return error;
  llvm::Expected<std::string> assembler = findAssembler();
  if (!assembler) return assembler.takeError();
  TemporaryFile input, output, log;
  if (llvm::Error error = input.create("ptx")) return error;
  if (llvm::Error error = output.create("cubin")) return error;
  if (llvm::Error error = log.create("log")) return error; // new, so nothing old is read
  if (llvm::Error error = input.write({ptx.data(), ptx.size()})) return error;
  std::string option = ("-arch=" + architecture).str();
  llvm::StringRef arguments[] = {*assembler, "-O3",           option, "--fmad=false",
                                 "-v",       input.getPath(), "-o",   output.getPath()};
  std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(), log.getPath(), log.getPath()};
  std::string message;
  int status =
      llvm::sys::ExecuteAndWait(*assembler, arguments, std::nullopt, redirects, 0, 0, &message);
  llvm::Expected<std::vector<char>> text = log.read();
  if (!text) return text.takeError();
  llvm::StringRef messages(text->data(), text->size());
  if (status != 0) return explainFailure(*assembler, architecture, message + messages.str());
  llvm::Expected<std::vector<char>> bytes = output.read();
  if (!bytes) return bytes.takeError();
  if (!isDeviceCode({bytes->data(), bytes->size()}))
    return llvm::createStringError("the assembler '" + *assembler +
                                   "' says that it has made code "
                                   "for '" +
                                   architecture + "', but what it has written is none");
  return Cubin{architecture.str(), std::move(*bytes), parseResources(messages, architecture)};
}

llvm::Expected<std::vector<Cubin>> assembleAll(llvm::StringRef ptx,
                                               llvm::ArrayRef<std::string> architectures) {
  std::vector<std::future<llvm::Expected<Cubin>>> runs;
  for (const std::string &architecture : architectures)
    runs.push_back(std::async(std::launch::async,
                              [ptx, &architecture] { return assemble(ptx, architecture); }));
  std::vector<Cubin> cubins;
  llvm::Error errors = llvm::Error::success();
  for (std::future<llvm::Expected<Cubin>> &run : runs) {
    llvm::Expected<Cubin> cubin = run.get();
    if (cubin)
      cubins.push_back(std::move(*cubin));
    else
      errors = llvm::joinErrors(std::move(errors), cubin.takeError());
  }
  if (errors) return errors;
  return cubins;
}

} // namespace dlm

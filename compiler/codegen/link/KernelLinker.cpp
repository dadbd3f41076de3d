// One linker path for all uses: the bytes that an executable carries are those that `dlmc run`
// opens.
#include "compiler/codegen/link/KernelLinker.h"
#include "compiler/codegen/link/TemporaryFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ObjCopy/ConfigManager.h"
#include "llvm/ObjCopy/ObjCopy.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <deque>

namespace dlm {
namespace {

llvm::StringRef toText(llvm::ArrayRef<char> bytes) {
  return llvm::StringRef(bytes.data(), bytes.size());
}

/// The folder of the program that this code is part of.
llvm::SmallString<256> ownFolder() {
  static int anchor = 0;
  llvm::SmallString<256> folder(llvm::sys::fs::getMainExecutable(nullptr, &anchor));
  llvm::sys::path::remove_filename(folder);
  return folder;
}

/// Beside this program, then on the PATH, then where LLVM was when this was built: the linker is
/// found also by who is started without a PATH.
llvm::Expected<std::string> findLinker() {
  llvm::SmallString<256> own = ownFolder();
  llvm::StringRef besideUs[] = {own}, ofLLVM[] = {DLM_LLVM_BIN};
  for (llvm::ArrayRef<llvm::StringRef> folders :
       {llvm::ArrayRef<llvm::StringRef>(besideUs), llvm::ArrayRef<llvm::StringRef>(),
        llvm::ArrayRef<llvm::StringRef>(ofLLVM)})
    for (llvm::StringRef name : {"ld.lld-22", "ld.lld"})
      if (llvm::ErrorOr<std::string> path = llvm::sys::findProgramByName(name, folders))
        return *path;
  return llvm::createStringError(
      "the linker 'ld.lld-22' is not installed (Debian package lld-22); it links kernels");
}

} // namespace

llvm::Expected<Bytes> linkKernels(llvm::ArrayRef<Bytes> objects) {
  llvm::Expected<std::string> linker = findLinker();
  if (!linker) return linker.takeError();
  std::deque<TemporaryFile> files(objects.size() + 2);
  TemporaryFile &output = files[0], &log = files[1];
  if (llvm::Error error = output.create("so")) return error;
  if (llvm::Error error = log.create("log")) return error;
  // `--no-undefined`: a kernel that calls anything is a compiler bug, found here and not at run
  // time.
  std::vector<llvm::StringRef> arguments = {*linker,
                                            "-shared",
                                            "--no-undefined",
                                            "--build-id=none",
                                            "--hash-style=gnu",
                                            "-znoexecstack",
                                            "--strip-all",
                                            "-o",
                                            output.getPath()};
  for (size_t index = 0; index < objects.size(); ++index) {
    TemporaryFile &file = files[index + 2];
    if (llvm::Error error = file.create("o")) return error;
    if (llvm::Error error = file.write(objects[index])) return error;
    arguments.push_back(file.getPath());
  }
  std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(), log.getPath(), log.getPath()};
  std::string message;
  int status =
      llvm::sys::ExecuteAndWait(*linker, arguments, std::nullopt, redirects, 0, 0, &message);
  if (status == 0) return output.read();
  if (llvm::Expected<Bytes> text = log.read())
    message += toText(*text).str();
  else
    llvm::consumeError(text.takeError());
  return llvm::createStringError("'" + *linker + "' could not link the kernels: " + message);
}

static std::string sumsOf(llvm::ArrayRef<Section> sections) {
  std::string lines;
  for (const Section &section : sections)
    lines += llvm::formatv("{0} {1:x-8}\n", section.name,
                           llvm::crc32(llvm::arrayRefFromStringRef(toText(section.bytes))))
                 .str();
  return lines;
}

llvm::Expected<Bytes> addSections(llvm::ArrayRef<char> runner, llvm::ArrayRef<Section> sections) {
  auto input = llvm::MemoryBuffer::getMemBufferCopy(toText(runner), "runner");
  auto binary = llvm::object::ObjectFile::createELFObjectFile(input->getMemBufferRef());
  if (!binary)
    return llvm::joinErrors(llvm::createStringError("the runner is not an ELF file"),
                            binary.takeError());
  llvm::objcopy::ConfigManager config;
  config.Common.InputFilename = "runner";
  config.Common.OutputFilename = "program";
  std::string sums = sumsOf(sections);
  std::vector<Section> all = sections;
  all.push_back({SumsSection, {sums.data(), sums.size()}});
  for (const Section &section : all) {
    config.Common.AddSection.emplace_back(
        section.name, llvm::MemoryBuffer::getMemBufferCopy(toText(section.bytes), section.name));
    // Without `alloc` strip removes it. No segment covers it, so it is not mapped.
    llvm::objcopy::SectionFlagsUpdate flags;
    flags.Name = section.name;
    flags.NewFlags =
        llvm::objcopy::SectionFlag(llvm::objcopy::SecAlloc | llvm::objcopy::SecReadonly);
    config.Common.SetSectionFlags[section.name] = flags;
  }
  llvm::SmallVector<char, 0> output;
  llvm::raw_svector_ostream stream(output);
  if (llvm::Error error = llvm::objcopy::executeObjcopyOnBinary(config, **binary, stream))
    return error;
  return Bytes(output.begin(), output.end());
}

llvm::Expected<Bytes> readSection(llvm::ArrayRef<char> file, llvm::StringRef name) {
  auto binary =
      llvm::object::ObjectFile::createELFObjectFile(llvm::MemoryBufferRef(toText(file), "file"));
  if (!binary) return binary.takeError();
  for (const llvm::object::SectionRef &section : (*binary)->sections()) {
    llvm::Expected<llvm::StringRef> sectionName = section.getName();
    if (!sectionName) return sectionName.takeError();
    if (*sectionName != name) continue;
    llvm::Expected<llvm::StringRef> contents = section.getContents();
    if (!contents) return contents.takeError();
    return Bytes(contents->begin(), contents->end());
  }
  return llvm::createStringError("the file has no section " + name);
}

} // namespace dlm

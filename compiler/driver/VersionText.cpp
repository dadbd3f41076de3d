// The facts that a report of a fault needs: which build, which LLVM, which processor.
#include "compiler/driver/VersionText.h"

#include "compiler/pipeline/Backend.h"
#include "runtime/launch/Commands.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/TargetParser/Host.h>

#include <link.h>

namespace dlm {

/// The build id among the notes of one segment; empty if it is not there.
static llvm::ArrayRef<uint8_t> buildIdIn(llvm::ArrayRef<uint8_t> notes) {
  auto padded = [](size_t size) { return (size + 3) & ~size_t(3); };
  while (notes.size() >= sizeof(ElfW(Nhdr))) {
    auto *note = reinterpret_cast<const ElfW(Nhdr) *>(notes.data());
    size_t name = sizeof *note, text = name + padded(note->n_namesz);
    size_t next = text + padded(note->n_descsz);
    if (next > notes.size()) break;
    bool isGnu = note->n_namesz == 4 && llvm::toStringRef(notes.slice(name, 3)) == "GNU";
    if (isGnu && note->n_type == NT_GNU_BUILD_ID) return notes.slice(text, note->n_descsz);
    notes = notes.drop_front(next);
  }
  return {};
}

/// What the linker made of all bytes of this program, in hexadecimal: two builds that differ in
/// anything have two.
static std::string buildId() {
  std::string id;
  auto look = [](dl_phdr_info *program, size_t, void *result) {
    for (unsigned i = 0; i < program->dlpi_phnum; ++i) {
      const ElfW(Phdr) &segment = program->dlpi_phdr[i];
      if (segment.p_type != PT_NOTE) continue;
      auto *begin = reinterpret_cast<const uint8_t *>(program->dlpi_addr + segment.p_vaddr);
      llvm::ArrayRef<uint8_t> found = buildIdIn({begin, size_t(segment.p_memsz)});
      if (!found.empty()) *static_cast<std::string *>(result) = llvm::toHex(found, true);
    }
    return 1; // the first one is the program itself; libraries follow
  };
  dl_iterate_phdr(look, &id);
  return id.empty() ? "none" : id;
}

std::string dlmcVersion() {
  Expected<std::string> level = resolveCpuLevel("native");
  std::string host = level ? *level : "older than x86-64-v3, for which programs are made";
  unsigned cores = threadChoice({}).count;
  return "dlmc " DLM_VERSION "\nbuild " + buildId() + "\nLLVM " LLVM_VERSION_STRING "\nhost " +
         host + " (" + llvm::sys::getHostCPUName().str() + "), " + std::to_string(cores) +
         (cores == 1 ? " core\n" : " cores\n");
}

} // namespace dlm

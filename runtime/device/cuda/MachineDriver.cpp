// Opening the machine's CUDA driver. It is looked for when the program runs, so the program needs
// no CUDA to be built or started, and it can say what is missing.
#include "runtime/device/cuda/DriverTable.h"

#include <dlfcn.h>
#include <map>
#include <memory>
#include <sys/stat.h>

namespace dlm::cuda {

namespace {

constexpr char DriverFile[] = "libcuda.so.1";
constexpr char WithoutGpu[] =
    "compile with --emulate to run without a GPU (--device emulator), or without --target=cuda for "
    "the CPU";

std::string driverErrorText(const DriverTable &table, CUresult result) {
  const char *name = nullptr, *text = nullptr;
  if (table.getErrorName) table.getErrorName(result, &name);
  if (table.getErrorString) table.getErrorString(result, &text);
  std::string number = "error " + std::to_string(result);
  if (!name) return number;
  return std::string(name) + " (" + number + ")" + (text ? std::string(": ") + text : "");
}

Status noGpu(const DriverTable &table) {
  return unsupported("the driver (" + table.origin +
                     ") finds no GPU: look at the output of `nvidia-smi` and at "
                     "CUDA_VISIBLE_DEVICES; " +
                     WithoutGpu);
}

Status startFailure(const DriverTable &table, CUresult result) {
  switch (result) {
  case ErrorStubLibrary:
    return unsupported(
        table.origin +
        " is the stub library of a CUDA toolkit, which only serves to link; name the "
        "driver's own " +
        DriverFile + " by DLM_CUDA_LIB_PATH, or " + WithoutGpu);
  case ErrorNoDevice:
    return noGpu(table);
  case ErrorSystemDriverMismatch:
    return unsupported("the driver library (" + table.origin +
                       ") and the kernel's driver have different versions: restart the machine "
                       "after a driver update");
  default:
    return unsupported("the driver (" + table.origin + ") does not start: " +
                       driverErrorText(table, result) + "; look at the output of `nvidia-smi`");
  }
}

Status driverTooOld(const DriverTable &table, int version) {
  return unsupported("the driver (" + table.origin + ") is for CUDA " + driverVersionText(version) +
                     "; this program needs at least " + driverVersionText(DriverVersionMin) +
                     ": install a newer NVIDIA driver");
}

/// The first symbol that `find` does not know; null if all are there.
const char *fillTable(DriverTable &table, const FindSymbol &find) {
  const char *missing = nullptr;
#define DLM_CUDA_FILL(name, symbol, parameters)                                                    \
  table.name = reinterpret_cast<decltype(table.name)>(find(#symbol));                              \
  if (!table.name && !missing) missing = #symbol;
  DLM_CUDA_DRIVER(DLM_CUDA_FILL)
#undef DLM_CUDA_FILL
  return missing;
}

Expected<std::string> findDriverFile(const std::string &path) {
  if (path.empty()) return std::string(DriverFile);
  struct stat found;
  if (stat(path.c_str(), &found) != 0)
    return notFound("DLM_CUDA_LIB_PATH names " + path +
                    ", which does not exist; name the driver's " + DriverFile +
                    " or its folder, or unset it");
  if (S_ISDIR(found.st_mode)) return path + "/" + DriverFile;
  if (!S_ISREG(found.st_mode))
    return unsupported("DLM_CUDA_LIB_PATH names " + path +
                       ", which is no file; name the driver's " + DriverFile +
                       " or its folder, or unset it");
  // A name without a folder would be looked for where the system keeps its libraries.
  return path.find('/') == std::string::npos ? "./" + path : path;
}

Status openFailure(const std::string &path, const std::string &file) {
  const char *text = dlerror();
  std::string reason = text ? text : file + " cannot be opened";
  if (!path.empty())
    return unsupported("DLM_CUDA_LIB_PATH names " + path + ", but this is no driver (" + reason +
                       "); name the driver's " + DriverFile + " or its folder, or unset it");
  return unsupported("no NVIDIA driver was found (" + reason + "); this program needs a GPU; " +
                     WithoutGpu);
}

} // namespace

std::string driverVersionText(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

Status startDriver(DriverTable &table, const FindSymbol &findSymbol) {
  // An old driver lacks symbols; its version says more than they do.
  const char *missing = fillTable(table, findSymbol);
  if (!table.init || !table.driverGetVersion)
    return unsupported(table.origin + " is not a CUDA driver (it has no `" + missing +
                       "`); name the driver's " + DriverFile + " by DLM_CUDA_LIB_PATH");
  if (CUresult result = table.init(0)) return startFailure(table, result);
  int version = 0;
  if (CUresult result = table.driverGetVersion(&version)) return startFailure(table, result);
  if (version < DriverVersionMin) return driverTooOld(table, version);
  if (missing)
    return unsupported("the driver (" + table.origin + ", CUDA " + driverVersionText(version) +
                       ") has no `" + missing + "`: install the driver again, or another version");
  int count = 0;
  if (CUresult result = table.deviceGetCount(&count)) return startFailure(table, result);
  return count > 0 ? Status::ok() : noGpu(table);
}

Expected<const DriverTable *> openMachineDriver(const std::string &path) {
  static std::map<std::string, std::unique_ptr<DriverTable>> started;
  Expected<std::string> file = findDriverFile(path);
  if (!file) return file.status();
  std::unique_ptr<DriverTable> &table = started[*file];
  if (table) return table.get();
  void *library = dlopen(file->c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) return openFailure(path, *file);
  auto candidate = std::make_unique<DriverTable>();
  candidate->origin = *file;
  Status status =
      startDriver(*candidate, [&](const char *symbol) { return dlsym(library, symbol); });
  if (!status.isOk()) {
    dlclose(library);
    return status;
  }
  table = std::move(candidate);
  return table.get();
}

} // namespace dlm::cuda

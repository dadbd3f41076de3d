// Modules and launches. An emulated image is a shared object; the driver's interface gives its
// address without its size, as with a cubin, so the size is read from its headers.
#include "runtime/device/emulator/EmulatedDriverState.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <elf.h>

namespace dlm::emulator {

using namespace cuda; // in no header: the driver's names are written as the driver writes them

namespace {

constexpr Elf64_Half MachineCuda = 190; // EM_CUDA; older headers lack it
constexpr unsigned char FatBinary[] = {0x50, 0xED, 0x55, 0xBA};

/// Tells PTX from bytes that are nothing: it begins with a comment or a directive.
bool looksLikePtx(const char *text) {
  while (std::isspace(static_cast<unsigned char>(*text)))
    ++text;
  return std::strncmp(text, "//", 2) == 0 || std::strncmp(text, ".version", 8) == 0;
}

/// Ok for an image of this emulator. Reads no further than each step allows.
CUresult checkImage(const uint8_t *image) {
  if (std::memcmp(image, FatBinary, sizeof FatBinary) == 0) return ErrorNoBinaryForGpu;
  if (std::memcmp(image, ELFMAG, SELFMAG) != 0)
    return looksLikePtx(reinterpret_cast<const char *>(image)) ? ErrorNoBinaryForGpu
                                                               : ErrorInvalidImage;
  if (image[EI_CLASS] != ELFCLASS64 || image[EI_DATA] != ELFDATA2LSB) return ErrorInvalidImage;
  Elf64_Ehdr header;
  std::memcpy(&header, image, sizeof header);
  if (header.e_machine == MachineCuda) return ErrorNoBinaryForGpu;
  return header.e_machine == EM_X86_64 && header.e_type == ET_DYN ? Success : ErrorInvalidImage;
}

/// The end of the last thing that the headers name; 0 if they make no sense.
uint64_t imageBytes(const uint8_t *image) {
  constexpr uint64_t BytesMax = uint64_t(1) << 30;
  Elf64_Ehdr header;
  std::memcpy(&header, image, sizeof header);
  bool isRegular = header.e_phentsize == sizeof(Elf64_Phdr) && header.e_phnum > 0 &&
                   header.e_phoff < BytesMax && header.e_shoff < BytesMax;
  if (!isRegular) return 0;
  uint64_t end = header.e_shoff + uint64_t(header.e_shnum) * header.e_shentsize;
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    std::memcpy(&segment, image + header.e_phoff + i * sizeof segment, sizeof segment);
    if (segment.p_offset >= BytesMax || segment.p_filesz >= BytesMax) return 0;
    end = std::max(end, segment.p_offset + segment.p_filesz);
  }
  return end <= BytesMax ? end : 0;
}

/// Null if the bytes are no shared object with an emulated image of this version.
std::shared_ptr<LoadedImage> loadImage(const uint8_t *bytes, uint64_t sizeBytes) {
  Expected<std::unique_ptr<SharedObject>> object =
      openSharedObject(bytes, sizeBytes, "the emulated device code");
  if (!object) return nullptr;
  auto *image = static_cast<const DlmEmuImage *>((*object)->find(DlmEmuImageSymbol));
  if (!image || image->abi != DlmEmuAbiVersion) return nullptr;
  return std::make_shared<LoadedImage>(LoadedImage{object.take(), image});
}

CUresult emulatedModuleLoadDataEx(CUmodule *module, const void *image, unsigned optionCount,
                                  int *options, void **optionValues) {
  if (CUresult result = readyOutsideCapture()) return result;
  if (!module || !image || (optionCount && (!options || !optionValues))) return ErrorInvalidValue;
  *module = nullptr;
  auto *bytes = static_cast<const uint8_t *>(image);
  if (CUresult result = checkImage(bytes)) return result;
  uint64_t sizeBytes = imageBytes(bytes);
  std::shared_ptr<LoadedImage> code = sizeBytes ? loadImage(bytes, sizeBytes) : nullptr;
  if (!code) return ErrorInvalidImage;
  *module = emulated().modules.add({std::move(code), {}});
  return Success;
}

/// Launches that are under way keep the code.
CUresult emulatedModuleUnload(CUmodule module) {
  return emulated().modules.remove(module) ? ready() : ErrorInvalidHandle;
}

CUresult emulatedModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
  if (CUresult result = ready()) return result;
  if (!function || !name) return ErrorInvalidValue;
  if (!emulated().modules.has(module)) return ErrorInvalidHandle;
  const DlmEmuImage &image = *module->code->image;
  const DlmEmuFunction *end = image.functions + image.functionCount;
  const DlmEmuFunction *found = std::find_if(image.functions, end, [&](const DlmEmuFunction &f) {
    return std::strcmp(f.name, name) == 0;
  });
  if (found == end) return ErrorNotFound;
  *function = &module->functions.emplace(name, CUfunc_st{module->code, found}).first->second;
  return Success;
}

bool isFunction(CUfunction function) {
  for (auto &[handle, module] : emulated().modules)
    for (auto &[name, known] : module->functions)
      if (&known == function) return true;
  return false;
}

/// A launch with its own copy of the parameters.
struct Launch {
  std::shared_ptr<LoadedImage> code;
  const DlmEmuFunction *function;
  uint32_t grid, block;
  std::vector<uint64_t> values;
  std::vector<size_t> offsets; // of each parameter, in words
  std::shared_ptr<const std::vector<AllowedRange>> allowed;
};

Launch makeLaunch(const CUfunc_st &function, uint32_t grid, uint32_t block, void **parameters) {
  Launch launch{function.code, function.function, grid, block, {}, {}, nullptr};
  for (uint32_t i = 0; i < launch.function->paramCount; ++i) {
    size_t at = launch.values.size(), sizeBytes = launch.function->paramBytes[i];
    launch.offsets.push_back(at);
    launch.values.resize(at + (sizeBytes + 7) / 8);
    std::memcpy(launch.values.data() + at, parameters[i], sizeBytes);
  }
  return launch;
}

/// Each launch has a seed of its own.
bool run(const Launch &launch) {
  State &state = emulated();
  std::vector<void *> parameters;
  for (size_t offset : launch.offsets)
    parameters.push_back(const_cast<uint64_t *>(launch.values.data() + offset));
  LaunchOptions options = state.options.launch;
  options.seed += state.launches++ * 0x9E3779B97F4A7C15u;
  options.allowed = launch.allowed.get();
  return runLaunch(*launch.code->image, *launch.function, launch.grid, launch.block,
                   parameters.data(), state.memory, options, state.report);
}

CUresult emulatedLaunchKernel(CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ,
                              unsigned blockX, unsigned blockY, unsigned blockZ,
                              unsigned sharedBytes, CUstream stream, void **parameters,
                              void **extra) {
  if (CUresult result = ready()) return result;
  auto allowed = std::move(emulated().allowed); // of this launch, even if it fails
  if (!isFunction(function) || !emulated().streams.has(stream)) return ErrorInvalidHandle;
  // Neither more dimensions nor dynamic shared memory are emulated: the compiler uses none.
  bool isPlain = gridY == 1 && gridZ == 1 && blockY == 1 && blockZ == 1 && sharedBytes == 0;
  uint32_t count = function->function->paramCount;
  if (!isPlain || extra || (count && !parameters)) return ErrorInvalidValue;
  for (uint32_t i = 0; i < count; ++i)
    if (!parameters[i]) return ErrorInvalidValue;
  auto launch = std::make_shared<Launch>(makeLaunch(*function, gridX, blockX, parameters));
  launch->allowed = std::move(allowed);
  uint32_t declared = function->function->threadsMax, threadsMax = declared ? declared : 1024;
  if (gridX == 0 || blockX == 0 || blockX > threadsMax) {
    run(*launch); // cannot be launched; the emulator reports what is wrong
    return ErrorInvalidValue;
  }
  return enqueue(stream, [launch] { return run(*launch) ? Success : ErrorLaunchFailed; });
}

} // namespace

void fillModules(DriverTable &table) {
  table.moduleLoadDataEx = emulatedModuleLoadDataEx;
  table.moduleUnload = emulatedModuleUnload;
  table.moduleGetFunction = emulatedModuleGetFunction;
  table.launchKernel = emulatedLaunchKernel;
}

} // namespace dlm::emulator

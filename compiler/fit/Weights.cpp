// A file is read whole, once; its tensors are turned and widened to f32 on the way. That each is
// there, with its shape, the checker saw.
#include "compiler/fit/Weights.h"

#include "runtime/base/Safetensors.h"

#include "llvm/ADT/APFloat.h"

#include <cstring>
#include <map>

namespace dlm::fit {

namespace {

/// What a plan can hold beside everything else.
constexpr uint64_t WeightBytesMax = uint64_t(3) << 29;

/// One element of a tensor as the run holds it: 16 bits become f32, which has all their values.
void widen(const uint8_t *from, DType dtype, uint8_t *to) {
  uint64_t size = elementSizeBytes(dtype);
  if (size != 2) {
    std::memcpy(to, from, size);
    return;
  }
  uint16_t bits;
  std::memcpy(&bits, from, sizeof bits);
  const llvm::fltSemantics &semantics =
      dtype == DType::BF16 ? llvm::APFloat::BFloat() : llvm::APFloat::IEEEhalf();
  float value = llvm::APFloat(semantics, llvm::APInt(16, bits)).convertToFloat();
  std::memcpy(to, &value, sizeof value);
}

std::vector<uint8_t> contentOf(const SafeTensor &tensor, bool isTransposed) {
  uint64_t from = elementSizeBytes(tensor.dtype), to = from == 2 ? sizeof(float) : from;
  if (from == to && !isTransposed) return {tensor.data, tensor.data + tensor.sizeBytes};
  int64_t count = tensor.elementCount();
  int64_t rows = isTransposed ? tensor.shape[0] : 1, columns = count / std::max<int64_t>(rows, 1);
  std::vector<uint8_t> bytes(uint64_t(count) * to);
  for (int64_t i = 0; i < count; ++i) {
    int64_t place = i % columns * rows + i / columns;
    widen(tensor.data + uint64_t(i) * from, tensor.dtype, bytes.data() + uint64_t(place) * to);
  }
  return bytes;
}

} // namespace

Status readWeights(const sema::TypedProgram &program, DiagnosticEngine &diagnostics,
                   lower::FittedValues &values) {
  std::map<std::string, Safetensors> files;
  uint64_t total = 0;
  auto reported = [&](Kind kind, Span span, const std::string &message) {
    diagnostics.report(kind, span, message);
    return invalidArgument("");
  };
  for (const sema::WeightStart &start : program.weights) {
    auto file = files.find(start.file);
    if (file == files.end()) {
      Expected<Safetensors> read = Safetensors::read(start.file);
      if (!read) return reported(Kind::WeightFile, start.span, read.status().message());
      file = files.emplace(start.file, read.take()).first;
    }
    const SafeTensor *tensor = file->second.find(start.name);
    if (!tensor)
      return reported(Kind::WeightFile, start.span,
                      "the file changed while it was read: `" + start.name + "` is gone");
    std::vector<uint8_t> &bytes = values.bytes[start.path];
    bytes = contentOf(*tensor, start.isTransposed);
    total += bytes.size();
    if (total > WeightBytesMax)
      return reported(Kind::NotYet, start.span,
                      "`weights` of more than " + std::to_string(WeightBytesMax >> 20) +
                          " MiB cannot be compiled yet: the executable carries them");
  }
  return Status::ok();
}

} // namespace dlm::fit

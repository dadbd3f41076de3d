// A file is read whole, once; its tensors are turned and widened to f32 on the way. That each is
// there, with its shape, the checker saw of files, and is seen here of checkpoints.
#include "compiler/fit/Weights.h"

#include "compiler/sema/value/Value.h"
#include "runtime/base/Safetensors.h"
#include "runtime/checkpoint/Checkpoints.h"
#include "runtime/store/FileStore.h"

#include "llvm/ADT/APFloat.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>

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

/// The run whose checkpoints a parameter or buffer starts from; null if that is a file.
const sema::Marker *runOf(const sema::TypedProgram &program, const sema::WeightStart &start) {
  for (const sema::Marker &marker : program.markers)
    if (marker.kind == "trained" && marker.file == start.file) return &marker;
  return nullptr;
}

const sema::TensorType *typeOf(const sema::TypedProgram &program, const std::string &path) {
  for (const sema::Parameter &parameter : program.parameters)
    if (parameter.path == path) return &parameter.type;
  for (const sema::Buffer &buffer : program.buffers)
    if (buffer.path == path) return &buffer.type;
  return nullptr;
}

bool fits(const SafeTensor &tensor, const sema::TensorType &type) {
  std::vector<int64_t> shape;
  for (const sema::Dim &dim : type.dims)
    shape.push_back(dim.size());
  DType wanted = type.dtype == sema::DType::I32   ? DType::I32
                 : type.dtype == sema::DType::I64 ? DType::I64
                                                  : DType::F32;
  return tensor.shape == shape && tensor.dtype == wanted;
}

/// There is no checkpoint, or none that can be used.
void reportNoCheckpoint(const sema::Marker &run, const Status &status, bool isThere,
                        const std::vector<std::string> &notes, DiagnosticEngine &diagnostics) {
  std::string build = "`dlmc FILE --train " + run.of + " -o " + run.of + "`, then `./" + run.of;
  if (!isThere) {
    diagnostics
        .report(Kind::WeightFile, run.span, "there is nothing that the run `" + run.of + "` left")
        .note("a checkpoint of it is looked for in `" + run.file + "`")
        .help("train it first: " + build + " train`");
    return;
  }
  DiagnosticBuilder message =
      diagnostics.report(Kind::WeightFile, run.span,
                         "what the run `" + run.of + "` left cannot be used: " + status.message());
  for (const std::string &note : notes)
    message.note(note);
  message.help("train it again: " + build + " train`");
}

/// A run starts from an older checkpoint than was meant.
void warnOfNotes(const sema::Marker &run, const std::vector<std::string> &notes,
                 DiagnosticEngine &diagnostics) {
  DiagnosticEngine warnings(diagnostics.sources());
  for (const std::string &note : notes)
    warnings.report(Kind::WeightFile, run.span, note);
  diagnostics.addAsWarnings(warnings);
}

/// The tensors of the run's latest checkpoint, as they are to become what starts from them.
Expected<Safetensors> readCheckpoint(const sema::TypedProgram &program, const sema::Marker &run,
                                     DiagnosticEngine &diagnostics) {
  std::unique_ptr<Store> store = makeFileStore(run.file);
  std::vector<std::string> notes;
  Checkpoints checkpoints(*store, 1);
  Expected<Checkpoints::Loaded> loaded = checkpoints.latest(notes, true);
  if (!loaded) {
    Expected<std::vector<std::string>> parts = checkpoints.parts();
    reportNoCheckpoint(run, loaded.status(), !parts || !parts->empty(), notes, diagnostics);
    return invalidArgument("");
  }
  warnOfNotes(run, notes, diagnostics);
  for (const sema::WeightStart &start : program.weights) {
    const sema::TensorType *type = start.file == run.file ? typeOf(program, start.path) : nullptr;
    if (!type) continue;
    const SafeTensor *tensor = loaded->file.find(start.name);
    if (tensor && fits(*tensor, *type)) continue;
    diagnostics
        .report(Kind::WeightFile, run.span,
                "the checkpoint of `" + run.of + "` has no `" + sema::typeText(*type) +
                    "` of the name `" + start.name + "`")
        .note("it is `" + run.file + "/" + Checkpoints::tensorsKey(loaded->name) + "`")
        .help("the run has to be of this program, with the same options: train it again");
    return invalidArgument("");
  }
  return std::move(loaded->file);
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
      const sema::Marker *run = runOf(program, start);
      Expected<Safetensors> read =
          run ? readCheckpoint(program, *run, diagnostics) : Safetensors::read(start.file);
      if (!read && run) return read.status();
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

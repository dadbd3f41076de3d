// Numbers are converted piece by piece while they are read, so nothing but the samples is kept.
#include "runtime/data/formats/NpyFile.h"

#include "runtime/data/formats/FolderList.h"
#include "runtime/data/formats/InflatedFile.h"
#include "runtime/data/formats/ShownText.h"
#include "runtime/data/formats/ZipArchive.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace dlm {

namespace {

constexpr int64_t PieceElements = 1 << 16;
constexpr size_t ArraysMax = 1000;

/// A half as it stands in a file.
struct Half {
  uint16_t bits;
};

double realOf(Half half) {
  int exponent = half.bits >> 10 & 31, fraction = half.bits & 1023;
  double size = exponent == 31  ? (fraction ? std::numeric_limits<double>::quiet_NaN()
                                            : std::numeric_limits<double>::infinity())
                : exponent == 0 ? std::ldexp(fraction, -24)
                                : std::ldexp(1024 + fraction, exponent - 25);
  return half.bits >> 15 ? -size : size;
}
double realOf(float value) { return double(value); }
double realOf(double value) { return value; }

class PlainReader : public ByteReader {
public:
  explicit PlainReader(InflatedFile file) : file(std::move(file)) {}
  Status read(void *out, size_t sizeBytes, const std::atomic<bool> *cancel) override {
    return file.read(out, sizeBytes, cancel);
  }
  Status expectEnd() override { return file.expectEnd(); }
  uint64_t remainingBytesMax() const override { return file.remainingBytesMax(); }
  std::string name() const override { return "data file `" + file.path() + "`"; }

private:
  InflatedFile file;
};

bool endsWith(const std::string &text, const std::string &end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

std::string withoutEnding(const std::string &name) { return name.substr(0, name.size() - 4); }

Status addArray(std::string field, std::unique_ptr<ByteReader> reader,
                std::vector<NpyArray> &arrays) {
  Expected<NpyHeader> header = readNpyHeader(*reader, nullptr);
  if (!header) return header.status();
  for (const NpyArray &other : arrays)
    if (other.field() == field)
      return corrupt(reader->name() + ": there are two arrays called `" + shownText(field) + "`");
  arrays.emplace_back(std::move(field), std::move(reader), header.take());
  return Status::ok();
}

Status addFile(const std::string &path, const std::string &field, std::vector<NpyArray> &arrays) {
  Expected<InflatedFile> file = InflatedFile::open(path);
  if (!file) return file.status();
  return addArray(field, std::make_unique<PlainReader>(file.take()), arrays);
}

Status addArchive(const std::string &path, std::vector<NpyArray> &arrays) {
  Expected<ZipArchive> archive = ZipArchive::open(path);
  if (!archive) return archive.status();
  if (archive->entries().size() > ArraysMax)
    return invalidArgument("data file `" + path + "` holds more than " + std::to_string(ArraysMax) +
                           " entries");
  for (const ZipEntry &entry : archive->entries()) {
    if (!endsWith(entry.name, ".npy"))
      return invalidArgument("`" + shownText(entry.name) + "` in data file `" + path +
                             "` is not an array: its name does not end in `.npy`");
    Expected<std::unique_ptr<ByteReader>> reader = archive->read(entry);
    if (!reader) return reader.status();
    DLM_TRY(addArray(withoutEnding(entry.name), reader.take(), arrays));
  }
  return Status::ok();
}

Status addFolder(const std::string &path, std::vector<NpyArray> &arrays) {
  Expected<std::vector<std::string>> names = namesInFolder(path);
  if (!names) return names.status();
  for (const std::string &name : *names) {
    if (!endsWith(name, ".npy")) continue;
    if (arrays.size() == ArraysMax)
      return invalidArgument("data folder `" + path + "` holds more than " +
                             std::to_string(ArraysMax) + " arrays");
    DLM_TRY(addFile(path + "/" + name, withoutEnding(name), arrays));
  }
  return Status::ok();
}

} // namespace

NpyArray::NpyArray(std::string field, std::unique_ptr<ByteReader> reader, NpyHeader header)
    : fieldName(std::move(field)), reader(std::move(reader)), header(std::move(header)) {}

bool NpyArray::isLabel() const {
  return fieldName == "label" && header.type != NpyType::Bool &&
         dtypeOfNpy(header.type) != DType::F32;
}

Status NpyArray::misfit(int64_t element, const std::string &what) const {
  int64_t place = done + element;
  int64_t sampleSize = header.elementCount() / count();
  std::string text = name() + ": sample " + std::to_string(place / sampleSize);
  if (sampleSize > 1) text += ", element " + std::to_string(place % sampleSize) + ",";
  return corrupt(text + " is " + what);
}

template <class From, class To> Status NpyArray::convert(int64_t elements, void *out) {
  for (int64_t i = 0; i < elements; ++i) {
    From value;
    To result;
    std::memcpy(&value, piece.data() + size_t(i) * sizeof(From), sizeof(From));
    if constexpr (std::is_same_v<To, float>) {
      double real = realOf(value);
      if (!std::isfinite(real))
        return misfit(i, std::isnan(real) ? "NaN, which is no number" : "infinite");
      result = float(real);
      if (!std::isfinite(result))
        return misfit(i, std::to_string(real) + ", beyond the range of f32");
    } else {
      if (int64_t(value) < int64_t(std::numeric_limits<To>::min()) ||
          int64_t(value) > int64_t(std::numeric_limits<To>::max()))
        return misfit(i, std::to_string(value) + ", beyond the range of i32");
      if (isLabel() && int64_t(value) < 0)
        return misfit(i, std::to_string(value) + "; classes are numbered from 0 on");
      if (isLabel() && int64_t(value) >= classes)
        return misfit(i, std::to_string(value) + ", and the training samples have " +
                             std::to_string(classes) + " classes");
      largest = std::max(largest, int64_t(value));
      result = To(value);
    }
    std::memcpy(static_cast<uint8_t *>(out) + size_t(i) * sizeof(To), &result, sizeof(To));
  }
  return Status::ok();
}

Status NpyArray::convertPiece(int64_t elements, void *out) {
  switch (header.type) {
  case NpyType::Bool:
    for (int64_t i = 0; i < elements; ++i)
      if (piece[size_t(i)] > 1)
        return misfit(i, "neither true nor false: its byte is " + std::to_string(piece[size_t(i)]));
    std::memcpy(out, piece.data(), size_t(elements));
    return Status::ok();
  case NpyType::I8:
    return convert<int8_t, int32_t>(elements, out);
  case NpyType::U8:
    return isLabel() ? convert<uint8_t, int32_t>(elements, out)
                     : convert<uint8_t, uint8_t>(elements, out);
  case NpyType::I16:
    return convert<int16_t, int32_t>(elements, out);
  case NpyType::U16:
    return convert<uint16_t, int32_t>(elements, out);
  case NpyType::I32:
    return convert<int32_t, int32_t>(elements, out);
  case NpyType::U32:
    return convert<uint32_t, int32_t>(elements, out);
  case NpyType::I64:
    return isLabel() ? convert<int64_t, int32_t>(elements, out)
                     : convert<int64_t, int64_t>(elements, out);
  case NpyType::F16:
    return convert<Half, float>(elements, out);
  case NpyType::F32:
    return convert<float, float>(elements, out);
  case NpyType::F64:
    return convert<double, float>(elements, out);
  }
  return internalError("an array has a type that no row knows");
}

Status NpyArray::read(int64_t samples, void *out, const std::atomic<bool> *cancel) {
  int64_t left = samples * (header.elementCount() / count());
  auto *place = static_cast<uint8_t *>(out);
  while (left > 0) {
    int64_t elements = std::min(left, PieceElements);
    piece.resize(size_t(elements) * size_t(npyElementBytes(header.type)));
    DLM_TRY(reader->read(piece.data(), piece.size(), cancel));
    DLM_TRY(convertPiece(elements, place));
    place += size_t(elements) * elementSizeBytes(dtype());
    done += elements;
    left -= elements;
  }
  return Status::ok();
}

Expected<std::vector<NpyArray>> openNpy(const std::string &path) {
  std::vector<NpyArray> arrays;
  bool isFolder = isDirectory(path);
  bool isSingle = endsWith(path, ".npy") || endsWith(path, ".npy.gz");
  if (isFolder)
    DLM_TRY(addFolder(path, arrays));
  else if (isSingle)
    DLM_TRY(addFile(path, "value", arrays));
  else
    DLM_TRY(addArchive(path, arrays));
  if (arrays.empty())
    return invalidArgument("`" + path + "` holds no arrays: no name in it ends in `.npy`");
  for (const NpyArray &array : arrays)
    if (array.count() != arrays[0].count())
      return corrupt(array.name() + " holds " + std::to_string(array.count()) + " samples, and " +
                     arrays[0].name() + " holds " + std::to_string(arrays[0].count()) +
                     ": the first axis counts the samples of each");
  return arrays;
}

} // namespace dlm

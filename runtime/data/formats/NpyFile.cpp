// Numbers are converted piece by piece while they are read, so nothing but the samples is kept.
#include "runtime/data/formats/NpyFile.h"

#include "runtime/data/formats/FolderList.h"
#include "runtime/data/formats/InflatedFile.h"
#include "runtime/data/formats/ShownText.h"
#include "runtime/data/formats/ZipArchive.h"

#include <algorithm>

namespace dlm {

namespace {

constexpr int64_t PieceElements = 1 << 16;
constexpr size_t ArraysMax = 1000;

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
  bool isPlain = !file->isCompressed();
  DLM_TRY(addArray(field, std::make_unique<PlainReader>(file.take()), arrays));
  if (isPlain) arrays.back().setPlainFile(path);
  return Status::ok();
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
    : fieldName(std::move(field)), reader(std::move(reader)),
      values(this->reader->name(), fieldName, std::move(header)) {}

Status NpyArray::read(int64_t samples, void *out, const std::atomic<bool> *cancel) {
  int64_t left = samples * values.elementsOfSample();
  auto *place = static_cast<uint8_t *>(out);
  while (left > 0) {
    int64_t elements = std::min(left, PieceElements);
    piece.resize(size_t(elements) * size_t(npyElementBytes(values.header().type)));
    DLM_TRY(reader->read(piece.data(), piece.size(), cancel));
    size_t bytes = size_t(elements) * elementSizeBytes(dtype());
    if (!out) unseen.resize(bytes);
    DLM_TRY(values.decode(piece.data(), done, elements, out ? place : unseen.data(), largest));
    if (out) place += bytes;
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

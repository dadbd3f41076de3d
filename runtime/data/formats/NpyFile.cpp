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

/// What is wanted of the arrays of a path, and those found so far.
struct Opening {
  const std::vector<std::string> *wanted = nullptr; // fields; null: all
  std::vector<NpyArray> arrays = {};
  std::vector<std::string> others = {}; // fields that are not wanted

  bool wants(const std::string &field) {
    bool isWanted = !wanted || std::find(wanted->begin(), wanted->end(), field) != wanted->end();
    if (!isWanted) others.push_back(field);
    return isWanted;
  }
};

Status addArray(std::string field, std::unique_ptr<ByteReader> reader, Opening &opening) {
  Expected<NpyHeader> header = readNpyHeader(*reader, nullptr, opening.wanted != nullptr);
  if (!header) return header.status();
  for (const NpyArray &other : opening.arrays)
    if (other.field() == field)
      return corrupt(reader->name() + ": there are two arrays called `" + shownText(field) + "`");
  opening.arrays.emplace_back(std::move(field), std::move(reader), header.take());
  return Status::ok();
}

Status addFile(const std::string &path, const std::string &field, Opening &opening) {
  Expected<InflatedFile> file = InflatedFile::open(path);
  if (!file) return file.status();
  bool isPlain = !file->isCompressed();
  DLM_TRY(addArray(field, std::make_unique<PlainReader>(file.take()), opening));
  if (isPlain) opening.arrays.back().setPlainFile(path);
  return Status::ok();
}

Status addArchive(const std::string &path, Opening &opening) {
  Expected<ZipArchive> archive = ZipArchive::open(path);
  if (!archive) return archive.status();
  if (archive->entries().size() > ArraysMax)
    return invalidArgument("data file `" + path + "` holds more than " + std::to_string(ArraysMax) +
                           " entries");
  for (const ZipEntry &entry : archive->entries()) {
    bool isArray = endsWith(entry.name, ".npy");
    if (!isArray && opening.wanted) continue;
    if (!isArray)
      return invalidArgument("`" + shownText(entry.name) + "` in data file `" + path +
                             "` is not an array: its name does not end in `.npy`");
    std::string field = withoutEnding(entry.name);
    if (!opening.wants(field)) continue;
    Expected<std::unique_ptr<ByteReader>> reader = archive->read(entry);
    if (!reader) return reader.status();
    DLM_TRY(addArray(field, reader.take(), opening));
  }
  return Status::ok();
}

Status addFolder(const std::string &path, Opening &opening) {
  Expected<std::vector<std::string>> names = namesInFolder(path);
  if (!names) return names.status();
  for (const std::string &name : *names) {
    if (!endsWith(name, ".npy") || !opening.wants(withoutEnding(name))) continue;
    if (opening.arrays.size() == ArraysMax)
      return invalidArgument("data folder `" + path + "` holds more than " +
                             std::to_string(ArraysMax) + " arrays");
    DLM_TRY(addFile(path + "/" + name, withoutEnding(name), opening));
  }
  return Status::ok();
}

bool isSingleArray(const std::string &path) {
  return !isDirectory(path) && (endsWith(path, ".npy") || endsWith(path, ".npy.gz"));
}

/// Opens what an archive or a folder holds.
Status addAll(const std::string &path, Opening &opening) {
  return isDirectory(path) ? addFolder(path, opening) : addArchive(path, opening);
}

Status checkCounts(const std::vector<NpyArray> &arrays) {
  for (const NpyArray &array : arrays)
    if (array.count() != arrays[0].count())
      return corrupt(array.name() + " holds " + std::to_string(array.count()) + " samples, and " +
                     arrays[0].name() + " holds " + std::to_string(arrays[0].count()) +
                     ": the first axis counts the samples of each");
  return Status::ok();
}

/// "`x`, `y` and `z`", or how many more there are.
std::string listOf(const std::vector<std::string> &names) {
  constexpr size_t ShownMax = 10;
  std::string text;
  for (size_t i = 0; i < std::min(names.size(), ShownMax); ++i) {
    bool isLast = i > 0 && i + 1 == names.size();
    text += (i == 0 ? "`" : isLast ? " and `" : ", `") + shownText(names[i]) + "`";
  }
  size_t more = names.size() - std::min(names.size(), ShownMax);
  return more ? text + " and " + std::to_string(more) + " more" : text;
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
  Opening opening;
  DLM_TRY(isSingleArray(path) ? addFile(path, "value", opening) : addAll(path, opening));
  if (opening.arrays.empty())
    return invalidArgument("`" + path + "` holds no arrays: no name in it ends in `.npy`");
  DLM_TRY(checkCounts(opening.arrays));
  return std::move(opening.arrays);
}

Expected<std::vector<NpyArray>> openNpyFields(const std::string &path,
                                              const std::vector<std::string> &fields) {
  Opening opening{&fields};
  if (isSingleArray(path) && fields.size() == 1) {
    DLM_TRY(addFile(path, fields[0], opening));
    return std::move(opening.arrays);
  }
  if (isSingleArray(path))
    return invalidArgument("`" + path + "` holds a single array, and these are read: " +
                           listOf(fields) + "; an .npz or a folder holds several");
  DLM_TRY(addAll(path, opening));
  std::vector<NpyArray> arrays;
  for (const std::string &field : fields) {
    auto found = std::find_if(opening.arrays.begin(), opening.arrays.end(),
                              [&](const NpyArray &array) { return array.field() == field; });
    if (found == opening.arrays.end())
      return invalidArgument("`" + path + "` has no array `" + field + "`" +
                             (opening.others.empty() ? "" : "; it has " + listOf(opening.others)));
    arrays.push_back(std::move(*found));
    opening.arrays.erase(found);
  }
  DLM_TRY(checkCounts(arrays));
  return arrays;
}

} // namespace dlm

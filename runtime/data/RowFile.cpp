// A reader for each kind of data, and the names that ids have in it. Everything is read before the
// first sample is looked at, but for photos, so a fault of a file comes before any result.
#include "runtime/data/RowFile.h"

#include "runtime/data/PackedDataset.h"
#include "runtime/data/TableSource.h"
#include "runtime/data/formats/FolderList.h"
#include "runtime/data/formats/IdxFile.h"
#include "runtime/data/formats/ImageDecoder.h"
#include "runtime/data/formats/ImageFolder.h"
#include "runtime/data/formats/JsonTable.h"
#include "runtime/data/formats/NpyFile.h"

#include <algorithm>
#include <cctype>

namespace dlm {

namespace {

const FieldSpec *findField(const std::vector<FieldSpec> &fields, const std::string &name) {
  for (const FieldSpec &field : fields)
    if (field.name == name) return &field;
  return nullptr;
}

std::string fieldTypeText(DType dtype, const std::vector<int64_t> &shape) {
  std::string text = dtypeName(dtype) + std::string("[");
  std::transform(text.begin(), text.end(), text.begin(), ::tolower);
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
}

Status otherType(const std::string &what, DType dtype, const std::vector<int64_t> &shape,
                 const FieldSpec &field) {
  return invalidArgument(what + " holds samples of " + fieldTypeText(dtype, shape) +
                         ", the program was compiled for " +
                         fieldTypeText(field.dtype, field.shape));
}

constexpr int64_t RowsBetweenLooks = 4096; // at a signal

/// After `done` samples: whether to go on.
Status lookForStop(const std::atomic<int> *stop, int64_t done) {
  if (!stop || !*stop || done % RowsBetweenLooks != 0) return Status::ok();
  return Status::error(Code::Interrupted, "reading the data was interrupted");
}

Status readTable(const DataSpec &spec, const std::string &path, const RowReading &how,
                 PackedDataset &samples) {
  Expected<Table> table = Table::fromJson(spec.facts);
  if (!table) return table.status();
  const std::vector<FieldSpec> &fields = samples.fields();
  TableParts parts;
  parts.numbers = findField(fields, "number") || findField(fields, "present");
  parts.categories = findField(fields, "category");
  parts.target = std::any_of(fields.begin(), fields.end(), [](const FieldSpec &field) {
    return field.name == "target" || field.name == "label";
  });
  Expected<CsvFile> file = CsvFile::open(path);
  if (!file) return file.status();
  Expected<TableDecoder> decoder = TableDecoder::make(*table, *file, parts);
  if (!decoder) return decoder.status();
  CsvRecord record;
  for (;;) {
    DLM_TRY(lookForStop(how.stop, samples.size()));
    Expected<bool> got = file->next(record);
    if (!got) return got.status();
    if (!*got) return Status::ok();
    samples.grow(1);
    DLM_TRY(decoder->decode(record, rowOf(samples, samples.size() - 1)));
  }
}

Status readJson(const DataSpec &spec, const std::string &path, const RowReading &how,
                PackedDataset &samples) {
  Expected<JsonTable> table = JsonTable::fromJson(spec.facts);
  if (!table) return table.status();
  JsonDecoder decoder(table.take());
  const std::vector<JsonField> &known = decoder.table().fields;
  Expected<JsonLines> file = JsonLines::open(path);
  if (!file) return file.status();
  std::vector<std::string> read;
  for (const FieldSpec &field : samples.fields())
    read.push_back(field.name);
  file->readOnly(std::move(read));
  JsonRecord record;
  std::vector<void *> places(known.size());
  for (;;) {
    DLM_TRY(lookForStop(how.stop, samples.size()));
    Expected<bool> got = file->next(record);
    if (!got) return got.status();
    if (!*got) return Status::ok();
    samples.grow(1);
    for (size_t f = 0; f < known.size(); ++f) {
      const FieldSpec *field = findField(samples.fields(), known[f].name);
      size_t index = field ? size_t(field - samples.fields().data()) : 0;
      places[f] = field ? samples.place(index, samples.size() - 1) : nullptr;
    }
    DLM_TRY(decoder.decodeSome(*file, record, places.data()));
  }
}

Status readArrays(const DataSpec &, const std::string &path, const RowReading &how,
                  PackedDataset &samples) {
  const std::vector<FieldSpec> &fields = samples.fields();
  std::vector<std::string> names;
  for (const FieldSpec &field : fields)
    names.push_back(field.name);
  Expected<std::vector<NpyArray>> arrays = openNpyFields(path, names);
  if (!arrays) return arrays.status();
  for (size_t i = 0; i < fields.size(); ++i) {
    NpyArray &array = (*arrays)[i];
    if (array.dtype() != fields[i].dtype || array.sampleShape() != fields[i].shape)
      return otherType(array.name(), array.dtype(), array.sampleShape(), fields[i]);
    if (i == 0) samples.grow(array.count());
    for (int64_t done = 0; done < samples.size(); done += RowsBetweenLooks) {
      DLM_TRY(lookForStop(how.stop, done));
      int64_t count = std::min(RowsBetweenLooks, samples.size() - done);
      DLM_TRY(array.read(count, samples.place(i, done)));
    }
    DLM_TRY(array.expectEnd());
  }
  return Status::ok();
}

/// A file of images, or one of labels: the other field cannot be read.
Status readIdx(const DataSpec &, const std::string &path, const RowReading &,
               PackedDataset &samples) {
  const std::vector<FieldSpec> &fields = samples.fields();
  if (fields.size() != 1)
    return invalidArgument("an IDX file holds images or labels, and this prediction reads both; "
                           "--split predicts for a part of the program's own data");
  Expected<IdxArray> array = readIdxArray(path, nullptr, true);
  if (!array) return array.status();
  std::vector<int64_t> shape(array->shape.begin() + 1, array->shape.end());
  if (shape != fields[0].shape) return otherType("`" + path + "`", DType::U8, shape, fields[0]);
  samples.grow(array->count());
  for (int64_t i = 0; i < array->count(); ++i) {
    const uint8_t *from = array->bytes.get() + i * array->sampleSize();
    uint8_t *to = samples.place(0, i);
    if (fields[0].dtype == DType::U8)
      std::copy(from, from + array->sampleSize(), to);
    else
      *reinterpret_cast<int32_t *>(to) = *from;
  }
  return Status::ok();
}

class Photos : public Dataset {
public:
  Photos(std::vector<FieldSpec> fields, std::vector<std::string> paths)
      : specs(std::move(fields)), paths(std::move(paths)) {}

  int64_t size() const override { return int64_t(paths.size()); }
  const std::vector<FieldSpec> &fields() const override { return specs; }
  bool isInMemory() const override { return false; }
  Status read(int64_t index, void *const *out) const override {
    const std::vector<int64_t> &shape = specs[0].shape;
    return decodeImage(paths[size_t(index)], {shape[0], shape[1]}, static_cast<uint8_t *>(out[0]));
  }

private:
  std::vector<FieldSpec> specs;
  std::vector<std::string> paths;
};

Expected<RowFile> readPhotos(const std::string &path, const std::vector<FieldSpec> &fields) {
  if (fields.size() != 1 || fields[0].name != "image")
    return invalidArgument("photos without a class have no label, and this prediction reads it; "
                           "--split predicts for a part of the program's own data");
  Expected<std::vector<std::string>> photos = photosOf(path);
  if (!photos) return photos.status();
  return RowFile{std::make_unique<Photos>(fields, *photos), *photos};
}

/// Reads a file to its end.
template <class Record, class File>
Expected<int64_t> countRecords(File &file, const std::atomic<int> &stop) {
  Record record;
  for (int64_t count = 0;; ++count) {
    DLM_TRY(lookForStop(&stop, count));
    Expected<bool> got = file.next(record);
    if (!got) return got.status();
    if (!*got) return count;
  }
}

std::vector<std::string> namesOf(const TableColumn &column) {
  std::vector<std::string> names = column.values;
  if (column.minCount > 1) names.push_back("(rare)");
  if (column.hasUnknown) names.push_back("(unknown)");
  return names;
}

} // namespace

Expected<RowFile> readRows(const DataSpec &spec, const std::string &path,
                           const std::vector<FieldSpec> &fields, const RowReading &how) {
  if (spec.kind == "images") return readPhotos(path, fields);
  auto *read = spec.kind == "csv"     ? readTable
               : spec.kind == "jsonl" ? readJson
               : spec.kind == "npy"   ? readArrays
               : spec.kind == "idx"   ? readIdx
                                      : nullptr;
  if (!read)
    return Status::error(Code::Unsupported,
                         "the rows of a file are read of tables, JSON lines, arrays and images, "
                         "and `" +
                             spec.name + "` is of kind `" + spec.kind +
                             "`; --split predicts for a part of the program's own data");
  if (spec.kind != "npy" && isDirectory(path))
    return invalidArgument("`" + path +
                           "` is a folder, and predictions are for the rows of one "
                           "file: name that");
  auto samples = std::make_unique<PackedDataset>(fields);
  samples->reserve(how.expected);
  DLM_TRY(read(spec, path, how, *samples));
  return RowFile{std::move(samples), {}};
}

Expected<std::optional<int64_t>> countRows(const DataSpec &spec, const std::atomic<int> &stop) {
  using Count = std::optional<int64_t>;
  if (spec.kind == "csv") {
    Expected<CsvFile> file = CsvFile::open(spec.path);
    if (!file) return file.status();
    Expected<int64_t> count = countRecords<CsvRecord>(*file, stop);
    return count ? Expected<Count>(*count) : Expected<Count>(count.status());
  }
  if (spec.kind == "jsonl") {
    Expected<JsonLines> file = JsonLines::open(spec.path);
    if (!file) return file.status();
    file->readOnly({});
    Expected<int64_t> count = countRecords<JsonRecord>(*file, stop);
    return count ? Expected<Count>(*count) : Expected<Count>(count.status());
  }
  if (spec.kind != "npy" || spec.fields.empty()) return Count();
  std::vector<std::string> names;
  for (const FieldSpec &field : spec.fields)
    names.push_back(field.name);
  Expected<std::vector<NpyArray>> arrays = openNpyFields(spec.path, names);
  return arrays ? Expected<Count>(arrays->front().count()) : Expected<Count>(arrays.status());
}

std::vector<NamedIds> categoriesOf(const DataSpec &spec) {
  std::vector<NamedIds> all;
  if (spec.kind == "csv") {
    Expected<Table> table = Table::fromJson(spec.facts);
    for (size_t i = 0; table && i < table->columns.size(); ++i)
      if (table->columns[i].isCategory)
        all.push_back({table->columns[i].name, namesOf(table->columns[i])});
  } else if (spec.kind == "jsonl") {
    Expected<JsonTable> table = JsonTable::fromJson(spec.facts);
    for (size_t i = 0; table && i < table->fields.size(); ++i)
      if (table->fields[i].isCategory)
        all.push_back({table->fields[i].name, table->fields[i].values});
  } else if (spec.kind == "images") {
    Expected<ImageFacts> facts = ImageFacts::fromJson(spec.facts);
    if (facts) all.push_back({"label", facts->classes});
  }
  return all;
}

std::vector<std::string> namesOfIds(const DataSpec &spec, const std::string &field) {
  std::string column = field;
  if (spec.kind == "csv" && (field == "target" || field == "label")) {
    Expected<Table> table = Table::fromJson(spec.facts);
    if (table) column = table->target;
  }
  for (NamedIds &ids : categoriesOf(spec))
    if (ids.column == column) return std::move(ids.names);
  return {};
}

} // namespace dlm

// The first records of the training file are the training samples; what the program cuts for
// validation and test stands behind them, in this order.
#include "runtime/data/TableSource.h"

#include "runtime/data/BackgroundSource.h"
#include "runtime/data/formats/Table.h"

#include <cstring>
#include <map>
#include <optional>

namespace dlm {

namespace {

/// Decoded samples, each field packed by itself.
class TableDataset : public Dataset {
public:
  explicit TableDataset(std::vector<FieldSpec> fields) : specs(std::move(fields)) {
    packed.resize(specs.size());
  }

  int64_t size() const override { return count; }
  const std::vector<FieldSpec> &fields() const override { return specs; }

  Status read(int64_t index, void *const *out) const override {
    DLM_ASSERT(index >= 0 && index < count, "a sample outside its split");
    for (size_t i = 0; i < specs.size(); ++i) {
      size_t size = size_t(specs[i].sizeBytes());
      std::memcpy(out[i], packed[i].data() + size_t(index) * size, size);
    }
    return Status::ok();
  }

  Status append(const TableDecoder &decoder, const CsvRecord &record) {
    TableRow row;
    for (size_t i = 0; i < specs.size(); ++i) {
      size_t begin = packed[i].size();
      packed[i].resize(begin + size_t(specs[i].sizeBytes()));
      void *place = packed[i].data() + begin;
      if (specs[i].name == "number")
        row.number = static_cast<float *>(place);
      else if (specs[i].name == "present")
        row.present = static_cast<bool *>(place);
      else if (specs[i].name == "category")
        row.category = static_cast<int32_t *>(place);
      else
        row.target = place;
    }
    ++count;
    return decoder.decode(record, row);
  }

private:
  std::vector<FieldSpec> specs;
  std::vector<std::vector<uint8_t>> packed;
  int64_t count = 0;
};

/// Reads the files of a source in order, and the parts that share a file in one go.
class TableReader {
public:
  TableReader(const DataSpec &spec, Table table) : spec(spec), table(std::move(table)) {}

  Expected<std::unique_ptr<Dataset>> operator()(Split split, const std::atomic<bool> &cancel) {
    // Where a part begins is known when the one before it in the file has been read.
    std::shared_ptr<File> &file = files[spec.pathOf(split)];
    if (!file) {
      file = std::make_shared<File>();
      file->failure = open(spec.pathOf(split), *file);
    }
    auto dataset = std::make_unique<TableDataset>(spec.fields);
    if (file->failure.isOk()) file->failure = fill(*dataset, split, *file, cancel);
    if (!file->failure.isOk()) return file->failure;
    return std::unique_ptr<Dataset>(std::move(dataset));
  }

private:
  struct File {
    std::optional<CsvFile> records;
    std::optional<TableDecoder> decoder;
    Status failure;
  };

  Status open(const std::string &path, File &file) const {
    Expected<CsvFile> opened = CsvFile::open(path);
    if (!opened) return opened.status();
    file.records = opened.take();
    Expected<TableDecoder> made = TableDecoder::make(table, *file.records);
    if (!made) return made.status();
    file.decoder = made.take();
    return Status::ok();
  }

  Status fill(TableDataset &dataset, Split split, File &file,
              const std::atomic<bool> &cancel) const {
    bool isLast = spec.endsFile(split);
    CsvRecord record;
    while (isLast || dataset.size() < spec.counts[int(split)]) {
      Expected<bool> got = file.records->next(record, &cancel);
      if (!got) return got.status();
      if (!*got) break;
      DLM_TRY(dataset.append(*file.decoder, record));
    }
    return Status::ok();
  }

  DataSpec spec;
  Table table;
  std::map<std::string, std::shared_ptr<File>> files; // by path
};

} // namespace

Expected<std::unique_ptr<DataSource>> makeTableSource(const DataSpec &spec) {
  Expected<Table> table = Table::fromJson(spec.facts);
  if (!table) return table.status();
  return makeBackgroundSource(spec, TableReader(spec, table.take()));
}

} // namespace dlm

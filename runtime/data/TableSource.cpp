// The first records of the training file are the training samples; what the program cuts for
// validation and test stands behind them, in this order.
#include "runtime/data/TableSource.h"

#include "runtime/data/BackgroundSource.h"
#include "runtime/data/PackedDataset.h"
#include "runtime/data/formats/Table.h"

#include <map>
#include <optional>

namespace dlm {

namespace {

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
    auto dataset = std::make_unique<PackedDataset>(spec.fields);
    dataset->reserve(spec.counts[int(split)]);
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

  Status fill(PackedDataset &dataset, Split split, File &file,
              const std::atomic<bool> &cancel) const {
    bool isLast = spec.endsFile(split);
    CsvRecord record;
    while (isLast || dataset.size() < spec.counts[int(split)]) {
      Expected<bool> got = file.records->next(record, &cancel);
      if (!got) return got.status();
      if (!*got) break;
      dataset.grow(1);
      DLM_TRY(file.decoder->decode(record, rowOf(dataset, dataset.size() - 1)));
    }
    return Status::ok();
  }

  DataSpec spec;
  Table table;
  std::map<std::string, std::shared_ptr<File>> files; // by path
};

} // namespace

TableRow rowOf(PackedDataset &dataset, int64_t index) {
  TableRow row;
  for (size_t i = 0; i < dataset.fields().size(); ++i) {
    void *place = dataset.place(i, index);
    const std::string &name = dataset.fields()[i].name;
    if (name == "number")
      row.number = static_cast<float *>(place);
    else if (name == "present")
      row.present = static_cast<bool *>(place);
    else if (name == "category")
      row.category = static_cast<int32_t *>(place);
    else
      row.target = place;
  }
  return row;
}

std::vector<std::string> numberColumns(const DataSpec &spec) {
  std::vector<std::string> names;
  if (spec.kind != "csv") return names;
  Expected<Table> table = Table::fromJson(spec.facts);
  for (size_t i = 0; table && i < table->columns.size(); ++i) {
    const TableColumn &column = table->columns[i];
    if (!column.isCategory && column.name != table->target) names.push_back(column.name);
  }
  return names;
}

Expected<std::unique_ptr<DataSource>> makeTableSource(const DataSpec &spec) {
  Expected<Table> table = Table::fromJson(spec.facts);
  if (!table) return table.status();
  return makeBackgroundSource(spec, TableReader(spec, table.take()));
}

} // namespace dlm

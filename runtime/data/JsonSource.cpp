// The first records of the training file are the training samples; what the program cuts for
// validation and test stands behind them, in this order.
#include "runtime/data/JsonSource.h"

#include "runtime/data/BackgroundSource.h"
#include "runtime/data/PackedDataset.h"
#include "runtime/data/formats/JsonTable.h"

#include <map>
#include <optional>

namespace dlm {

namespace {

class JsonReader {
public:
  JsonReader(DataSpec spec, JsonTable table, std::vector<int> fieldOf)
      : spec(std::move(spec)), decoder(std::make_shared<JsonDecoder>(std::move(table))),
        fieldOf(std::move(fieldOf)) {}

  Expected<std::unique_ptr<Dataset>> operator()(Split split, const std::atomic<bool> &cancel) {
    // Parts that share a file are read in one go, so a failure is one of the later parts too.
    std::shared_ptr<File> &file = files[spec.pathOf(split)];
    if (!file) {
      file = std::make_shared<File>();
      Expected<JsonLines> opened = JsonLines::open(spec.pathOf(split));
      file->failure = opened.status();
      if (opened) opened->leaveOut(decoder->table().dropped);
      if (opened) file->lines = opened.take();
    }
    auto dataset = std::make_unique<PackedDataset>(spec.fields);
    dataset->reserve(spec.counts[int(split)]);
    if (file->failure.isOk()) file->failure = fill(*dataset, split, *file->lines, cancel);
    if (!file->failure.isOk()) return file->failure;
    return std::unique_ptr<Dataset>(std::move(dataset));
  }

private:
  struct File {
    std::optional<JsonLines> lines;
    Status failure;
  };

  Status fill(PackedDataset &dataset, Split split, JsonLines &lines,
              const std::atomic<bool> &cancel) const {
    bool isLast = spec.endsFile(split);
    JsonRecord record;
    std::vector<void *> places(fieldOf.size());
    while (isLast || dataset.size() < spec.counts[int(split)]) {
      Expected<bool> got = lines.next(record, &cancel);
      if (!got) return got.status();
      if (!*got) break;
      dataset.grow(1);
      for (size_t i = 0; i < fieldOf.size(); ++i)
        places[i] =
            fieldOf[i] < 0 ? nullptr : dataset.place(size_t(fieldOf[i]), dataset.size() - 1);
      DLM_TRY(decoder->decode(lines, record, places.data()));
    }
    return Status::ok();
  }

  DataSpec spec;
  std::shared_ptr<const JsonDecoder> decoder;
  std::vector<int> fieldOf; // of the samples, by field of the table; -1: not wanted
  std::map<std::string, std::shared_ptr<File>> files; // by path
};

} // namespace

Expected<std::unique_ptr<DataSource>> makeJsonSource(const DataSpec &spec) {
  Expected<JsonTable> table = JsonTable::fromJson(spec.facts);
  if (!table) return table.status();
  std::vector<int> fieldOf(table->fields.size(), -1);
  for (size_t i = 0; i < spec.fields.size(); ++i) {
    const FieldSpec &field = spec.fields[i];
    bool isFound = false;
    for (size_t f = 0; f < table->fields.size(); ++f) {
      const JsonField &known = table->fields[f];
      if (known.name != field.name || known.dtype != field.dtype || known.shape != field.shape)
        continue;
      fieldOf[f] = int(i);
      isFound = true;
    }
    if (!isFound)
      return corrupt("the program's description of `" + spec.name + "` has no field `" +
                     field.name + "` of its type");
  }
  return makeBackgroundSource(spec, JsonReader(spec, table.take(), std::move(fieldOf)));
}

} // namespace dlm

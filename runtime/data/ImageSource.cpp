// The photos have to be those that the program was compiled for: which one is sample i follows from
// the names in the folder, so another list would be other data under the same numbers.
#include "runtime/data/ImageSource.h"

#include "runtime/data/BackgroundSource.h"
#include "runtime/data/SkippingDataset.h"
#include "runtime/data/formats/ImageDecoder.h"
#include "runtime/data/formats/ImageFolder.h"

#include <cstring>
#include <map>

namespace dlm {

namespace {

/// The samples [first, first + count) of a folder.
class ImageDataset : public Dataset {
public:
  ImageDataset(std::vector<FieldSpec> fields, std::shared_ptr<const ImageFolder> folder,
               int64_t first, int64_t count)
      : specs(std::move(fields)), folder(std::move(folder)), first(first), count(count) {}

  int64_t size() const override { return count; }
  const std::vector<FieldSpec> &fields() const override { return specs; }
  bool isInMemory() const override { return false; }

  Status read(int64_t index, void *const *out) const override {
    DLM_ASSERT(index >= 0 && index < count, "a sample outside its split");
    size_t place = size_t(first + index);
    for (size_t i = 0; i < specs.size(); ++i) {
      const FieldSpec &field = specs[i];
      if (field.shape.empty()) {
        std::memcpy(out[i], &folder->entries[place].label, sizeof(int32_t));
        continue;
      }
      DLM_TRY(decodeImage(folder->pathOf(place), {field.shape[0], field.shape[1]},
                          static_cast<uint8_t *>(out[i])));
    }
    return Status::ok();
  }

private:
  std::vector<FieldSpec> specs;
  std::shared_ptr<const ImageFolder> folder;
  int64_t first, count;
};

class ImageReader {
public:
  ImageReader(DataSpec spec, ImageFacts facts, std::shared_ptr<WarningList> warnings)
      : spec(std::move(spec)), facts(std::move(facts)), warnings(std::move(warnings)) {}

  Expected<std::unique_ptr<Dataset>> operator()(Split split, const std::atomic<bool> &) {
    std::shared_ptr<Folder> &folder = folders[spec.pathOf(split)];
    if (!folder) {
      folder = std::make_shared<Folder>();
      folder->failure = open(split, *folder);
    }
    if (!folder->failure.isOk()) return folder->failure;
    int64_t count = spec.counts[int(split)];
    std::unique_ptr<Dataset> dataset =
        std::make_unique<ImageDataset>(spec.fields, folder->list, folder->used, count);
    folder->used += count;
    if (facts.skipLimit >= 0)
      dataset = std::make_unique<SkippingDataset>(std::move(dataset), facts.skipLimit,
                                                  "the " + std::string(splitName(split)) + " part",
                                                  warnings);
    return dataset;
  }

private:
  struct Folder {
    std::shared_ptr<const ImageFolder> list;
    int64_t used = 0; // samples that earlier parts have
    Status failure;
  };

  Status open(Split split, Folder &folder) {
    const std::string &path = spec.pathOf(split);
    Expected<ImageFolder> listed = listImages(path, classes.empty() ? nullptr : &classes);
    if (!listed) return listed.status();
    folder.list = std::make_shared<ImageFolder>(listed.take());
    if (classes.empty()) classes = folder.list->classes;
    int64_t count = 0;
    for (int each = 0; each < SplitCount; ++each)
      if (spec.pathOf(Split(each)) == path) count += spec.counts[each];
    int64_t found = int64_t(folder.list->entries.size());
    if (found != count)
      return invalidArgument("`" + path + "` holds " + std::to_string(found) +
                             " images, the program was compiled for " + std::to_string(count));
    const std::string &digest = facts.digests[int(split)];
    if (!digest.empty() && digest != folder.list->digest)
      return invalidArgument("`" + path + "` holds other images than when the program was " +
                             "compiled: the names or the sizes of some files have changed; " +
                             "compile it again");
    return Status::ok();
  }

  DataSpec spec;
  ImageFacts facts;
  std::shared_ptr<WarningList> warnings;
  std::vector<std::string> classes;                       // of the training samples
  std::map<std::string, std::shared_ptr<Folder>> folders; // by path
};

} // namespace

Expected<std::unique_ptr<DataSource>> makeImageSource(const DataSpec &spec) {
  Expected<ImageFacts> facts = ImageFacts::fromJson(spec.facts);
  if (!facts) return facts.status();
  for (const FieldSpec &field : spec.fields) {
    bool isImage = field.shape.size() == 3 && field.shape[2] == 3 && field.dtype == DType::U8;
    bool isLabel = field.shape.empty() && field.dtype == DType::I32;
    if (!isImage && !isLabel)
      return invalidArgument("data `" + spec.name + "`: field `" + field.name +
                             "` is neither an image nor a label");
  }
  auto warnings = std::make_shared<WarningList>();
  return makeBackgroundSource(spec, ImageReader(spec, facts.take(), warnings), warnings);
}

} // namespace dlm

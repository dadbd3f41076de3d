// See ImageFolder.h. The order is by a hash of the names.
#include "runtime/data/formats/ImageFolder.h"

#include "runtime/data/formats/FolderList.h"

#include <nlohmann/json.hpp>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <sys/stat.h>

namespace dlm {

namespace {

using Json = nlohmann::json;

bool isPhotoName(const std::string &name) {
  std::string lower = name;
  for (char &c : lower)
    if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
  for (const char *ending : {".jpg", ".jpeg", ".png"}) {
    std::string end = ending;
    if (lower.size() > end.size() && lower.compare(lower.size() - end.size(), end.size(), end) == 0)
      return true;
  }
  return false;
}

uint64_t hashOf(const std::string &text) { return XXH3_64bits(text.data(), text.size()); }

/// Adds the photos of a class; `sizes` are those of the files.
Status addClass(ImageFolder &folder, int32_t label, std::vector<int64_t> &sizes) {
  const std::string &name = folder.classes[size_t(label)];
  Expected<std::vector<std::string>> files = namesInFolder(folder.path + "/" + name);
  if (!files) return files.status();
  for (const std::string &file : *files) {
    std::string path = folder.path + "/" + name + "/" + file;
    struct stat info;
    if (stat(path.c_str(), &info) != 0)
      return systemError("cannot read image `" + path + "`", errno);
    if (S_ISDIR(info.st_mode) || !isPhotoName(file))
      return invalidArgument("`" + path +
                             "` is not an image: a folder of a class holds files that " +
                             "end in .jpg, .jpeg or .png only; move it elsewhere");
    folder.entries.push_back({name + "/" + file, label});
    sizes.push_back(info.st_size);
  }
  if (!files->empty()) return Status::ok();
  return invalidArgument("the folder of a class `" + folder.path + "/" + name +
                         "` holds no images");
}

/// Sorts the samples, and takes the digest of what there is.
void arrange(ImageFolder &folder, const std::vector<int64_t> &sizes) {
  std::vector<std::pair<uint64_t, size_t>> order;
  for (size_t i = 0; i < folder.entries.size(); ++i)
    order.push_back({hashOf(folder.entries[i].name), i}); // of the same hash: in the order of names
  std::sort(order.begin(), order.end());
  std::vector<ImageFolder::Entry> sorted;
  std::string all;
  for (const auto &[hash, index] : order) {
    all += folder.entries[index].name + '\0' + std::to_string(sizes[index]) + '\n';
    sorted.push_back(std::move(folder.entries[index]));
  }
  folder.entries = std::move(sorted);
  char text[20];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hashOf(all)));
  folder.digest = text;
}

} // namespace

Expected<ImageFolder> listImages(const std::string &path, const std::vector<std::string> *classes) {
  ImageFolder folder;
  folder.path = path;
  Expected<std::vector<std::string>> names = namesInFolder(path);
  if (!names) return names.status();
  for (const std::string &name : *names)
    if (!isDirectory(path + "/" + name))
      return invalidArgument("`" + path + "/" + name +
                             "` is not a folder: a folder of images holds " +
                             "a folder for each class, and nothing else");
  if (names->empty())
    return invalidArgument("data folder `" + path + "` is empty; it holds a folder for each class");
  folder.classes = classes ? *classes : *names;
  std::vector<int64_t> sizes;
  for (const std::string &name : *names) {
    auto found = std::find(folder.classes.begin(), folder.classes.end(), name);
    if (found == folder.classes.end())
      return invalidArgument("`" + path + "/" + name +
                             "` is the folder of a class that the training samples do not have");
    DLM_TRY(addClass(folder, int32_t(found - folder.classes.begin()), sizes));
  }
  arrange(folder, sizes);
  return folder;
}

Expected<std::vector<std::string>> photosOf(const std::string &path) {
  if (!isDirectory(path)) return std::vector<std::string>{path};
  Expected<std::vector<std::string>> names = namesInFolder(path);
  if (!names) return names.status();
  std::vector<std::string> photos;
  for (const std::string &name : *names) {
    std::string inside = path + "/" + name;
    if (isPhotoName(name)) {
      photos.push_back(inside);
      continue;
    }
    if (!isDirectory(inside))
      return invalidArgument("`" + inside + "` is not an image: those end in .jpg, .jpeg or .png");
    Expected<std::vector<std::string>> deeper = photosOf(inside);
    if (!deeper) return deeper.status();
    photos.insert(photos.end(), deeper->begin(), deeper->end());
  }
  return photos;
}

std::string ImageFacts::toJson() const {
  return Json{{"digests", {digests[0], digests[1], digests[2]}},
              {"skip_limit", skipLimit},
              {"classes", classes}}
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

Expected<ImageFacts> ImageFacts::fromJson(const std::string &text) {
  Json json = Json::parse(text, nullptr, false);
  Status wrong = corrupt("the program's description of its images is damaged");
  if (!json.is_object()) return wrong;
  ImageFacts facts;
  facts.skipLimit = json.value("skip_limit", int64_t(-1));
  facts.classes = json.value("classes", std::vector<std::string>());
  auto digests = json.value("digests", std::vector<std::string>());
  if (digests.size() != 3) return wrong;
  std::copy(digests.begin(), digests.end(), facts.digests);
  return facts;
}

} // namespace dlm

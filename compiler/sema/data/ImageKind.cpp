// `data.images`: which photos there are, and whether they are of one size.
#include "compiler/sema/data/DataKinds.h"
#include "compiler/sema/data/SourceCall.h"
#include "compiler/sema/evaluate/Evaluator.h"
#include "runtime/data/formats/ImageFile.h"
#include "runtime/data/formats/ImageFolder.h"

#include <algorithm>

namespace dlm::sema {

namespace {

/// The sizes of the photos of all parts.
struct Sizes {
  ImageSize first, most;
  bool areSame = true;
  int64_t count = 0;

  void add(ImageSize size) {
    if (count++ == 0) first = size;
    areSame &= size == first;
    most.height = std::max(most.height, size.height);
    most.width = std::max(most.width, size.width);
  }
};

/// The largest side that the program allows; nothing if reported.
std::optional<int64_t> sideMax(SourceCall &call) {
  const Operand *side = call.argument("max_side");
  return side ? call.evaluator.needInt(*side, "`max_side`") : INT64_MAX;
}

/// Reads the headers of a folder's files.
Status probeFolder(const ImageFolder &folder, int64_t sideMax, Sizes &sizes) {
  for (size_t i = 0; i < folder.entries.size(); ++i) {
    Expected<ImageSize> size = probeImage(folder.pathOf(i));
    if (!size) return size.status();
    if (std::max(size->height, size->width) > sideMax)
      return invalidArgument("image `" + folder.pathOf(i) + "` has " +
                             std::to_string(size->height) + " x " + std::to_string(size->width) +
                             " pixels, and `max_side` is " + std::to_string(sideMax));
    sizes.add(*size);
  }
  return Status::ok();
}

/// `broken = data.skip(limit = n)`: how many; -1 if it is left out, nothing if reported.
std::optional<int64_t> skipLimit(SourceCall &call) {
  const Operand *broken = call.argument("broken");
  if (!broken) return -1;
  bool isSkip = broken->value.is(ValueKind::DataPart) && broken->value.asDataPart().kind == "skip";
  if (isSkip) return broken->value.asDataPart().settings.fields[0].second.asNumber().numerator;
  if (broken->value.isPoison()) return std::nullopt;
  call.evaluator
      .report(Kind::TypeMismatch, broken->span,
              "`broken` says how many broken images a run may skip, and this is " +
                  broken->value.describe())
      .help("write `broken = data.skip(limit = 10)`; without it, the first one ends the run");
  return std::nullopt;
}

bool surveyImages(SourceCall &call, DataSource &source) {
  std::optional<int64_t> most = sideMax(call), skipped = skipLimit(call);
  if (!most || !skipped) return false;
  ImageFacts facts;
  facts.skipLimit = *skipped;
  Sizes sizes;
  std::vector<std::string> classes;
  std::string *paths[] = {&source.path, &source.validationPath, &source.testPath};
  int64_t *counts[] = {&source.trainCount, &source.validationCount, &source.testCount};
  for (int part = 0; part < 3; ++part) {
    if (paths[part]->empty()) continue;
    Expected<ImageFolder> folder = listImages(*paths[part], part == 0 ? nullptr : &classes);
    Status status = folder ? probeFolder(*folder, *most, sizes) : folder.status();
    if (!status.isOk()) return call.fails(status);
    *counts[part] = int64_t(folder->entries.size());
    facts.digests[part] = folder->digest;
    if (part == 0) classes = folder->classes;
  }
  source.classes = int64_t(classes.size());
  facts.classes = classes;
  source.facts = facts.toJson();
  TensorType image{DType::U8,
                   {Dim::whole(sizes.first.height), Dim::whole(sizes.first.width), Dim::whole(3)}};
  if (!sizes.areSame)
    image = call.image(source, true, std::max(sizes.most.height, sizes.most.width));
  source.fields = {{"image", image}, {"label", {DType::I32, {}}}};
  return true;
}

bool addImages(SourceCall &call, DataSource &source) {
  if (source.classes < 1) return call.lacks("classes");
  if (call.describedBy.empty()) return true;
  source.fields = {{"image", call.image(source, true)}, {"label", {DType::I32, {}}}};
  return skipLimit(call).has_value();
}

} // namespace

SourceKindSteps imageSteps() { return {"images", exampleOfImages, addImages, surveyImages}; }

} // namespace dlm::sema

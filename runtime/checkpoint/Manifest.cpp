// The manifest as JSON. Its second line holds the sum over all that follows, so that a damaged one
// is noticed without reading it in any particular way.
#include "runtime/checkpoint/Manifest.h"

#include "runtime/base/Xxh3.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace dlm {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char *FormatName = "dlm-checkpoint";
constexpr int FormatVersion = 2;
constexpr const char *Opening = "{\n \"xxh3\": \"";
constexpr size_t SumDigits = 16;

Json numberOrNull(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json toJson(const Manifest &manifest) {
  Json json = {{"format", FormatName},
               {"version", FormatVersion},
               {"program", manifest.program},
               {"build", manifest.build},
               {"source_hash", manifest.sourceHash},
               {"run", manifest.run},
               {"light", manifest.isLight},
               {"step", manifest.step},
               {"attempt", manifest.attempt},
               {"steps", manifest.steps},
               {"duration_ms", manifest.durationMs},
               {"epoch", manifest.epoch},
               {"seed", manifest.seed},
               {"batch", manifest.batch},
               {"micro", manifest.micro}};
  json["metrics"] = Json::object();
  for (const auto &[split, measured] : manifest.metrics) {
    Json &entry = json["metrics"][split] = {{"step", measured.step}};
    entry["values"] = Json::object();
    for (const auto &[name, value] : measured.values)
      entry["values"][name] = numberOrNull(value);
  }
  if (manifest.best)
    json["best"] = {{"metric", manifest.best->metric},
                    {"largest", manifest.best->isLargest},
                    {"value", numberOrNull(manifest.best->value)},
                    {"step", manifest.best->step},
                    {"evaluated", manifest.best->evaluated}};
  json["options"] = Json::object();
  for (const auto &[name, value] : manifest.options)
    json["options"][name] = value;
  json["resolved"] = Json::array();
  for (const ResolvedValue &value : manifest.resolved)
    json["resolved"].push_back({{"kind", value.kind},
                                {"name", value.name},
                                {"value", value.value},
                                {"origin", value.origin}});
  json["data"] = Json::array();
  for (const DataFile &file : manifest.data)
    json["data"].push_back({{"name", file.name}, {"bytes", file.sizeBytes}, {"xxh3", file.xxh3}});
  json["files"] = Json::array();
  for (const ManifestFile &file : manifest.files)
    json["files"].push_back({{"name", file.name}, {"bytes", file.sizeBytes}, {"xxh3", file.xxh3}});
  json["sources"] = Json::array();
  for (const SourceText &source : manifest.sources)
    json["sources"].push_back({{"path", source.path}, {"text", source.text}});
  return json;
}

/// Fields of an object; what is missing or of another type leaves its name in `wrong`.
class FieldReader {
public:
  explicit FieldReader(const Json &json) : json(json) {}

  template <class T> void get(const char *name, T &value) {
    auto found = json.find(name);
    if (found == json.end())
      fail(name);
    else if constexpr (std::is_same_v<T, std::string>)
      found->is_string() ? void(value = found->template get<T>()) : fail(name);
    else if constexpr (std::is_same_v<T, bool>)
      found->is_boolean() ? void(value = found->template get<T>()) : fail(name);
    else if constexpr (std::is_same_v<T, double>)
      value = found->is_number() ? found->template get<T>() : std::nan("");
    else
      found->is_number_integer() ? void(value = found->template get<T>()) : fail(name);
  }

  /// The field, if it is an object or array as wanted; else an empty one.
  const Json &part(const char *name, bool isArray) {
    static const Json none = Json::object();
    auto found = json.find(name);
    bool isThere = found != json.end() && (isArray ? found->is_array() : found->is_object());
    if (!isThere) fail(name);
    return isThere ? *found : none;
  }

  Status status() const {
    return wrong.empty() ? Status::ok() : corrupt("its field `" + wrong + "` is missing or wrong");
  }

private:
  void fail(const char *name) {
    if (wrong.empty()) wrong = name;
  }
  const Json &json;
  std::string wrong;
};

Status readMetrics(const Json &json, Manifest &manifest) {
  for (const auto &[split, entry] : json.items()) {
    MeasuredSplit &measured = manifest.metrics[split];
    FieldReader reader(entry);
    reader.get("step", measured.step);
    for (const auto &[name, value] : reader.part("values", false).items())
      measured.values[name] = value.is_number() ? value.get<double>() : std::nan("");
    DLM_TRY(reader.status());
  }
  return Status::ok();
}

/// The lists of records that have a name, a size and a sum.
template <class File> Status readFiles(const Json &json, std::vector<File> &files) {
  for (const Json &entry : json) {
    FieldReader reader(entry);
    File file;
    reader.get("name", file.name);
    reader.get("bytes", file.sizeBytes);
    reader.get("xxh3", file.xxh3);
    DLM_TRY(reader.status());
    files.push_back(std::move(file));
  }
  return Status::ok();
}

Status readBest(const Json &json, Manifest &manifest) {
  FieldReader reader(json);
  BestMark &best = manifest.best.emplace();
  reader.get("metric", best.metric);
  reader.get("largest", best.isLargest);
  reader.get("value", best.value);
  reader.get("step", best.step);
  reader.get("evaluated", best.evaluated);
  return reader.status();
}

Status readLists(FieldReader &top, Manifest &manifest) {
  for (const auto &[name, value] : top.part("options", false).items()) {
    if (!value.is_number()) return corrupt("its option `" + name + "` is not a number");
    manifest.options[name] = value.get<double>();
  }
  for (const Json &entry : top.part("resolved", true)) {
    FieldReader reader(entry);
    ResolvedValue value;
    reader.get("kind", value.kind);
    reader.get("name", value.name);
    reader.get("value", value.value);
    reader.get("origin", value.origin);
    DLM_TRY(reader.status());
    manifest.resolved.push_back(std::move(value));
  }
  for (const Json &entry : top.part("sources", true)) {
    FieldReader reader(entry);
    SourceText source;
    reader.get("path", source.path);
    reader.get("text", source.text);
    DLM_TRY(reader.status());
    manifest.sources.push_back(std::move(source));
  }
  DLM_TRY(readFiles(top.part("data", true), manifest.data));
  DLM_TRY(readFiles(top.part("files", true), manifest.files));
  return readMetrics(top.part("metrics", false), manifest);
}

} // namespace

std::string manifestText(const Manifest &manifest) {
  std::string body = toJson(manifest).dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
  body[0] = ','; // the object's brace is in the opening
  return Opening + xxh3Text(body.data(), body.size()) + "\"" + body;
}

Expected<Manifest> parseManifest(const std::string &text) {
  std::string opening = Opening;
  size_t bodyAt = opening.size() + SumDigits + 1;
  if (text.size() <= bodyAt || text.compare(0, opening.size(), opening) != 0 ||
      text[bodyAt - 1] != '"')
    return corrupt("it is not a manifest, or cut off");
  if (text.compare(opening.size(), SumDigits,
                   xxh3Text(text.data() + bodyAt, text.size() - bodyAt)) != 0)
    return corrupt("its checksum does not agree with its content");
  Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return corrupt("it is not JSON");
  FieldReader reader(json);
  Manifest manifest;
  std::string format;
  int64_t version = 0;
  reader.get("format", format);
  reader.get("version", version);
  if (format != FormatName) return corrupt("it is not the manifest of a checkpoint");
  if (version != FormatVersion)
    return unsupported("it has format version " + std::to_string(version) +
                       ", this program reads version " + std::to_string(FormatVersion) +
                       "; the program that wrote it still does");
  reader.get("program", manifest.program);
  reader.get("build", manifest.build);
  reader.get("source_hash", manifest.sourceHash);
  reader.get("run", manifest.run);
  reader.get("light", manifest.isLight);
  reader.get("step", manifest.step);
  reader.get("attempt", manifest.attempt);
  reader.get("steps", manifest.steps);
  if (json.contains("duration_ms")) reader.get("duration_ms", manifest.durationMs);
  reader.get("epoch", manifest.epoch);
  reader.get("seed", manifest.seed);
  reader.get("batch", manifest.batch);
  reader.get("micro", manifest.micro);
  if (json.contains("best")) DLM_TRY(readBest(reader.part("best", false), manifest));
  DLM_TRY(readLists(reader, manifest));
  DLM_TRY(reader.status());
  return manifest;
}

} // namespace dlm

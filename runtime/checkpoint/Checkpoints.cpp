// Writing, finding and reading checkpoints. The format: tensors under the names of the plan's list
// of state; metadata as texts. Nothing in the file depends on when or where it was written, so two
// runs with the same bits write the same files.
#include "runtime/checkpoint/Checkpoints.h"

#include "runtime/base/Safetensors.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <zlib.h>

namespace dlm {

namespace {

constexpr const char *FormatName = "dlm-checkpoint";
constexpr const char *FormatVersion = "1";
constexpr const char *KeyPrefix = "step-", *KeySuffix = ".safetensors";
constexpr const char *OptionPrefix = "option.";
constexpr const char *ChecksumKey = "checksum";
constexpr size_t CrcPieceBytes = size_t(1) << 30; // zlib counts in 32 bits

uint32_t crcOf(uint32_t crc, const void *data, uint64_t count) {
  const uint8_t *bytes = static_cast<const uint8_t *>(data);
  while (count > 0) {
    unsigned piece = unsigned(std::min<uint64_t>(count, CrcPieceBytes));
    crc = uint32_t(crc32(crc, bytes, piece));
    bytes += piece;
    count -= piece;
  }
  return crc;
}

uint32_t crcOf(uint32_t crc, const std::string &text) {
  return crcOf(crc, text.c_str(), text.size() + 1);
}

/// A checksum over metadata and tensors, whatever their order in the file.
std::string checksum(const SafetensorsMetadata &metadata, std::vector<SafeTensor> tensors) {
  std::sort(tensors.begin(), tensors.end(),
            [](const SafeTensor &a, const SafeTensor &b) { return a.name < b.name; });
  uint32_t crc = 0;
  for (const auto &[key, value] : metadata) {
    if (key != ChecksumKey) crc = crcOf(crcOf(crc, key), value);
  }
  for (const SafeTensor &tensor : tensors) {
    crc = crcOf(crcOf(crc, tensor.name), dtypeName(tensor.dtype));
    crc = crcOf(crc, tensor.shape.data(), tensor.shape.size() * sizeof(int64_t));
    crc = crcOf(crc, tensor.data, tensor.sizeBytes);
  }
  char text[16];
  std::snprintf(text, sizeof text, "%08x", crc);
  return text;
}

std::string doubleText(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

SafetensorsMetadata toMetadata(const CheckpointInfo &info) {
  SafetensorsMetadata metadata = {{"format", FormatName},
                                  {"format_version", FormatVersion},
                                  {"program", info.program},
                                  {"source_hash", info.sourceHash},
                                  {"step", std::to_string(info.step)},
                                  {"attempt", std::to_string(info.attempt)},
                                  {"steps", std::to_string(info.steps)},
                                  {"seed", std::to_string(info.seed)},
                                  {"batch", std::to_string(info.batch)},
                                  {"micro", std::to_string(info.micro)}};
  for (const auto &[name, value] : info.options)
    metadata[OptionPrefix + name] = doubleText(value);
  return metadata;
}

/// The number under `key`; fails if it is missing or not a number.
Status readNumber(const SafetensorsMetadata &metadata, const std::string &key, uint64_t &value) {
  auto found = metadata.find(key);
  if (found == metadata.end()) return corrupt("its metadata has no `" + key + "`");
  char *end = nullptr;
  value = std::strtoull(found->second.c_str(), &end, 10);
  if (found->second.empty() || *end != 0)
    return corrupt("its metadata has `" + key + "` = `" + found->second + "`");
  return Status::ok();
}

Status readCount(const SafetensorsMetadata &metadata, const std::string &key, int64_t &value) {
  uint64_t number = 0;
  DLM_TRY(readNumber(metadata, key, number));
  value = int64_t(number);
  return Status::ok();
}

std::string textOf(const SafetensorsMetadata &metadata, const std::string &key) {
  auto found = metadata.find(key);
  return found == metadata.end() ? std::string() : found->second;
}

Status fromMetadata(const SafetensorsMetadata &metadata, CheckpointInfo &info) {
  if (textOf(metadata, "format") != FormatName)
    return corrupt("it is not a checkpoint: its metadata does not say `" + std::string(FormatName) +
                   "`");
  if (textOf(metadata, "format_version") != FormatVersion)
    return unsupported("it has format version " + textOf(metadata, "format_version") +
                       ", this program reads version " + FormatVersion);
  info.program = textOf(metadata, "program");
  info.sourceHash = textOf(metadata, "source_hash");
  DLM_TRY(readCount(metadata, "step", info.step));
  DLM_TRY(readCount(metadata, "attempt", info.attempt));
  DLM_TRY(readCount(metadata, "steps", info.steps));
  DLM_TRY(readCount(metadata, "batch", info.batch));
  DLM_TRY(readCount(metadata, "micro", info.micro));
  DLM_TRY(readNumber(metadata, "seed", info.seed));
  for (const auto &[key, value] : metadata) {
    if (key.rfind(OptionPrefix, 0) == 0)
      info.options[key.substr(std::strlen(OptionPrefix))] = std::strtod(value.c_str(), nullptr);
  }
  return Status::ok();
}

std::string shapeText(DType dtype, const std::vector<int64_t> &shape) {
  std::string text = std::string(dtypeName(dtype)) + "[";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
}

} // namespace

Checkpoints::Checkpoints(Store &store, int64_t keep)
    : target(store), keep(std::max<int64_t>(keep, 1)) {}

std::string Checkpoints::keyOf(int64_t step) {
  char text[48];
  std::snprintf(text, sizeof text, "%s%08lld%s", KeyPrefix, static_cast<long long>(step),
                KeySuffix);
  return text;
}

int64_t Checkpoints::stepOf(const std::string &key) {
  size_t prefix = std::strlen(KeyPrefix), suffix = std::strlen(KeySuffix);
  if (key.size() < prefix + 8 + suffix || key.size() > prefix + 18 + suffix ||
      key.compare(0, prefix, KeyPrefix) != 0 ||
      key.compare(key.size() - suffix, suffix, KeySuffix) != 0)
    return -1;
  std::string digits = key.substr(prefix, key.size() - prefix - suffix);
  if (!std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; }))
    return -1;
  return std::strtoll(digits.c_str(), nullptr, 10);
}

Status Checkpoints::save(const CheckpointInfo &info, const std::vector<StateBinding> &state,
                         std::vector<std::string> &notes) {
  std::vector<SafeTensor> tensors;
  for (const StateBinding &entry : state)
    tensors.push_back({entry.name, entry.dtype, entry.shape,
                       static_cast<const uint8_t *>(entry.data), entry.sizeBytes});
  SafetensorsMetadata metadata = toMetadata(info);
  metadata[ChecksumKey] = checksum(metadata, tensors);
  Expected<std::vector<uint8_t>> bytes = writeSafetensors(tensors, metadata);
  if (!bytes) return bytes.status();
  std::string key = keyOf(info.step);
  DLM_TRY(target.write(key, *bytes));
  last = key;
  own.erase(std::remove(own.begin(), own.end(), key), own.end());
  own.push_back(key);
  while (int64_t(own.size()) > keep) {
    Status removed = target.remove(own.front());
    if (!removed.isOk() && removed.code() != Code::NotFound)
      notes.push_back("an old checkpoint stays: " + removed.message());
    own.erase(own.begin());
  }
  return Status::ok();
}

Expected<std::vector<std::string>> Checkpoints::keys() {
  Expected<std::vector<std::string>> all = target.list();
  if (!all) return all.status();
  std::vector<std::string> named;
  for (const std::string &key : *all) {
    if (stepOf(key) >= 0) named.push_back(key);
  }
  std::sort(named.begin(), named.end(),
            [](const std::string &a, const std::string &b) { return stepOf(a) > stepOf(b); });
  return named;
}

Expected<Checkpoints::Loaded> Checkpoints::read(const std::string &key) {
  std::string what = "checkpoint `" + target.location(key) + "`";
  Expected<std::vector<uint8_t>> bytes = target.read(key);
  if (!bytes) return bytes.status();
  Loaded loaded{key, {}, *bytes};
  Expected<Safetensors> file = Safetensors::parse(bytes.take());
  if (!file) return file.status().withContext(what);
  Status status = fromMetadata(file->metadata(), loaded.info);
  if (!status.isOk()) return status.withContext(what);
  if (checksum(file->metadata(), file->tensors()) != textOf(file->metadata(), ChecksumKey))
    return corrupt(what + ": its checksum does not agree with its content");
  return loaded;
}

Expected<Checkpoints::Loaded> Checkpoints::latest(std::vector<std::string> &notes) {
  Expected<std::vector<std::string>> named = keys();
  if (!named) return named.status();
  if (named->empty()) return notFound("there is no checkpoint in `" + target.location("") + "`");
  for (const std::string &key : *named) {
    Expected<Loaded> loaded = read(key);
    if (loaded) return loaded;
    notes.push_back(loaded.status().message() + "; trying the one before it");
  }
  return notFound("none of the " + std::to_string(named->size()) + " checkpoints in `" +
                  target.location("") + "` can be used");
}

Status Checkpoints::restore(const Loaded &loaded, const std::vector<StateBinding> &state) {
  Expected<Safetensors> file = Safetensors::parse(loaded.bytes);
  if (!file) return file.status();
  for (const StateBinding &entry : state) {
    const SafeTensor *tensor = file->find(entry.name);
    if (!tensor)
      return invalidArgument("the checkpoint has no `" + entry.name +
                             "`, which this program needs");
    if (tensor->dtype != entry.dtype || tensor->shape != entry.shape ||
        tensor->sizeBytes != entry.sizeBytes)
      return invalidArgument("`" + entry.name + "` is " + shapeText(tensor->dtype, tensor->shape) +
                             " in the checkpoint and " + shapeText(entry.dtype, entry.shape) +
                             " in this program");
  }
  for (const SafeTensor &tensor : file->tensors()) {
    bool known = std::any_of(state.begin(), state.end(),
                             [&](const StateBinding &entry) { return entry.name == tensor.name; });
    if (!known)
      return invalidArgument("the checkpoint has `" + tensor.name +
                             "`, which this program does not have");
  }
  for (const StateBinding &entry : state) {
    if (entry.sizeBytes) std::memcpy(entry.data, file->find(entry.name)->data, entry.sizeBytes);
  }
  return Status::ok();
}

Status Checkpoints::adopt(const Loaded &from) {
  Expected<std::vector<std::string>> named = keys();
  if (!named) return named.status();
  own.clear();
  for (auto it = named->rbegin(); it != named->rend(); ++it) {
    if (stepOf(*it) >= stepOf(from.key)) continue;
    Expected<Loaded> older = read(*it);
    if (older && older->info.program == from.info.program &&
        older->info.sourceHash == from.info.sourceHash && older->info.seed == from.info.seed)
      own.push_back(*it);
  }
  own.push_back(from.key);
  last = from.key;
  return Status::ok();
}

} // namespace dlm

// Reading and writing safetensors. The header is parsed without exceptions; what it claims is then
// compared with what is there.
#include "runtime/base/Safetensors.h"

#include "runtime/base/FileBytes.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

namespace dlm {

namespace {

using Json = nlohmann::json;

constexpr uint64_t LengthBytes = 8;
constexpr uint64_t HeaderBytesMax = 100000000; // the format's own limit
constexpr uint64_t DataAlignment = 64;
const char *const MetadataKey = "__metadata__";

/// Element count of `shape` times the element size; false on a negative size or an overflow.
bool byteSizeOf(const std::vector<int64_t> &shape, DType dtype, uint64_t &sizeBytes) {
  uint64_t product = elementSizeBytes(dtype);
  for (int64_t size : shape) {
    if (size < 0 || __builtin_mul_overflow(product, uint64_t(size), &product)) return false;
  }
  sizeBytes = product;
  return true;
}

bool readIndex(const Json &json, uint64_t &value) {
  if (!json.is_number_unsigned()) return false;
  value = json.get<uint64_t>();
  return value <= uint64_t(INT64_MAX);
}

/// One entry of the header, checked against `dataBytes` bytes of data at `data`.
Expected<SafeTensor> readEntry(const std::string &name, const Json &json, const uint8_t *data,
                               uint64_t dataBytes) {
  std::string what = "tensor `" + name + "`: ";
  if (!json.is_object() || !json.contains("dtype") || !json.contains("shape") ||
      !json.contains("data_offsets"))
    return corrupt(what + "the header entry needs dtype, shape and data_offsets");
  SafeTensor tensor;
  tensor.name = name;
  const Json &dtype = json["dtype"], &shape = json["shape"], &offsets = json["data_offsets"];
  if (!dtype.is_string() || !dtypeFromName(dtype.get<std::string>(), tensor.dtype))
    return corrupt(what + "unknown dtype " +
                   dtype.dump(-1, ' ', true, Json::error_handler_t::replace));
  if (!shape.is_array()) return corrupt(what + "the shape is not a list");
  for (const Json &size : shape) {
    uint64_t value;
    if (!readIndex(size, value))
      return corrupt(what + "the shape holds something that is not a size");
    tensor.shape.push_back(int64_t(value));
  }
  uint64_t begin, end, expected;
  if (!offsets.is_array() || offsets.size() != 2 || !readIndex(offsets[0], begin) ||
      !readIndex(offsets[1], end))
    return corrupt(what + "data_offsets are not two sizes");
  if (begin > end || end > dataBytes)
    return corrupt(what + "bytes " + std::to_string(begin) + " to " + std::to_string(end) + " of " +
                   std::to_string(dataBytes));
  if (!byteSizeOf(tensor.shape, tensor.dtype, expected) || expected != end - begin)
    return corrupt(what + "its shape and dtype do not fill its " + std::to_string(end - begin) +
                   " bytes");
  tensor.data = data + begin;
  tensor.sizeBytes = end - begin;
  return tensor;
}

Status readMetadata(const Json &json, SafetensorsMetadata &metadata) {
  if (!json.is_object()) return corrupt("the metadata is not a map");
  for (auto &[key, value] : json.items()) {
    if (!value.is_string()) return corrupt("metadata `" + key + "` is not a text");
    metadata[key] = value.get<std::string>();
  }
  return Status::ok();
}

/// Parses the JSON text of a header; a name that occurs twice is refused.
Expected<Json> parseHeader(const char *text, uint64_t sizeBytes) {
  std::set<std::string> names;
  std::string repeated;
  auto watch = [&](int depth, Json::parse_event_t event, Json &value) {
    if (depth == 1 && event == Json::parse_event_t::key &&
        !names.insert(value.get<std::string>()).second)
      repeated = value.get<std::string>();
    return true;
  };
  Json header = Json::parse(text, text + sizeBytes, watch, false);
  if (header.is_discarded() || !header.is_object()) return corrupt("the header is not a JSON map");
  if (!repeated.empty()) return corrupt("`" + repeated + "` occurs twice in the header");
  return header;
}

/// The tensors, sorted by place, cover the data without gap or overlap.
Status checkCover(std::vector<SafeTensor> &tensors, const uint8_t *data, uint64_t dataBytes) {
  std::sort(tensors.begin(), tensors.end(), [](const SafeTensor &a, const SafeTensor &b) {
    return std::tie(a.data, a.sizeBytes, a.name) < std::tie(b.data, b.sizeBytes, b.name);
  });
  uint64_t reached = 0;
  for (const SafeTensor &tensor : tensors) {
    uint64_t begin = uint64_t(tensor.data - data);
    if (begin != reached)
      return corrupt("tensor `" + tensor.name + "` starts at byte " + std::to_string(begin) +
                     " of the data, the one before ends at " + std::to_string(reached));
    reached = begin + tensor.sizeBytes;
  }
  if (reached != dataBytes)
    return corrupt("the tensors end at byte " + std::to_string(reached) + " of " +
                   std::to_string(dataBytes));
  return Status::ok();
}

/// Sizes agree with shapes and no name occurs twice.
Status checkBeforeWriting(const std::vector<SafeTensor> &tensors) {
  std::set<std::string> names;
  for (const SafeTensor &tensor : tensors) {
    uint64_t expected;
    if (!byteSizeOf(tensor.shape, tensor.dtype, expected) || expected != tensor.sizeBytes)
      return invalidArgument("tensor `" + tensor.name + "`: " + std::to_string(tensor.sizeBytes) +
                             " bytes do not agree with its shape");
    if (tensor.name == MetadataKey || !names.insert(tensor.name).second)
      return invalidArgument("tensor name `" + tensor.name + "` is taken");
  }
  return Status::ok();
}

} // namespace

int64_t SafeTensor::elementCount() const {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

/// The length of the header of a file that begins with `base` and has `total` bytes.
static Expected<uint64_t> headerLength(const uint8_t *base, uint64_t total) {
  if (total < LengthBytes)
    return corrupt("not a safetensors file: " + std::to_string(total) + " bytes");
  uint64_t headerBytes = 0;
  for (int i = 7; i >= 0; --i)
    headerBytes = headerBytes << 8 | base[i];
  if (headerBytes > HeaderBytesMax || headerBytes > total - LengthBytes)
    return corrupt("not a safetensors file, or cut off: a header of " +
                   std::to_string(headerBytes) + " bytes in a file of " + std::to_string(total));
  return headerBytes;
}

Expected<Safetensors> Safetensors::parse(std::vector<uint8_t> bytes) {
  Safetensors file;
  file.bytes = std::move(bytes);
  const uint8_t *base = file.bytes.data();
  uint64_t total = file.bytes.size();
  Expected<uint64_t> headerBytes = headerLength(base, total);
  if (!headerBytes) return headerBytes.status();
  DLM_TRY(file.parseHead(reinterpret_cast<const char *>(base) + LengthBytes, *headerBytes,
                         base + LengthBytes + *headerBytes, total - LengthBytes - *headerBytes));
  return file;
}

Status Safetensors::parseHead(const char *text, uint64_t headerBytes, const uint8_t *data,
                              uint64_t dataBytes) {
  Expected<Json> header = parseHeader(text, headerBytes);
  if (!header) return header.status();
  for (auto &[name, json] : header->items()) {
    if (name == MetadataKey) {
      DLM_TRY(readMetadata(json, meta));
      continue;
    }
    Expected<SafeTensor> tensor = readEntry(name, json, data, dataBytes);
    if (!tensor) return tensor.status();
    entries.push_back(tensor.take());
  }
  return checkCover(entries, data, dataBytes);
}

Expected<Safetensors> Safetensors::readIndex(const std::string &path) {
  auto inFile = [&](const Status &status) { return status.withContext("`" + path + "`"); };
  Expected<std::vector<uint8_t>> head = readFileBytes(path, LengthBytes);
  if (!head) return head.status();
  std::error_code error;
  uint64_t total = std::max<uint64_t>(std::filesystem::file_size(path, error), head->size());
  Expected<uint64_t> headerBytes = headerLength(head->data(), error ? head->size() : total);
  if (!headerBytes) return inFile(headerBytes.status());
  head = readFileBytes(path, LengthBytes + *headerBytes);
  if (!head) return head.status();
  if (head->size() != LengthBytes + *headerBytes)
    return inFile(corrupt("it became shorter while it was read"));
  Safetensors file;
  // Places are counted from the beginning of the head; nothing is read there.
  Status parsed = file.parseHead(reinterpret_cast<const char *>(head->data()) + LengthBytes,
                                 *headerBytes, head->data(), total - LengthBytes - *headerBytes);
  if (!parsed.isOk()) return inFile(parsed);
  for (SafeTensor &tensor : file.entries)
    tensor.data = nullptr;
  return file;
}

Expected<Safetensors> Safetensors::read(const std::string &path) {
  Expected<std::vector<uint8_t>> bytes = readFileBytes(path);
  if (!bytes) return bytes.status();
  Expected<Safetensors> file = parse(bytes.take());
  return file ? std::move(file)
              : Expected<Safetensors>(file.status().withContext("`" + path + "`"));
}

const SafeTensor *Safetensors::find(const std::string &name) const {
  for (const SafeTensor &tensor : entries) {
    if (tensor.name == name) return &tensor;
  }
  return nullptr;
}

Expected<SafetensorsLayout> layoutSafetensors(const std::vector<SafeTensor> &tensors,
                                              const SafetensorsMetadata &metadata) {
  DLM_TRY(checkBeforeWriting(tensors));
  SafetensorsLayout layout;
  for (size_t i = 0; i < tensors.size(); ++i)
    layout.order.push_back(i);
  std::sort(layout.order.begin(), layout.order.end(), [&](size_t a, size_t b) {
    uint64_t sizeA = elementSizeBytes(tensors[a].dtype), sizeB = elementSizeBytes(tensors[b].dtype);
    return sizeA != sizeB ? sizeA > sizeB : a < b;
  });
  Json header = Json::object();
  if (!metadata.empty()) header[MetadataKey] = metadata;
  for (size_t index : layout.order) {
    const SafeTensor &tensor = tensors[index];
    header[tensor.name] = {
        {"dtype", dtypeName(tensor.dtype)},
        {"shape", tensor.shape},
        {"data_offsets", {layout.dataBytes, layout.dataBytes + tensor.sizeBytes}}};
    layout.dataBytes += tensor.sizeBytes;
  }
  std::string text = header.dump(-1, ' ', true, Json::error_handler_t::replace);
  while ((LengthBytes + text.size()) % DataAlignment != 0)
    text += ' ';
  for (uint64_t i = 0; i < LengthBytes; ++i)
    layout.head += char(uint8_t(uint64_t(text.size()) >> (8 * i)));
  layout.head += text;
  return layout;
}

Expected<std::vector<uint8_t>> writeSafetensors(const std::vector<SafeTensor> &tensors,
                                                const SafetensorsMetadata &metadata) {
  Expected<SafetensorsLayout> layout = layoutSafetensors(tensors, metadata);
  if (!layout) return layout.status();
  std::vector<uint8_t> bytes(layout->head.size() + layout->dataBytes);
  std::memcpy(bytes.data(), layout->head.data(), layout->head.size());
  uint8_t *out = bytes.data() + layout->head.size();
  for (size_t index : layout->order) {
    const SafeTensor &tensor = tensors[index];
    if (tensor.sizeBytes) std::memcpy(out, tensor.data, tensor.sizeBytes);
    out += tensor.sizeBytes;
  }
  return bytes;
}

Status writeSafetensorsFile(const std::string &path, const std::vector<SafeTensor> &tensors,
                            const SafetensorsMetadata &metadata) {
  Expected<std::vector<uint8_t>> bytes = writeSafetensors(tensors, metadata);
  if (!bytes) return bytes.status().withContext("`" + path + "`");
  return writeFileBytes(path, *bytes);
}

} // namespace dlm

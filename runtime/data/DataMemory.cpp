// What `read` of the kinds' datasets copies from: the same decisions as theirs, in numbers.
#include "runtime/data/DataMemory.h"

#include "runtime/data/formats/FilePattern.h"
#include "runtime/data/formats/TokenFacts.h"
#include "runtime/data/formats/Tokenizer.h"

#include <fstream>
#include <sys/stat.h>

namespace dlm {

namespace {

bool isGzip(const std::string &path) {
  struct stat info;
  // To open a pipe would wait for its writer.
  if (stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return false;
  char begin[2] = {};
  std::ifstream(path, std::ios::binary).read(begin, sizeof begin);
  return begin[0] == '\x1F' && begin[1] == '\x8B';
}

bool isThere(const std::string &path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0;
}

bool endsWith(const std::string &text, const std::string &end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// Whether the arrays of a path can be read where they are.
bool areArraysPlain(const std::string &path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0) return false;
  return S_ISDIR(info.st_mode) || (endsWith(path, ".npy") && !isGzip(path));
}

/// Samples of the splits that are read from the same files, and of each the bytes.
uint64_t keptOf(const DataSpec &spec, Split split, uint64_t sampleBytes) {
  uint64_t samples = 0;
  for (int other = 0; other < SplitCount; ++other)
    if (spec.pathOf(Split(other)) == spec.pathOf(split)) samples += uint64_t(spec.counts[other]);
  return samples * sampleBytes;
}

uint64_t sampleBytes(const DataSpec &spec) {
  uint64_t bytes = 0;
  for (const FieldSpec &field : spec.fields)
    bytes += field.sizeBytes();
  return bytes;
}

uint64_t arrayBytes(const DataSpec &spec) {
  uint64_t total = 0;
  for (int split = 0; split < SplitCount; ++split) {
    uint64_t together = keptOf(spec, Split(split), sampleBytes(spec));
    bool stays = together > spec.keptBytesMax && areArraysPlain(spec.pathOf(Split(split)));
    if (!stays) total += uint64_t(spec.counts[split]) * sampleBytes(spec);
  }
  return total;
}

/// A byte for each pixel and for each label; training and validation share a file.
uint64_t idxBytes(const DataSpec &spec) {
  uint64_t pixels = 0, total = 0;
  for (const FieldSpec &field : spec.fields)
    if (!field.shape.empty()) pixels = uint64_t(field.elementCount());
  uint64_t test = uint64_t(spec.counts[int(Split::Test)]);
  uint64_t train = uint64_t(spec.counts[int(Split::Train)] + spec.counts[int(Split::Validation)]);
  for (auto [prefix, count] : {std::pair("train", train), std::pair("t10k", test)}) {
    std::string path = spec.path + "/" + prefix + "-images-idx3-ubyte";
    bool stays = count * pixels > spec.keptBytesMax && isThere(path) && !isGzip(path);
    total += count * (1 + (stays ? 0 : pixels));
  }
  return total;
}

/// Ids of all windows of a split.
uint64_t idsOf(const DataSpec &spec, int split) {
  return uint64_t(spec.counts[split]) * uint64_t(spec.fields[0].elementCount());
}

uint64_t tokenBytes(const DataSpec &spec) {
  Expected<TokenFacts> facts = TokenFacts::fromJson(spec.facts);
  uint64_t width = uint64_t(TokenList::bytesOfId(facts ? facts->vocab : INT32_MAX)), total = 0;
  for (int split = 0; split < SplitCount; ++split) {
    const std::string &path = spec.pathOf(Split(split));
    uint64_t bytes = idsOf(spec, split) * width;
    bool stays = keptOf(spec, Split(split), uint64_t(spec.fields[0].elementCount()) * width) >
                 spec.keptBytesMax;
    std::vector<std::string> files = filesOf(path);
    for (const std::string &file : files)
      stays = stays && !isGzip(file);
    if (!stays || files.empty()) total += bytes;
  }
  return total;
}

uint64_t textBytes(const DataSpec &spec) {
  Expected<std::unique_ptr<Tokenizer>> made = Tokenizer::fromJson(spec.facts);
  uint64_t width = uint64_t(TokenList::bytesOfId(made ? (*made)->vocab() : INT32_MAX)), total = 0;
  for (int split = 0; split < SplitCount; ++split)
    total += idsOf(spec, split) * width;
  return total;
}

/// Which samples are of which part, where that is written down (SampleParts, MixedSource).
uint64_t partBytes(const DataSpec &spec) {
  uint64_t samples = keptOf(spec, Split::Train, 1);
  return spec.arePartsMixed ? samples * (sizeof(int64_t) + 1) : 0;
}

uint64_t sampleMemory(const DataSpec &spec) {
  if (spec.fields.empty() || spec.kind == "images") return 0; // a name for each
  if (spec.kind == "idx") return idxBytes(spec);
  if (spec.kind == "npy") return arrayBytes(spec);
  if (spec.kind == "tokens") return tokenBytes(spec);
  if (spec.kind == "text") return textBytes(spec);
  uint64_t total = 0;
  for (int64_t count : spec.counts)
    total += uint64_t(count) * sampleBytes(spec);
  return total;
}

} // namespace

uint64_t dataBytes(const DataSpec &spec) { return sampleMemory(spec) + partBytes(spec); }

std::string adviceOnDataMemory(const std::string &kind) {
  if (kind == "text")
    return "`dlmc pack` makes token files of texts, for `data.tokens`: they stay on disk";
  if (kind == "csv" || kind == "jsonl")
    return "as `.npy` files, one for each field, for `data.npy`, samples stay on disk";
  if (kind == "npy") return "`.npy` files that are not compressed stay on disk; `.npz` is kept";
  return "`gunzip` the files: those that are not compressed stay on disk";
}

} // namespace dlm

// A new reader adds a row: seeds that reach its branches, and a function that reads all of a file.
#include "test/fuzz/data/Formats.h"

#include "runtime/data/formats/IdxFile.h"
#include "runtime/data/formats/ImageDecoder.h"
#include "runtime/data/formats/JsonTable.h"
#include "runtime/data/formats/NpyFile.h"
#include "runtime/data/formats/Table.h"
#include "runtime/data/formats/TokenFile.h"
#include "runtime/data/formats/Tokenizer.h"
#include "test/runtime/ArrayFiles.h"
#include "test/runtime/ImageFiles.h"

namespace dlm::fuzz {

namespace {

using test::npyArray;

constexpr int64_t PixelsMax = int64_t(1) << 24;

Bytes bytesOf(const std::string &text) { return {text.begin(), text.end()}; }

Status readCsv(const std::string &path) {
  Expected<TableSurvey> survey = surveyTable(path);
  if (!survey) return survey.status();
  Table table;
  for (size_t i = 0; i < survey->columns.size(); ++i)
    table.columns.push_back({survey->columns[i], !survey->isNumber[i], true});
  DLM_TRY(fitTable(table, path, survey->count));
  Expected<Table> again = Table::fromJson(table.toJson());
  if (!again) return again.status();
  return checkRecords(*again, path);
}

Status readJson(const std::string &path) {
  int64_t count = 0;
  Expected<JsonTable> table = surveyJson(path, count);
  if (!table) return table.status();
  DLM_TRY(fitJson(*table, path, count));
  Expected<JsonTable> again = JsonTable::fromJson(table->toJson());
  if (!again) return again.status();
  std::vector<std::vector<uint8_t>> samples;
  std::vector<void *> places;
  for (const JsonField &field : again->fields) {
    samples.emplace_back(size_t(field.elementCount()) * elementSizeBytes(field.dtype));
    places.push_back(samples.back().data());
  }
  JsonDecoder decoder(again.take());
  Expected<JsonLines> lines = JsonLines::open(path);
  if (!lines) return lines.status();
  JsonRecord record;
  for (;;) {
    Expected<bool> got = lines->next(record);
    if (!got) return got.status();
    if (!*got) return Status::ok();
    DLM_TRY(decoder.decode(*lines, record, places.data()));
  }
}

Status readNpy(const std::string &path) {
  Expected<std::vector<NpyArray>> arrays = openNpy(path);
  if (!arrays) return arrays.status();
  for (NpyArray &array : *arrays) {
    uint64_t sampleBytes = elementSizeBytes(array.dtype());
    for (int64_t size : array.sampleShape())
      sampleBytes *= uint64_t(size);
    std::vector<uint8_t> samples(size_t(array.count()) * sampleBytes);
    DLM_TRY(array.read(array.count(), samples.data()));
    DLM_TRY(array.expectEnd());
  }
  return Status::ok();
}

Status readIdx(const std::string &path) {
  Expected<IdxArray> array = readIdxArray(path);
  return array ? Status::ok() : array.status();
}

Status readImage(const std::string &path) {
  Expected<ImageSize> size = probeImage(path);
  if (!size) return size.status();
  if (size->height * size->width > PixelsMax) return Status::ok(); // a program has other sizes
  std::vector<uint8_t> pixels(size_t(size->height * size->width * 3));
  return decodeImage(path, *size, pixels.data());
}

Status readTokenizer(const std::string &path) {
  Expected<std::string> json = readText(path);
  if (!json) return json.status();
  Expected<std::unique_ptr<Tokenizer>> tokenizer = makeBpeTokenizer(*json, path);
  if (!tokenizer) return tokenizer.status();
  tokenizer = Tokenizer::fromJson((*tokenizer)->toJson());
  if (!tokenizer) return tokenizer.status();
  TokenList list((*tokenizer)->vocab());
  Status status = (*tokenizer)->encode("ab abc<end>\n 'sab  abab", list);
  std::vector<int32_t> ids(size_t(list.size()));
  list.copy(0, list.size(), ids.data());
  (*tokenizer)->decode(ids);
  return status.withContext(path);
}

Status readTokens(const std::string &path) {
  Expected<TokenFile> file = openTokenFile(path);
  if (!file) return file.status();
  TokenList ids(file->vocab);
  return readTokenFile(*file, ids);
}

/// Mends the checksum of the header of a token file.
Bytes mendTokens(const Bytes &changed) {
  Bytes bytes = changed;
  if (bytes.size() < 64) return bytes;
  uint32_t sum = uint32_t(crc32(0, bytes.data(), 60));
  for (size_t i = 0; i < 4; ++i)
    bytes[60 + i] = uint8_t(sum >> (8 * i));
  return bytes;
}

/// Mends the checksums of the chunks of a PNG file, as far as it has any.
Bytes mendPng(const Bytes &changed) {
  Bytes bytes = changed;
  for (size_t at = 8; at + 12 <= bytes.size();) {
    uint64_t size = uint64_t(bytes[at]) << 24 | uint64_t(bytes[at + 1]) << 16 |
                    uint64_t(bytes[at + 2]) << 8 | bytes[at + 3];
    if (size > bytes.size() - at - 12) break;
    uint32_t sum = uint32_t(crc32(0, &bytes[at + 4], unsigned(size + 4)));
    for (size_t i = 0; i < 4; ++i)
      bytes[at + 8 + size + i] = uint8_t(sum >> (24 - 8 * i));
    at += 12 + size;
  }
  return bytes;
}

Bytes inArchive(const Bytes &changed) {
  return test::zipArchive({{"x.npy", changed, changed.size() % 2 == 0, changed.size() % 3 == 0}});
}

Bytes gzipped(const Bytes &changed) { return test::gzipBytes(changed); }

std::vector<Bytes> tableSeeds() {
  return {bytesOf("area,kind,price\n51.5,flat,1e3\n80,\"a \"\"b\"\"\nc\",\n7,house,NA\n"),
          bytesOf("1;2;x\n3;4;\n5;6;y\n"), bytesOf("a\tb\r\n1\t2\r\n"),
          test::gzipBytes(bytesOf("a,b\n1,2\n"))};
}

std::vector<Bytes> lineSeeds() {
  return {bytesOf("{\"x\": [1, 2.5e-3], \"label\": 1, \"b\": true}\n"
                  "{\"b\": false, \"x\": [3, -4], \"label\": 0}\n"),
          bytesOf("{\"m\": [[1, 2], [3, 4]], \"s\": \"\\u00e9\xC3\xA9\"}\n\n"
                  "{\"m\": [[1, 2], [3, 4]], \"s\": \"b\"}"),
          test::gzipBytes(bytesOf("{\"a\": 1}\n{\"a\": 2}\n"))};
}

std::vector<Bytes> arraySeeds() {
  return {npyArray<float>("<f4", "(2, 3)", {1, 2, 3, 4, 5, 6}),
          npyArray<int64_t>("<i8", "(3,)", {1, 2, 3}), npyArray<uint8_t>("|b1", "(2, 1)", {0, 1}),
          npyArray<double>("<f8", "(2, 1, 2)", {1, 2, 3, 4}),
          test::npyFile("{'descr': '<f2', 'fortran_order': False, 'shape': (2,)}", Bytes(4), 2)};
}

std::vector<Bytes> archiveSeeds() {
  std::vector<Bytes> arrays = arraySeeds();
  return {test::zipArchive({{"x.npy", arrays[0]}, {"label.npy", arrays[1], true}}),
          test::zipArchive({{"x.npy", arrays[0], true, true}})};
}

std::vector<Bytes> tokenizerSeeds() {
  return {bytesOf(R"({"added_tokens": [{"id": 4, "content": "<end>", "normalized": true}],
                      "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": true},
                      "model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2, "Ġ": 3},
                                "merges": ["a b"]}})"),
          bytesOf(R"({"pre_tokenizer": {"type": "ByteLevel"}, "normalizer": null, "model":
                      {"vocab": {"a": 0, "b": 1, "aa": 5}, "merges": [["a", "a"]]}})")};
}

std::vector<Bytes> tokenSeeds() {
  test::TemporaryFolder folder;
  std::vector<Bytes> seeds;
  for (int64_t vocab : {int64_t(10), int64_t(70000)}) {
    TokenList ids(vocab);
    for (uint32_t id : {1u, 2u, 9u, 3u})
      ids.append(id);
    Status status = writeTokenFile(folder / "a", ids, vocab == 10 ? 9 : -1, "{}");
    DLM_ASSERT(status.isOk(), "a seed cannot be written");
    seeds.push_back(*readFileBytes(folder / "a"));
  }
  return seeds;
}

std::vector<Bytes> pngSeeds() {
  return {test::plainPng(5, 4, 1, 2, 3), test::pngBytes({3, 1, 1, 0}, {0xA0}),
          test::pngBytes({2, 1, 2, 3, {9, 8, 7, 1, 2, 3}}, {0x40}),
          test::pngBytes({1, 1, 16, 6}, Bytes(8, 99))};
}

std::vector<Bytes> jpegSeeds() {
  Bytes pixels(16 * 16 * 4);
  for (size_t i = 0; i < pixels.size(); ++i)
    pixels[i] = uint8_t(i * i % 251);
  return {test::jpegBytes(16, 16, pixels), test::jpegBytes(16, 16, pixels, TJPF_RGB, TJSAMP_420),
          test::jpegBytes(16, 16, pixels, TJPF_GRAY, TJSAMP_GRAY),
          test::jpegBytes(16, 16, pixels, TJPF_CMYK)};
}

} // namespace

const std::vector<Format> &formats() {
  Bytes idx = test::idxBytes({2, 2, 3}, Bytes(12, 7)), labels = test::idxBytes({3}, {1, 2, 3});
  static const std::vector<Format> rows = {
      {"csv", "table.csv", tableSeeds(), readCsv, gzipped},
      {"jsonl", "lines.jsonl", lineSeeds(), readJson, gzipped},
      {"npy", "array.npy", arraySeeds(), readNpy, gzipped},
      {"npz", "arrays.npz", archiveSeeds(), readNpy, nullptr},
      {"npz-entry", "arrays.npz", arraySeeds(), readNpy, inArchive},
      {"idx", "images", {idx, labels, test::gzipBytes(idx)}, readIdx, gzipped},
      {"tokenizer", "tokenizer.json", tokenizerSeeds(), readTokenizer, gzipped},
      {"tokens", "a.tokens", tokenSeeds(), readTokens, mendTokens},
      {"png", "photo.png", pngSeeds(), readImage, mendPng},
      {"jpeg", "photo.jpg", jpegSeeds(), readImage, nullptr}};
  return rows;
}

} // namespace dlm::fuzz

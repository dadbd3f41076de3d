#include "test/fuzz/data/ChangeBytes.h"

#include <algorithm>

namespace dlm::fuzz {

namespace {

constexpr size_t BytesMax = size_t(1) << 16;

/// What numbers and separators of the formats are made of.
const std::vector<std::string> &pieces() {
  static const std::vector<std::string> words = {std::string(4, '\0'),
                                                 std::string(4, '\xFF'),
                                                 std::string(8, '\xFF'),
                                                 "\x7F\xFF\xFF\xFF",
                                                 "\xFF\xFF\xFF\x7F",
                                                 "9223372036854775807",
                                                 "99999999999999999999",
                                                 "1e999",
                                                 "-1",
                                                 "\"",
                                                 "\n",
                                                 ",",
                                                 "[",
                                                 "]",
                                                 "{",
                                                 "}",
                                                 "(",
                                                 ")",
                                                 "'",
                                                 ":",
                                                 "null",
                                                 "\xC3",
                                                 "\xEF\xBB\xBF",
                                                 "\x1F\x8B",
                                                 "True",
                                                 "descr"};
  return words;
}

void changeOnce(Bytes &bytes, const Bytes &other, Random &random) {
  size_t at = random.below(bytes.size() + 1);
  auto place = bytes.begin() + long(at);
  size_t length = std::min(1 + random.below(16), bytes.size() - at);
  const std::string &piece = random.pick(pieces());
  switch (random.below(9)) {
  case 0:
    bytes.resize(at);
    break;
  case 1:
    if (at < bytes.size()) bytes[at] ^= uint8_t(1 << random.below(8));
    break;
  case 2:
    if (at < bytes.size()) bytes[at] = uint8_t(random.below(256));
    break;
  case 3:
    bytes.erase(place, place + long(length));
    break;
  case 4: {
    Bytes copy(place, place + long(length));
    bytes.insert(place, copy.begin(), copy.end());
    break;
  }
  case 5:
    bytes.insert(place, piece.begin(), piece.end());
    break;
  case 6:
    for (size_t i = 0; i < piece.size() && at + i < bytes.size(); ++i)
      bytes[at + i] = uint8_t(piece[i]);
    break;
  case 7: // the rest of another file
    bytes.resize(at);
    bytes.insert(bytes.end(), other.begin() + long(random.below(other.size() + 1)), other.end());
    break;
  default:
    for (size_t i = 0; i < length; ++i)
      bytes[at + i] = uint8_t(random.below(256));
  }
}

} // namespace

Bytes changeBytes(const Bytes &seed, const Bytes &other, Random &random) {
  Bytes bytes = seed;
  for (size_t changes = 1 + random.below(4); changes > 0; --changes)
    changeOnce(bytes, other, random);
  bytes.resize(std::min(bytes.size(), BytesMax));
  return bytes;
}

} // namespace dlm::fuzz

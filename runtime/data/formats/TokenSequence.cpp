// A part in a file was checked when it was appended. Somebody may write into it since, and a
// program must never see an id outside of its vocabulary: that is looked at again.
#include "runtime/data/formats/TokenSequence.h"

#include "runtime/data/formats/LittleEndian.h"

#include <algorithm>

namespace dlm {

namespace {
constexpr int64_t PieceIds = 2048; // on the stack
} // namespace

void TokenSequence::add(Part part) {
  part.begin = count;
  count += part.count;
  parts.push_back(std::move(part));
}

void TokenSequence::append(TokenList ids) {
  Part part;
  part.count = ids.size();
  part.ids = std::move(ids);
  add(std::move(part));
}

Status TokenSequence::append(const TokenFile &file, bool isKept, const std::atomic<bool> *cancel) {
  Part part;
  part.ids = TokenList(vocab);
  part.count = file.count;
  if (isKept || file.isCompressed) {
    DLM_TRY(readTokenFile(file, part.ids, cancel));
  } else {
    Expected<SeekableFile> opened = SeekableFile::open(file.path);
    if (!opened) return opened.status();
    part.file = opened.take();
    part.place = file.idsPlace();
    part.width = size_t(file.idBytes);
    DLM_TRY(readTokenFile(file, [](const TokenList &) {}, cancel));
  }
  add(std::move(part));
  return Status::ok();
}

Status TokenSequence::copy(int64_t first, int64_t number, int32_t *out) const {
  DLM_ASSERT(first >= 0 && number >= 0 && first + number <= count, "tokens behind the last");
  auto part = std::upper_bound(parts.begin(), parts.end(), first,
                               [](int64_t place, const Part &each) { return place < each.begin; }) -
              1;
  for (; number > 0; ++part) {
    int64_t from = first - part->begin, some = std::min(number, part->count - from);
    if (part->file)
      DLM_TRY(copyFromFile(*part, from, some, out));
    else
      part->ids.copy(from, some, out);
    first += some;
    number -= some;
    out += some;
  }
  return Status::ok();
}

Status TokenSequence::copyFromFile(const Part &part, int64_t first, int64_t number,
                                   int32_t *out) const {
  uint8_t bytes[size_t(PieceIds) * sizeof(uint32_t)];
  for (int64_t done = 0; done < number;) {
    int64_t some = std::min(number - done, PieceIds);
    uint64_t place = part.place + uint64_t(first + done) * part.width;
    DLM_TRY(part.file->read(place, bytes, size_t(some) * part.width));
    for (int64_t i = 0; i < some; ++i) {
      const uint8_t *from = bytes + size_t(i) * part.width;
      uint32_t id = part.width == 2 ? little16(from) : little32(from);
      if (int64_t(id) >= vocab)
        return corrupt("token file `" + part.file->path() + "` was changed while it was in use: " +
                       "the id at byte " + std::to_string(place + size_t(i) * part.width) + " is " +
                       std::to_string(id) + ", and the vocabulary has " + std::to_string(vocab) +
                       " tokens");
      out[done + i] = int32_t(id);
    }
    done += some;
  }
  return Status::ok();
}

} // namespace dlm

// A range of addresses, reserved once; the operating system gives pages when they are touched. An
// allocation begins at an odd multiple of 256, the alignment that a GPU's allocator promises and no
// more, and at least 256 bytes that belong to nobody follow it. The first hole that fits is taken,
// so that a program which allocates and releases does not touch ever more pages.
#include "runtime/device/emulator/MemoryState.h"

#include <cstring>
#include <sys/mman.h>

namespace dlm::emulator {

namespace {

constexpr uint64_t Alignment = 256;

uint8_t *reserve(uint64_t sizeBytes) {
  void *mapped = mmap(nullptr, sizeBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return mapped == MAP_FAILED ? nullptr : static_cast<uint8_t *>(mapped);
}

/// The first odd multiple of the alignment at or after `offset`.
uint64_t oddPlace(uint64_t offset) {
  uint64_t unit = (offset + Alignment - 1) / Alignment;
  return (unit | 1) * Alignment;
}

} // namespace

Memory::State::State(uint64_t total) : totalBytes(total) {
  constexpr uint64_t Slack = uint64_t(16) << 20, Limit = uint64_t(1) << 44;
  if (total > Limit) return; // no machine has it; allocations fail
  rangeBytes = (2 * total + Slack) / 4096 * 4096;
  begin = reserve(rangeBytes);
  written = reserve(rangeBytes / 8);
}

Memory::State::~State() {
  if (begin) munmap(begin, rangeBytes);
  if (written) munmap(written, rangeBytes / 8);
  if (cells) munmap(cells, rangeBytes / 4 * sizeof(Cell));
}

bool Memory::State::mapCells() {
  if (!cells && begin) cells = reinterpret_cast<Cell *>(reserve(rangeBytes / 4 * sizeof(Cell)));
  return cells != nullptr;
}

void Memory::State::forgetStamps() {
  // Pages given back read as zero, and a cell of zeros is one that nobody has touched.
  if (cells) madvise(cells, rangeBytes / 4 * sizeof(Cell), MADV_DONTNEED);
  space.forgetKnown();
  phase = 1;
}

void Memory::State::mark(uint64_t offset, uint64_t sizeBytes, bool isWritten) {
  auto markBit = [&](uint64_t at) {
    uint8_t bit = uint8_t(1) << (at % 8);
    if (isWritten)
      written[at / 8] |= bit;
    else
      written[at / 8] &= ~bit;
  };
  uint64_t end = offset + sizeBytes;
  for (; offset < end && offset % 8; ++offset)
    markBit(offset);
  for (; offset < end && end % 8; --end)
    markBit(end - 1);
  if (offset < end) std::memset(written + offset / 8, isWritten ? 0xFF : 0, (end - offset) / 8);
}

const std::pair<const uint64_t, Allocation> *Memory::State::find(const void *address,
                                                                 uint64_t sizeBytes) const {
  uint64_t offset = offsetOf(address);
  if (offset >= rangeBytes) return nullptr;
  auto after = allocations.upper_bound(offset);
  if (after == allocations.begin()) return nullptr;
  const auto &entry = *std::prev(after);
  uint64_t inside = offset - entry.first, size = entry.second.sizeBytes;
  return inside < size && sizeBytes <= size - inside ? &entry : nullptr;
}

Memory::Memory(uint64_t totalBytes) : own(new State(totalBytes)) {}

Memory::~Memory() { delete own; }

void *Memory::allocate(uint64_t sizeBytes) {
  if (!own->begin || !own->written || sizeBytes == 0 || sizeBytes > freeBytes()) return nullptr;
  uint64_t place = oddPlace(0);
  for (const auto &[offset, allocation] : own->allocations) {
    if (place + sizeBytes + Alignment <= offset) break;
    place = oddPlace(offset + allocation.sizeBytes + Alignment);
  }
  if (place + sizeBytes + Alignment > own->rangeBytes) return nullptr;
  own->allocations[place] = {sizeBytes, ++own->allocationCount};
  own->usedBytes += sizeBytes;
  own->mark(place, sizeBytes, false);
  std::memset(own->begin + place, PoisonByte, sizeBytes);
  return own->begin + place;
}

bool Memory::release(void *memory) {
  auto found = own->allocations.find(own->offsetOf(memory));
  if (!memory || found == own->allocations.end()) return false;
  std::memset(memory, PoisonByte, found->second.sizeBytes);
  own->usedBytes -= found->second.sizeBytes;
  own->allocations.erase(found);
  return true;
}

uint64_t Memory::freeBytes() const { return own->totalBytes - own->usedBytes; }

bool Memory::contains(const void *address, uint64_t sizeBytes) const {
  return own->find(address, sizeBytes) != nullptr;
}

void Memory::markWritten(const void *address, uint64_t sizeBytes) {
  if (contains(address, sizeBytes)) own->mark(own->offsetOf(address), sizeBytes, true);
}

void Memory::markCopied(const void *to, const void *from, uint64_t sizeBytes) {
  if (!contains(to, sizeBytes) || !contains(from, sizeBytes)) return;
  uint64_t source = own->offsetOf(from), target = own->offsetOf(to);
  auto isWritten = [&](uint64_t at) { return (own->written[at / 8] >> at % 8 & 1) != 0; };
  for (uint64_t i = 0; i < sizeBytes;) {
    uint64_t runBytes = 1; // as long as the answer is the same
    bool answer = isWritten(source + i);
    uint8_t whole = answer ? 0xFF : 0;
    while (i + runBytes < sizeBytes) {
      uint64_t at = source + i + runBytes;
      if (at % 8 == 0 && i + runBytes + 8 <= sizeBytes && own->written[at / 8] == whole)
        runBytes += 8;
      else if (isWritten(at) == answer)
        ++runBytes;
      else
        break;
    }
    own->mark(target + i, runBytes, answer);
    i += runBytes;
  }
}

bool Memory::forget(void *address, uint64_t sizeBytes) {
  if (!contains(address, sizeBytes)) return false;
  own->mark(own->offsetOf(address), sizeBytes, false);
  std::memset(address, PoisonByte, sizeBytes);
  return true;
}

} // namespace dlm::emulator

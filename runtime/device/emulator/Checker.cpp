// The way of an access: alignment, bounds, then word by word: were its bytes written, were they
// counted, is it in conflict with what the cell remembers. Nearly all accesses are of whole words
// and take the short way of `touchWord`; bytes, and words that atomics touch, are extended.
#include "runtime/device/emulator/Checker.h"

#include <algorithm>
#include <cstring>

namespace dlm::emulator {

namespace {

constexpr uint8_t GlobalSpace = 1, SharedSpace = 3;
constexpr uint32_t WholeWord = 0xF;
constexpr uint32_t PhaseMax = 0xC0000000; // leaves a quarter of all phases to one launch

/// For each byte of shared memory the variable that it belongs to.
void markOwners(const DlmEmuFunction &function, std::vector<uint16_t> &owner) {
  owner.assign(function.sharedBytes, 0);
  for (uint32_t i = 0; i < function.sharedCount; ++i) {
    const DlmEmuShared &variable = function.shared[i];
    uint64_t end = uint64_t(variable.offset) + variable.sizeBytes;
    for (uint64_t at = variable.offset; at < std::min<uint64_t>(end, owner.size()); ++at)
      owner[at] = static_cast<uint16_t>(i + 1);
  }
}

} // namespace

Checker::Checker(const DlmEmuImage &image, const DlmEmuFunction &function,
                 const std::vector<AllowedRange> *allowed, Memory::State &state, Findings &findings)
    : image(image), function(function), allowed(allowed), state(state), space(state.space),
      findings(findings), ranges(image.siteCount + 1) {
  if (!state.mapCells()) return;
  if (state.phase > PhaseMax) state.forgetStamps();
  now.launch = ++state.phase;
  uint32_t words = (function.sharedBytes + 3) / 4;
  space.sharedCells.resize(std::max<size_t>(space.sharedCells.size(), words));
  space.sharedWritten.resize(std::max<size_t>(space.sharedWritten.size(), words / 2 + 1));
  space.known.resize(BlockThreadsMax * WarpLanes);
  markOwners(function, space.sharedOwner);
  global = {state.cells, state.written, &state.extensions, true, !state.ranUnchecked};
  shared = {space.sharedCells.data(), space.sharedWritten.data(), &sharedExtensions, false, true};
}

Checker::~Checker() {
  // Whatever comes next is another launch, for which a cell of zeros says the same.
  for (const Extension &extension : state.extensions)
    *extension.cell = Cell{};
  state.extensions.clear();
}

void Checker::beginBlock(uint32_t number) {
  now.phase = now.block = now.epoch = ++state.phase;
  blocks.push_back({now.phase, number});
  sharedExtensions.clear();
  if (function.sharedBytes == 0) return;
  size_t words = (function.sharedBytes + 3) / 4;
  std::memset(static_cast<void *>(shared.cells), 0, words * sizeof(Cell));
  std::memset(shared.written, 0, words / 2 + 1);
}

void Checker::passBarrier() { now.phase = now.epoch = ++state.phase; }

void Checker::passSyncWarp(uint32_t warp, uint32_t lanes) {
  now.phase = ++state.phase;
  uint32_t *rows = space.known.data() + size_t(warp) * WarpLanes * WarpLanes;
  uint32_t joined[WarpLanes] = {};
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    const uint32_t *row = rows + __builtin_ctz(rest) * WarpLanes;
    for (uint32_t i = 0; i < WarpLanes; ++i)
      joined[i] = std::max(joined[i], row[i]);
  }
  for (uint32_t rest = lanes; rest; rest &= rest - 1)
    joined[__builtin_ctz(rest)] = now.phase;
  for (uint32_t rest = lanes; rest; rest &= rest - 1)
    std::memcpy(rows + __builtin_ctz(rest) * WarpLanes, joined, sizeof joined);
}

bool Checker::access(const Thread &thread, const void *address, uint32_t sizeBytes, uint32_t site) {
  static const DlmEmuSite unknown = {DlmEmuLoad, 0, 1, nullptr};
  site = std::min(site, image.siteCount);
  const DlmEmuSite &where = site < image.siteCount ? image.sites[site] : unknown;
  uint16_t shortSite = static_cast<uint16_t>(std::min<uint32_t>(site, UnknownSite));
  Access access{thread,
                static_cast<const uint8_t *>(address),
                sizeBytes,
                site,
                where.kind,
                {thread.index, thread.warp, thread.lane, shortSite,
                 space.known.data() + size_t(thread.index) * WarpLanes}};
  uint32_t alignment = where.alignment ? where.alignment : 1;
  if (reinterpret_cast<uintptr_t>(address) & (alignment - 1))
    if (!reportMisaligned(access, alignment)) return false;

  auto offset = static_cast<uint64_t>(access.address - space.shared);
  if (offset < space.sharedBytes) {
    if (where.space == GlobalSpace || !isInVariable(offset, sizeBytes))
      return reportOutOfBounds(access);
    touch(shared, offset, access);
    return true;
  }
  if (where.space == SharedSpace) return reportOutOfBounds(access);
  if (!isAllowed(access))
    return thread.fibre->holds(address) || reportOutOfBounds(access); // local memory is its own
  touch(global, state.offsetOf(address), access);
  return true;
}

bool Checker::isInVariable(uint64_t offset, uint32_t sizeBytes) const {
  if (sizeBytes > space.sharedBytes - offset) return false;
  uint16_t owner = space.sharedOwner[offset];
  return owner && (sizeBytes == 0 || owner == space.sharedOwner[offset + sizeBytes - 1]);
}

bool Checker::isAllowed(const Access &access) {
  Range &range = ranges[access.site];
  uint64_t inside = state.offsetOf(access.address) - range.offset;
  if (inside < range.sizeBytes && access.sizeBytes <= range.sizeBytes - inside) return true;
  Range found = findRange(access);
  if (found.sizeBytes) range = found;
  return found.sizeBytes != 0;
}

/// What the access lies in and may touch; empty if there is nothing.
Checker::Range Checker::findRange(const Access &access) const {
  const auto *allocation = state.find(access.address, access.sizeBytes);
  if (!allocation) return {};
  if (!allowed) return {allocation->first, allocation->second.sizeBytes};
  auto address = reinterpret_cast<uintptr_t>(access.address);
  for (const AllowedRange &range : *allowed) {
    uint64_t inside = address - range.address;
    bool holds = inside < range.sizeBytes && access.sizeBytes <= range.sizeBytes - inside;
    if (holds && (range.mayWrite || access.kind == DlmEmuLoad))
      return {state.offsetOf(access.address) - inside, range.sizeBytes};
  }
  return {};
}

[[gnu::always_inline]] inline void Checker::count(Cell &cell, uint32_t bytes, DlmEmuSiteKind kind) {
  if (kind != DlmEmuStore && (cell.countedRead & bytes) != bytes) {
    bytesRead += __builtin_popcount(bytes & ~cell.countedRead);
    cell.countedRead |= bytes;
  }
  if (kind != DlmEmuLoad && (cell.countedWritten & bytes) != bytes) {
    bytesWritten += __builtin_popcount(bytes & ~cell.countedWritten);
    cell.countedWritten |= bytes;
  }
}

[[gnu::always_inline]] inline void Checker::touchWord(const Region &region, uint64_t word,
                                                      uint32_t bytes, const Access &access) {
  uint8_t &written = region.written[word / 2];
  uint32_t shift = word % 2 * 4;
  bool reads = access.kind != DlmEmuStore;
  if (reads && region.knowsWritten && (written >> shift & bytes) != bytes)
    reportUninitialised(access);
  if (access.kind != DlmEmuLoad) written |= static_cast<uint8_t>(bytes << shift);

  Cell &cell = region.cells[word];
  if (region.isGlobal) {
    if (!cell.isExtended && cell.writePhase < now.launch && cell.readPhase < now.launch)
      cell.countedRead = cell.countedWritten = 0;
    count(cell, bytes, access.kind);
  }
  if (cell.isExtended || bytes != WholeWord || access.kind == DlmEmuAtomic)
    return touchExtended(region, cell, bytes, access);
  if (conflictsWithWriter(cell, now, access.actor)) reportRace(access, cell, Party::Writer);
  if (reads) return noteRead(cell, now, access.actor);
  if (conflictsWithReaders(cell, now, access.actor)) reportRace(access, cell, Party::Readers);
  noteWrite(cell, now, access.actor);
}

void Checker::touch(const Region &region, uint64_t offset, const Access &access) {
  uint64_t word = offset / 4, end = offset + access.sizeBytes;
  if (((offset | access.sizeBytes) & 3) == 0) {
    for (; word * 4 < end; ++word)
      touchWord(region, word, WholeWord, access);
    return;
  }
  for (; word * 4 < end; ++word) {
    uint32_t bytes = WholeWord;
    if (word * 4 < offset) bytes &= WholeWord << (offset - word * 4);
    if (word * 4 + 4 > end) bytes &= WholeWord >> (word * 4 + 4 - end);
    touchWord(region, word, bytes & WholeWord, access);
  }
}

Extension &Checker::extend(const Region &region, Cell &cell) {
  if (!cell.isExtended) {
    Extension extension{&cell, {cell, cell, cell, cell}, {}};
    cell.writePhase = static_cast<uint32_t>(region.extensions->size());
    cell.isExtended = 1;
    region.extensions->push_back(extension);
  }
  return (*region.extensions)[cell.writePhase];
}

void Checker::touchExtended(const Region &region, Cell &cell, uint32_t bytes,
                            const Access &access) {
  Extension &extension = extend(region, cell);
  for (; bytes; bytes &= bytes - 1) {
    Cell &byte = extension.bytes[__builtin_ctz(bytes)];
    Cell &atomics = extension.atomics[__builtin_ctz(bytes)];
    if (conflictsWithWriter(byte, now, access.actor)) reportRace(access, byte, Party::Writer);
    if (access.kind != DlmEmuLoad && conflictsWithReaders(byte, now, access.actor))
      reportRace(access, byte, Party::Readers);
    if (access.kind == DlmEmuAtomic) {
      noteRead(atomics, now, access.actor);
      continue;
    }
    if (conflictsWithReaders(atomics, now, access.actor))
      reportRace(access, atomics, Party::Atomics);
    if (access.kind == DlmEmuLoad) {
      noteRead(byte, now, access.actor);
    } else {
      noteWrite(byte, now, access.actor);
      atomics.readPhase = 0;
    }
  }
}

} // namespace dlm::emulator

// The checker's findings in words: who did what where, and who else was there.
#include "runtime/device/emulator/Checker.h"

#include <algorithm>

namespace dlm::emulator {

namespace {

const char *verbOf(DlmEmuSiteKind kind) {
  if (kind == DlmEmuAtomic) return "updates";
  return kind == DlmEmuStore ? "stores" : "loads";
}

std::string bytesText(uint64_t count) {
  return std::to_string(count) + (count == 1 ? " byte" : " bytes");
}

} // namespace

bool Checker::reportMisaligned(const Access &access, uint32_t alignment) {
  findings.add(Fault::Misaligned, access.site, [&] {
    return inWords(access) + ", which is not a multiple of " + bytesText(alignment);
  });
  // The processor has instructions that fault on this, for vectors of 16 bytes and more.
  return alignment < 16;
}

bool Checker::reportOutOfBounds(const Access &access) {
  findings.add(Fault::OutOfBounds, access.site,
               [&] { return inWords(access) + boundsText(access); });
  uint64_t offset = state.offsetOf(access.address);
  bool isMapped = offset < state.rangeBytes && access.sizeBytes <= state.rangeBytes - offset;
  return isMapped || space.isNearShared(access.address);
}

void Checker::reportUninitialised(const Access &access) {
  findings.add(Fault::Uninitialised, access.site,
               [&] { return inWords(access) + ", which nobody has written all of"; });
}

void Checker::reportRace(const Access &access, const Cell &cell, Party party) {
  findings.add(Fault::Race, access.site,
               [&] { return inWords(access) + "; " + partyText(access, cell, party); });
}

std::string Checker::inWords(const Access &access) const {
  return threadText(now.phase, access.thread.index) + " " + verbOf(access.kind) + " " +
         bytesText(access.sizeBytes) + " at " + placeText(access.address);
}

/// An address as an offset in what it belongs to or lies behind.
std::string Checker::placeText(const uint8_t *address) const {
  auto inShared = static_cast<uint64_t>(address - space.shared);
  if (inShared < space.sharedBytes || space.isNearShared(address)) {
    const DlmEmuShared *nearest = nullptr;
    for (uint32_t i = 0; i < function.sharedCount; ++i) {
      const DlmEmuShared &variable = function.shared[i];
      bool isBefore = static_cast<int64_t>(inShared) >= static_cast<int64_t>(variable.offset);
      if (isBefore && (!nearest || variable.offset > nearest->offset)) nearest = &variable;
    }
    if (!nearest) return "shared memory before all variables";
    return "byte " + std::to_string(inShared - nearest->offset) + " of the shared variable `" +
           nearest->name + "` of " + bytesText(nearest->sizeBytes);
  }
  uint64_t offset = state.offsetOf(address);
  auto after = state.allocations.upper_bound(offset);
  if (offset >= state.rangeBytes) return "an address outside the device's memory";
  if (after == state.allocations.begin()) return "device memory before all allocations";
  const auto &[begin, allocation] = *std::prev(after);
  return "byte " + std::to_string(offset - begin) + " of allocation " +
         std::to_string(allocation.number) + " of " + bytesText(allocation.sizeBytes);
}

/// Where the launch was told what it may touch: what the access misses.
std::string Checker::boundsText(const Access &access) const {
  if (!allowed || !state.find(access.address, access.sizeBytes)) return "";
  auto address = reinterpret_cast<uintptr_t>(access.address);
  const AllowedRange *nearest = nullptr; // of those that begin before it
  for (const AllowedRange &range : *allowed) {
    bool isNearer = range.address <= address && (!nearest || range.address > nearest->address);
    if (isNearer) nearest = &range;
  }
  if (!nearest) return ", before all that the launch may touch";
  uint64_t inside = address - nearest->address;
  std::string text = ", byte " + std::to_string(inside) + " of range " +
                     std::to_string(nearest - allowed->data()) + " of " +
                     bytesText(nearest->sizeBytes);
  bool isInside = inside + access.sizeBytes <= nearest->sizeBytes;
  return text + (isInside ? ", which the launch may only read" : "");
}

uint32_t Checker::blockAt(uint32_t phase) const {
  auto after = std::upper_bound(blocks.begin(), blocks.end(), phase,
                                [](uint32_t p, const Begun &block) { return p < block.phase; });
  return after == blocks.begin() ? 0 : std::prev(after)->number;
}

std::string Checker::threadText(uint32_t phase, uint32_t thread) const {
  return "thread " + std::to_string(thread) + " of block " + std::to_string(blockAt(phase));
}

std::string Checker::partyText(const Access &access, const Cell &cell, Party party) const {
  bool isWriter = party == Party::Writer;
  uint32_t phase = isWriter ? cell.writePhase : cell.readPhase;
  std::string who, site = findings.siteText(isWriter ? cell.writeSite : cell.readSite);
  if (isWriter) {
    who = threadText(phase, cell.writer);
  } else {
    // Of the readers, one that the access is in conflict with if it is among the lanes kept.
    uint32_t lanes = cell.readLanes, own = 1u << access.actor.lane;
    bool isOwnWarp = phase >= now.block && cell.readWarp == access.actor.warp;
    if (isOwnWarp && (lanes & ~own)) lanes &= ~own;
    bool isSelf = isOwnWarp && lanes == own;
    who = isSelf ? (cell.isReadByBlocks ? "a thread of another block" : "a thread of another warp")
                 : threadText(phase, cell.readWarp * WarpLanes + __builtin_ctz(lanes));
  }
  const char *did = party == Party::Atomics ? " updates" : isWriter ? " stores" : " loads";
  bool isOtherBlock = phase < now.block || (!isWriter && cell.isReadByBlocks);
  const char *why = isOtherBlock ? "in the same launch" : "with no barrier between the two";
  return who + did + " there too (" + site + "), " + why;
}

} // namespace dlm::emulator

// Who wrote each byte of an arena last: a map from disjoint ranges to owners. It is how the
// verifier follows data through memory that several buffers share one after the other.
#pragma once

#include <cstdint>
#include <map>

namespace dlm {

class ByteOwners {
public:
  struct Owner {
    uint32_t buffer;
    int64_t instruction; // -1: before the program began
  };
  struct Piece {
    uint64_t begin;
    uint64_t end;
    bool written;
    Owner owner;
  };

  /// The bytes [begin, end) belong to `owner` from now on.
  void write(uint64_t begin, uint64_t end, Owner owner);

  /// The first piece of [begin, end) that does not belong to `buffer`; empty if there is none.
  Piece firstForeign(uint64_t begin, uint64_t end, uint32_t buffer) const;

private:
  struct Range {
    uint64_t end;
    Owner owner;
  };
  void splitAt(uint64_t offset);

  std::map<uint64_t, Range> ranges; // by begin
};

} // namespace dlm

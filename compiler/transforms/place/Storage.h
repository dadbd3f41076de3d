// Where the values of one program lie: the plan half of `place`, which reads IR and changes
// nothing.
//
// An object is memory that is allocated as one: a named buffer or a transient one. Values are
// ranges of objects. Results of the program are written directly into their named buffers, and
// parts of a pack directly into the pack, wherever nobody still needs what was there before;
// otherwise they get memory of their own and a copy when it is known that nobody reads any more.
// Transient objects live from their first writer to their last reader; an output takes over the
// memory of an input that dies with it where the kernel allows.
//
// The body of a loop is a block like a program's: its states are what a program's named buffers
// are, and a slice is a range that moves with the trips.
//
// Cost: (instructions x operands) for every result; no search.
#pragma once

#include "dialects/dlm/Dlm.h"

#include <mlir/Dialect/Func/IR/FuncOps.h>

#include <array>
#include <string>
#include <vector>

namespace dlm::place {

/// Loops nest at most this deep.
constexpr unsigned LoopDepthMax = 2;

/// Memory allocated as one. Birth and death are numbers of steps.
struct Object {
  std::string name; // empty: transient
  mlir::RankedTensorType type;
  mlir::Location location;
  int64_t sizeBytes = 0;
  unsigned depth = 0; // of the loops around the block that it belongs to
  int birth = -1, death = -1;
  int64_t offset = 0; // within the arena, set by the layout
};

/// A range of an object, in bytes. In loops it moves by `steps`, of the outermost loop first.
struct Range {
  unsigned object = 0;
  int64_t offset = 0;
  int64_t sizeBytes = 0;
  std::array<int64_t, LoopDepthMax> steps = {};
};

/// One instruction. Launches, products and loops have an `op`; copies and fills do not.
struct Step {
  enum Kind { Run, Copy, Fill, Loop } kind = Run;
  mlir::Operation *op = nullptr;
  mlir::Location location;
  llvm::SmallVector<Range> reads = {}, writes = {}; // in argument order; a loop has none
  bool sync = false;
  std::vector<Step> body = {}; // of a loop
  int number = 0;              // of all steps of a program in order, those of a loop behind it
  int last = 0;                // that of the last step in it
};

/// Decides places and steps of one block: that of a program, or the body of a loop.
class BlockStorage {
public:
  BlockStorage(mlir::Block &block, std::vector<Object> &objects, unsigned depth)
      : block(block), objects(objects), depth(depth) {}

  void setArgument(mlir::BlockArgument argument, Range place) { places[argument] = place; }

  /// `wanted` says where what the block ends with has to lie then.
  std::vector<Step> run(llvm::ArrayRef<Range> wanted);

private:
  void collectOldReads();
  void claimPacks();
  void claimLoops();
  void claim(mlir::Value value, Range place, unsigned before);
  void claimPack(PackOp pack, Range place);
  void fillGaps(PackOp pack, Range place);
  bool isOverwriteSafe(mlir::Value value, Range place) const;
  bool isUntouched(Range place) const;
  Range resolve(mlir::Value value);
  Range newObject(mlir::Value value);
  unsigned firstReader(mlir::Value value) const;
  std::vector<Step> buildSteps();
  Step buildLoop(ScanOp op);
  Range slice(Range whole, mlir::Type type, ScanOp op) const;

  /// A read of what memory from outside of the block held when the block started.
  struct OldRead {
    Range range;
    mlir::Operation *op;
    unsigned operand;
  };
  /// A fill (without a source) or a copy, which must precede the instruction of number `before`.
  struct Extra {
    mlir::Value source;
    Range place;
    unsigned before;
    mlir::Location location;
  };
  mlir::Block &block;
  std::vector<Object> &objects;
  unsigned depth;
  llvm::ArrayRef<Range> wanted;
  llvm::SmallVector<mlir::Operation *> instructions;
  llvm::DenseMap<mlir::Operation *, unsigned> order;
  llvm::DenseMap<mlir::Value, Range> places;
  std::vector<OldRead> oldReads;
  std::vector<Extra> extras;
};

class ProgramStorage {
public:
  explicit ProgramStorage(mlir::func::FuncOp function) : function(function) {}

  /// Decides places, steps and lifetimes (not offsets). Emits an error and fails if a named buffer
  /// is missing.
  mlir::LogicalResult run();

  std::vector<Object> objects;
  std::vector<Step> steps;

private:
  unsigned namedObject(mlir::StringRef name, mlir::Value value);
  void computeLifetimes(llvm::ArrayRef<Step> list, llvm::SmallVectorImpl<const Step *> &loops);
  void takeOver(llvm::ArrayRef<Step> list, unsigned depth, std::vector<unsigned> &owner);
  void shareInputs();

  mlir::func::FuncOp function;
};

/// Bytes of one element in memory (a bool takes one).
int64_t elementBytes(mlir::Type tensorType);
/// Bytes of a tensor in memory.
int64_t tensorBytes(mlir::Type tensorType);
/// True if two ranges of objects may have a byte in common, in one trip.
bool overlap(const Range &a, const Range &b);

} // namespace dlm::place

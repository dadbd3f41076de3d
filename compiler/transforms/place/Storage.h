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
// Cost: (instructions x operands) for every result; no search.
#pragma once

#include "dialects/dlm/Dlm.h"

#include <mlir/Dialect/Func/IR/FuncOps.h>

#include <string>
#include <vector>

namespace dlm::place {

/// Memory allocated as one. Steps are numbers into ProgramStorage::steps.
struct Object {
  std::string name; // empty: transient
  mlir::RankedTensorType type;
  mlir::Location location;
  int64_t sizeBytes = 0;
  int birth = -1, death = -1;
  int64_t offset = 0; // within the arena, set by the layout
};

/// A range of an object, in bytes.
struct Range {
  unsigned object = 0;
  int64_t offset = 0;
  int64_t sizeBytes = 0;
};

/// One instruction. Launches and products have an `op`; copies and fills do not.
struct Step {
  enum Kind { Run, Copy, Fill } kind = Run;
  mlir::Operation *op = nullptr;
  mlir::Location location;
  llvm::SmallVector<Range> reads, writes; // in argument order
  bool sync = false;
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
  mlir::LogicalResult addArguments();
  void collectOldReads();
  void claim(mlir::Value value, Range place, unsigned before);
  void claimPack(PackOp pack, Range place);
  void fillGaps(PackOp pack, Range place);
  bool isOverwriteSafe(mlir::Value value, Range place) const;
  bool isUntouched(Range place) const;
  Range resolve(mlir::Value value);
  Range newObject(mlir::Value value);
  unsigned namedObject(mlir::StringRef name, mlir::Value value);
  void buildSteps();
  void computeLifetimes();
  void takeOver(std::vector<unsigned> &owner);
  void shareInputs();
  unsigned firstReader(mlir::Value value) const;

  /// A read of what a named buffer held when the program started.
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
  mlir::func::FuncOp function;
  llvm::SmallVector<mlir::Operation *> instructions;
  llvm::DenseMap<mlir::Operation *, unsigned> order;
  llvm::DenseMap<mlir::Value, Range> places;
  std::vector<OldRead> oldReads;
  std::vector<Extra> extras;
};

/// Bytes of one element in memory (a bool takes one).
int64_t elementBytes(mlir::Type tensorType);
/// Bytes of a tensor in memory.
int64_t tensorBytes(mlir::Type tensorType);
/// True if two ranges of objects have a byte in common.
bool overlap(const Range &a, const Range &b);

} // namespace dlm::place

// Turns the scalar ops of a kernel's body into code for one point or for a row of neighbouring
// points. A value that varies over the inner dim becomes a vector with one lane a point; any other
// stays a scalar and is broadcast where a vector needs it. The bits of a lane are those of the
// scalar.
#pragma once

#include "dialects/kernel/Variation.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace kernel {

/// Emits body ops at the builder's place and remembers what each body value became.
class BodyEmitter {
public:
  BodyEmitter(mlir::ImplicitLocOpBuilder &builder, FuncOp func);

  /// One pointer for each argument, and what its address is known to be a multiple of, in bytes; no
  /// alignments: that of the elements. Where alignments are given, unmasked vectors of step 1 begin
  /// at inner indices that are multiples of the width.
  void setPointers(mlir::ValueRange values, llvm::ArrayRef<int64_t> bytes = {});
  /// From here on vectors have `lanes` lanes, `step` points apart; one lane makes all scalar.
  void setWidth(int64_t lanes, int64_t step = 1);
  int64_t getWidth() const { return width; }
  int64_t getLaneStep() const { return laneStep; }
  /// Masked and strided accesses become one scalar access a lane: for targets without gathers.
  void useScalarAccesses() { hasGathers = false; }
  const Variation &getVariation() const { return variation; }
  /// True if `value` becomes a vector.
  bool isVector(mlir::Value value) const;

  /// The index of a dim from here on (of lane 0 for the inner one).
  void setIndex(unsigned dim, mlir::Value index) { state.indices[dim] = index; }
  /// Lanes at and beyond `count` (an i64) are dead from here on: neither loaded nor stored.
  void setLiveLanes(mlir::Value count);
  /// The mask of live lanes; null if all are.
  mlir::Value getMask() const { return state.mask; }

  /// How the lanes of an access lie in memory: the elements from lane to lane, and in bytes what
  /// the address of an unmasked vector is a multiple of.
  struct Lanes {
    int64_t step;
    unsigned alignment;
  };
  Lanes getLanes(mlir::Value tensor, mlir::AffineMap map) const;

  /// Emits one op of the body, a store included; not a reduction.
  void emit(mlir::Operation *op);
  /// What lies where a store of f32 will write.
  mlir::Value loadTarget(StoreOp store);
  /// What a body value became.
  mlir::Value get(mlir::Value value) const { return state.values.lookup(value); }
  /// The same as a vector.
  mlir::Value getVector(mlir::Value value);
  void set(mlir::Value value, mlir::Value emitted) { state.values[value] = emitted; }

  mlir::Value broadcast(mlir::Value scalar);
  /// How far each lane is from lane 0 along the inner dim, as a vector of this integer type.
  mlir::Value getLaneNumbers(mlir::Type type);
  mlir::Value getConstant(mlir::Type type, double value);
  mlir::VectorType getVectorType(mlir::Type type) const;

private:
  struct State {
    llvm::DenseMap<mlir::Value, mlir::Value> values;
    llvm::SmallVector<mlir::Value> indices;
    mlir::Value mask;
  };

public:
  /// Forgets at its end what was emitted since its start: for code inside a loop.
  class Scope {
  public:
    explicit Scope(BodyEmitter &emitter) : emitter(emitter), saved(emitter.state) {}
    ~Scope() { emitter.state = std::move(saved); }
    Scope(const Scope &) = delete;

  private:
    BodyEmitter &emitter;
    State saved;
  };

private:
  /// Lane 0's place in a tensor and how the lanes lie; null where there is no such thing.
  struct Address : Lanes {
    mlir::Value pointer;
    mlir::Value offsets;  // of lanes that lie anywhere: elements from the pointer on
    mlir::Value isInside; // of all lanes; where it is false the pointer is that of some element
    mlir::Value mask;     // of lanes within the tensor
  };
  Address getAddress(mlir::Value tensor, mlir::AffineMap map, mlir::ValueRange given = {},
                     bool isGuarded = false);
  class AddressWriter;
  mlir::Value getLanePointers(Address address, mlir::Type memoryType);
  mlir::Value combineMasks(mlir::Value mask);
  mlir::Value reverse(mlir::Value vector);
  mlir::Value loadVector(Address address, mlir::Type memoryType);
  mlir::Value loadLanes(Address address, mlir::Type memoryType);
  void storeVector(mlir::Value value, Address address, mlir::Type memoryType);
  void storeLanes(mlir::Value value, Address address, mlir::Type memoryType);
  mlir::Value getLanePointer(Address address, mlir::Type memoryType, int64_t lane);
  void emitLoad(LoadOp load);
  void emitStore(StoreOp store);
  void emitIota(IotaOp iota);
  void emitScalarOp(mlir::Operation *op);

  mlir::ImplicitLocOpBuilder &b;
  FuncOp func;
  llvm::SmallVector<mlir::Value> pointers;
  llvm::SmallVector<int64_t> alignments;
  unsigned inner;
  int64_t width = 1, laneStep = 1;
  bool hasGathers = true;
  Variation variation;
  State state;
};

/// The type that elements of a tensor have in memory: a byte for i1 and ui8.
mlir::Type getMemoryType(mlir::Type elementType);

} // namespace kernel

// The `kernel` dialect: what a fused kernel computes, free of how it is run. See README.md.
#ifndef DLM_KERNEL_DIALECT_TD
#define DLM_KERNEL_DIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def Kernel_Dialect : Dialect {
  let name = "kernel";
  let cppNamespace = "::kernel";
  let summary = "scalar bodies over an iteration space, and their launches";
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def Kernel_Schedule : I32EnumAttr<"Schedule", "how the space is cut into work items", [
    I32EnumAttrCase<"Linear", 0, "linear">, I32EnumAttrCase<"Row", 1, "row">,
    I32EnumAttrCase<"Column", 2, "column">, I32EnumAttrCase<"Scatter", 3, "scatter">]> {
  let cppNamespace = "::kernel";
}

def Kernel_ReduceKind : I32EnumAttr<"ReduceKind", "how a reduction combines", [
    I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Max", 1, "max">,
    I32EnumAttrCase<"Min", 2, "min">]> {
  let cppNamespace = "::kernel";
}

def Kernel_RandomKind : I32EnumAttr<"RandomKind", "distribution of random values", [
    I32EnumAttrCase<"Uniform", 0, "uniform">, I32EnumAttrCase<"Normal", 1, "normal">]> {
  let cppNamespace = "::kernel";
}

def Kernel_SpaceAttr : AttrDef<Kernel_Dialect, "Space"> {
  let mnemonic = "space";
  let summary = "the iteration space of a kernel and its cut into work items";
  let description = [{
    `linear`: one dim, the whole problem flattened; a work item is a block of 2,048 elements.
    `row`: grid dims, then the row dim; a work item is one index of the flattened grid, reductions
    run over the row dim. `column`: dims (r, j); reductions run over r; a work item is a block of
    128 columns. `scatter`: dims (g, n, p, j); sums run over p; a work item is a block of 256
    indices n of one g. An extent is a constant; only dim 0 may be `?`, bound by each launch.

    Constraints:
    - C1: `linear` has one dim, `row` at least one, `column` two, `scatter` four.
    - C2: extents are positive; only dim 0 may be `?`.

    Example: `#kernel.space<row, [?, 768]>`
  }];
  let parameters = (ins "::kernel::Schedule":$schedule, ArrayRefParameter<"int64_t">:$extents);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Elements a work item of a `linear` kernel covers.
    static constexpr int64_t LinearBlock = 2048;
    /// Columns a work item of a `column` kernel covers.
    static constexpr int64_t ColumnBlock = 128;
    /// Indices n a work item of a `scatter` kernel covers.
    static constexpr int64_t ScatterBlock = 256;

    unsigned getRank() const { return getExtents().size(); }
    /// True if dim 0 is bound by the launch.
    bool isDynamic() const;
    /// The dim reductions run over: the last of a row, the first of a column, 0 of a line, the
    /// third of a scatter.
    unsigned getReducedDim() const;
    /// The dim that neighbouring elements differ in: the last one.
    unsigned getInnerDim() const { return getRank() - 1; }
    /// The extent of `dim`, with `extent` in the place of `?`.
    int64_t getExtent(unsigned dim, int64_t extent) const;
    /// How many work items a launch with this run-time extent has.
    int64_t getItems(int64_t extent) const;
  }];
}

def Kernel_LayoutAttr : AttrDef<Kernel_Dialect, "Layout"> {
  let mnemonic = "layout";
  let summary = "order of a tensor's dims in memory, outermost first; a tensor type's encoding";
  let description = [{
    A tensor without it is row-major. It exists so that packed or transposed values have a place in
    the types; code generation takes row-major only.

    Constraints:
    - C1: the order is a permutation of 0 .. rank - 1.

    Example: `tensor<4x8xf32, #kernel.layout<[0, 1]>>`
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$order);
  let assemblyFormat = "`<` `[` $order `]` `>`";
  let genVerifyDecl = 1;
}

#endif

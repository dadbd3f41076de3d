// The parts of the plan that come from module attributes, and ids shared by all parts.
#pragma once

#include "runtime/abi/Plan_generated.h"

#include <mlir/IR/BuiltinOps.h>
#include <mlir/IR/BuiltinTypes.h>

#include <llvm/ADT/StringMap.h>

namespace dlm {

/// Ids of buffers by name, for references.
using BufferIds = llvm::StringMap<uint32_t>;

plan::DType planType(mlir::Type elementType);
std::vector<int64_t> planShape(mlir::Type tensorType);

/// Recipe and options from the module's `train.policy`; nothing if there is none.
void addRecipe(plan::PlanT &plan, mlir::ModuleOp module, const BufferIds &buffers);

/// What a buffer holds before `init` runs, from the module's `train.policy`; most hold nothing.
std::vector<uint8_t> initialBytes(mlir::ModuleOp module, mlir::StringRef buffer);

/// The checkpoint's list from the module's `dlm.state`.
mlir::LogicalResult addState(plan::PlanT &plan, mlir::ModuleOp module, const BufferIds &buffers);

/// The memory report: all arenas, and the largest buffers first.
void addReport(plan::PlanT &plan);

} // namespace dlm

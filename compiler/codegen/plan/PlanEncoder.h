// The plan dialect as bytes. A walk without decisions: ids are the order of the ops, names are kept
// for what the runtime looks up by name, everything else is copied.
#pragma once

#include <mlir/IR/BuiltinOps.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace dlm {

/// What the plan says of its own making.
struct PlanOrigin {
  std::string build;          // of the compiler
  std::string target = "cpu"; // or "cuda"
  std::string cpu;            // the processor that kernels for `cpu` need
  std::vector<uint8_t> sourceHash;
  std::vector<std::pair<std::string, std::string>> sources; // the user's files: path and text
};

/// Encodes a placed module (plan ops and kernels, and the stages if there is a device;
/// `train.policy` and `dlm.state` give recipe, options and the checkpoint's list). Emits an error
/// at the op and returns nothing if something is missing.
std::vector<uint8_t> encodePlan(mlir::ModuleOp module, const PlanOrigin &origin);

} // namespace dlm

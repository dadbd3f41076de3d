// Where an op comes from: a place in the user's text, named by the layer it belongs to. Messages,
// profiles and reports of all later phases speak in these terms.
#pragma once

#include "compiler/source/SourceManager.h"

#include "mlir/IR/Location.h"

namespace dlm::lower {

class Places {
public:
  Places(mlir::MLIRContext &context, const SourceManager &sources,
         const std::vector<std::string> &layers)
      : context(context), sources(sources), layers(layers) {}
  Places(mlir::MLIRContext &, const SourceManager &, std::vector<std::string> &&) = delete;

  /// File, line and column of the span's beginning; under the name of the layer if it has one.
  mlir::Location of(Span span, uint32_t layer = 0) const;
  /// The path of a layer; "" of none.
  std::string path(uint32_t layer) const { return layer < layers.size() ? layers[layer] : ""; }

private:
  mlir::MLIRContext &context;
  const SourceManager &sources;
  const std::vector<std::string> &layers;
};

} // namespace dlm::lower

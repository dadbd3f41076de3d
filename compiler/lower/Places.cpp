// A span becomes a FileLineColLoc, and a layer path a NameLoc around it.
#include "compiler/lower/Places.h"

namespace dlm::lower {

mlir::Location Places::of(Span span, uint32_t layer) const {
  mlir::Location place = mlir::UnknownLoc::get(&context);
  if (span.isValid() && span.file < sources.fileCount()) {
    LineColumn start = sources.position(span.file, span.begin);
    std::string_view path = sources.path(span.file);
    place = mlir::FileLineColLoc::get(&context, llvm::StringRef(path.data(), path.size()),
                                      start.line, start.column);
  }
  if (layer >= layers.size() || layers[layer].empty()) return place;
  return mlir::NameLoc::get(mlir::StringAttr::get(&context, layers[layer]), place);
}

} // namespace dlm::lower

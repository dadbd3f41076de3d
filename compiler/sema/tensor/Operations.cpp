// In the groups of TypedGraph.h.
#include "compiler/sema/tensor/Operations.h"

namespace dlm::sema {

const std::set<std::string> &operationNames() {
  static const std::set<std::string> names = {
      // leaves
      "ambient", "argument", "buffer", "capture", "constant", "dense", "extent", "gradient",
      "input", "iota", "option", "parameter", "random", "sample_count", "shadow", "slot", "state",
      "target", "weights",
      // elementwise
      "abs", "add", "and", "cast", "ceil", "compare", "cos", "div", "erf", "exp", "floor", "log",
      "max", "min", "mul", "neg", "not", "or", "pow", "relu", "rem", "round", "rsqrt", "select",
      "sign", "sin", "sqrt", "sub", "tanh",
      // shape
      "broadcast", "concat", "dynamic_slice", "flip", "gather", "pad", "reshape", "slice",
      "stop_gradient", "transpose", "windows",
      // order
      "order", "top_k",
      // reduction and product
      "argmax", "argmin", "batch_contract", "batch_reduce", "contract", "convolution",
      "convolution_transpose", "cumsum", "matmul", "reduce",
      // text, data
      "decode", "encode", "fit",
      // loop, generate, gradient, batch
      "generate", "gradient_of", "scan", "scan_result", "share", "variable"};
  return names;
}

} // namespace dlm::sema

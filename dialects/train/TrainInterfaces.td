// What the leaves of a declared run have in common: each names the buffer it is read from.
#ifndef DLM_DIALECTS_TRAIN_TRAININTERFACES_TD
#define DLM_DIALECTS_TRAIN_TRAININTERFACES_TD

include "mlir/IR/OpBase.td"

def LeafOpInterface : OpInterface<"LeafOpInterface"> {
  let cppNamespace = "::dlm::train";
  let description = [{ An op without operands whose result is the content of a named buffer. }];
  let methods = [
    InterfaceMethod<"The name of the buffer, e.g. `batch.image`.", "std::string", "getBuffer">
  ];
}

#endif

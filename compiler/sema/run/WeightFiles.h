// `weights(model, file, names)` and `trained(run)`: which tensor of which file each parameter and
// buffer starts from.
#pragma once

#include "compiler/sema/evaluate/Evaluator.h"

namespace dlm::sema {

/// Looks for the tensors of every `weights` of the program, in the heads of their files. Their
/// `init` becomes the op `weights`, and where they are read is appended to `starts`. Reports files
/// that cannot be read, tensors that are missing, and shapes and types that do not fit. Of what
/// another run trained, the file is the folder of its checkpoints, in which nobody looks here.
void checkWeightFiles(Evaluator &evaluator, std::vector<WeightStart> &starts);

} // namespace dlm::sema

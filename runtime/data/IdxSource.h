// Images with labels in four IDX files of one folder, named as MNIST names them:
// train-images-idx3-ubyte, train-labels-idx1-ubyte and the same with t10k, each plain or `.gz`.
// The validation split is cut from the end of the training files; t10k is the test split.
#pragma once

#include "runtime/data/Dataset.h"

namespace dlm {

/// A source over such a folder. Fields: one of the images' shape (u8) and one scalar (i32 or u8),
/// in any order and with any names, or one of them.
Expected<std::unique_ptr<DataSource>> makeIdxSource(const DataSpec &spec);

} // namespace dlm

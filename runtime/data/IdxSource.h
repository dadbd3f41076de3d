// Images with labels in four IDX files of one folder, named as MNIST names them:
// train-images-idx3-ubyte, train-labels-idx1-ubyte and the same with t10k, each plain or `.gz`.
// The validation split is cut from the end of the training files; t10k is the test split.
#pragma once

#include "runtime/data/Dataset.h"

namespace dlm {

/// What the files of a folder say about themselves; read when a program is compiled.
struct IdxFolder {
  int64_t trainCount = 0; // samples in the training files, before a validation split is cut
  int64_t testCount = 0;  // 0 if there are no t10k files
  std::vector<int64_t> imageShape;
  int64_t classes = 0; // the largest label plus one
};

/// Reads the headers of the images and the labels themselves.
Expected<IdxFolder> describeIdxFolder(const std::string &path);

/// A source over such a folder. Fields: one of the images' shape (u8) and one scalar (i32 or u8),
/// in any order and with any names, or one of them.
Expected<std::unique_ptr<DataSource>> makeIdxSource(const DataSpec &spec);

} // namespace dlm

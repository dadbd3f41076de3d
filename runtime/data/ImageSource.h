// Samples from folders of photos. A photo is decoded when it is read, by the thread that reads it:
// memory holds the names only.
#pragma once

#include "runtime/data/Dataset.h"

namespace dlm {

/// Fields: `image: u8[height, width, 3]` and `label: i32`, or one of them.
Expected<std::unique_ptr<DataSource>> makeImageSource(const DataSpec &spec);

} // namespace dlm

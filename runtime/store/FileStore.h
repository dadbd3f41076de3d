// A store in a folder of the file system: one file a key.
#pragma once

#include "runtime/store/Store.h"

#include <memory>

namespace dlm {

/// A store in `folder`, which is made when it is first written.
std::unique_ptr<Store> makeFileStore(const std::string &folder);

} // namespace dlm

// A store in a folder of the file system: one file a key.
#pragma once

#include "runtime/store/FileCalls.h"
#include "runtime/store/Store.h"

#include <memory>

namespace dlm {

/// A store in `folder`, which is made when it is first written. `calls` must outlive it.
std::unique_ptr<Store> makeFileStore(const std::string &folder,
                                     FileCalls &calls = systemFileCalls());

} // namespace dlm

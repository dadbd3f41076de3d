// A source whose splits are read one after the other by a thread of its own, training first, so
// that training starts while the others are still being read.
#pragma once

#include "runtime/data/Dataset.h"
#include "runtime/data/WarningList.h"

#include <atomic>
#include <functional>

namespace dlm {

/// Makes the samples of one split. Called for each split in turn, on the source's thread, and only
/// for splits that the program has. `cancel` is set when the source goes away.
using SplitReader =
    std::function<Expected<std::unique_ptr<Dataset>>(Split split, const std::atomic<bool> &cancel)>;

/// `warnings`: where the datasets write them, if they do.
std::unique_ptr<DataSource> makeBackgroundSource(const DataSpec &spec, SplitReader read,
                                                 std::shared_ptr<WarningList> warnings = nullptr);

} // namespace dlm

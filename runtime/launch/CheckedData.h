// The ids of samples against what the program can take: its plan says which those are.
#pragma once

#include "runtime/abi/Plan_generated.h"
#include "runtime/data/IdBounds.h"

namespace dlm {

/// What the plan says of ids.
std::vector<IdBound> idBoundsOf(const plan::Plan &plan);

/// `source`, which gives the samples that batches are made of, with each of them looked at.
Expected<std::unique_ptr<DataSource>> checkData(std::unique_ptr<DataSource> source,
                                                const plan::Plan &plan, const DataSpec &spec);

/// Rows of a file, or of a part of the data; they must outlive the result. `origin` is what a
/// message calls the row with a number. All that lie in memory are looked at now.
Expected<std::unique_ptr<Dataset>> checkRows(const Dataset &rows, const plan::Plan &plan,
                                             std::function<std::string(int64_t)> origin,
                                             const std::atomic<int> &stop);

} // namespace dlm

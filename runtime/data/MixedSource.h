// Parts that are cut from all over a file: the whole file is read as one, and each part is a view
// of it.
#pragma once

#include "runtime/data/Dataset.h"

namespace dlm {

/// The source of a `spec` whose parts are mixed. `open` reads one whose parts are not.
Expected<std::unique_ptr<DataSource>>
makeMixedSource(const DataSpec &spec,
                Expected<std::unique_ptr<DataSource>> (*open)(const DataSpec &spec));

} // namespace dlm

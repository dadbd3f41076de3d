// Which files the samples of a run come from: what a checkpoint remembers of its data.
#pragma once

#include "runtime/data/Dataset.h"

namespace dlm {

/// The files that hold the samples of `spec`, each once. Of a folder whose kind has no fixed names
/// these are the files in it and below, sorted. What cannot be read is left out: whoever reads the
/// samples says so.
std::vector<std::string> dataFiles(const DataSpec &spec);

} // namespace dlm

// Samples that are windows of one long sequence of tokens, from texts or from files of ids.
#pragma once

#include "runtime/data/Dataset.h"

namespace dlm {

/// Fields: `ids next: i32[window]`, `next` being one token later. `facts` is the tokenizer.
Expected<std::unique_ptr<DataSource>> makeTextSource(const DataSpec &spec);

/// The same of token files, whose paths may be patterns; also `position segment next_segment:
/// i32[window]`, where a document is a segment: its number in the window, and a token's place in
/// it. `facts` is a `TokenFacts`.
Expected<std::unique_ptr<DataSource>> makeTokensSource(const DataSpec &spec);

} // namespace dlm

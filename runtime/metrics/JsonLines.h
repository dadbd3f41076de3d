// Metrics for machines: one JSON object a line on a stream. Every line ends with a flush, so a
// reader at the other end of a pipe sees it at once.
//
//   {"step":1,"attempt":1,"epoch":0.001,"loss":2.3,"grad_norm":1.2,"samples_per_second":8123}
//   {"step":938,"epoch":1.0,"validation":{"loss":0.45,"accuracy":0.84}}
//   {"final":{"step":4690,"epoch":5,"complete":true,"checkpoint":"a/step-00004690.safetensors",
//     "train":{"loss":0.2},"validation":{..},"test":{..}}}     (one line)
//
// Notes for people go to a second stream as plain text. NaN and infinities are null.
#pragma once

#include "runtime/metrics/MetricSink.h"

#include <cstdio>
#include <memory>

namespace dlm {

/// `clock` measures the rate. The streams must outlive the sink.
std::unique_ptr<MetricSink> makeJsonLines(std::FILE *out, std::FILE *notes, Clock &clock);

/// `text` as a JSON string with its quotes.
std::string jsonText(const std::string &text);

/// `value` as a JSON number with up to 9 significant digits, which is enough to tell any two
/// floats apart; null if it is not finite.
std::string jsonNumber(double value);

} // namespace dlm

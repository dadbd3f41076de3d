// The kinds of data sources that only a description or a reader can tell about: what each is
// called with, and which fields its samples have.
#pragma once

#include "compiler/sema/builtins/Builtin.h"
#include "compiler/sema/data/DataSchema.h"

namespace dlm::sema {

/// `data.text`, `data.csv` and the like.
const BuiltinTable &dataKindBuiltins();
/// `data.chars()`, `data.number()`: what sources are told about their files.
const BuiltinTable &dataPartBuiltins();
/// `data.map`, `data.fit`, `data.mix`, `data.pack`: sources made from sources.
const BuiltinTable &dataMapBuiltins();

/// How many samples of `count` (`what`: "the validation part") a share (`5%`) or a number of
/// samples is; nothing if reported.
std::optional<int64_t> partOf(Evaluator &evaluator, const Operand &operand, int64_t count,
                              const std::string &what);

/// Warns of a part that got none of the `count` samples.
void warnOfEmptyPart(Evaluator &evaluator, const std::string &part, const Operand &operand,
                     int64_t count);

/// Reports a part (`validation`) that the call cuts from the training samples although the
/// description has one of `described` samples.
bool isCountedTwice(Evaluator &evaluator, const std::string &part, const Operand &operand,
                    int64_t described, const std::string &description);

/// Reports a field whose samples differ in size, unless they are padded: they make no batch.
void checkBatchable(Evaluator &evaluator, const DataSource &source, Span span);

/// A path of the program, from the folder of the file it is written in.
std::string pathFrom(const Evaluator &evaluator, Span span, const std::string &path);

/// The description beside the program: `NAME.schema.json`, NAME being the `let` that holds the
/// source. Nothing if there is none, or if it is wrong, which is reported.
struct Description {
  std::string path;
  bool isThere = false;
  std::optional<DataSchema> schema;

  std::string fileName() const { return path.substr(path.find_last_of('/') + 1); }
};
Description describe(Evaluator &evaluator, Span span);

/// Fills in counts, facts and columns, and makes symbols of the bounded sizes.
void applySchema(Evaluator &evaluator, const Description &description, DataSource &source);

} // namespace dlm::sema

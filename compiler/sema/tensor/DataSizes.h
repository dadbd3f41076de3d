// Sizes that come from the data: those of its fields, and the numbers of its classes and tokens.
#pragma once

#include "compiler/sema/value/Value.h"

namespace dlm::sema {

class Evaluator;
class Report;

/// Compares the logits that `cross_entropy` is called with to the classes or tokens of the data, if
/// the target is a field of them. False if there are fewer logits, which is reported; more than
/// classes are a warning.
bool checkClassCount(Evaluator &evaluator, const Value &logits, const Value &target, Span call);

/// False, and reported, if a table has fewer rows than the tokens or labels of the data, or the
/// ids of a column, that pick them.
bool checkRowCount(Evaluator &evaluator, const Tensor &table, const Dim &rows, const Tensor &ids,
                   Span span);

/// Says at the data source that a size of the tensor is that of a field, if it is.
void noteSizeOfData(Evaluator &evaluator, Report &message, const Tensor &tensor, const Dim &dim);

} // namespace dlm::sema

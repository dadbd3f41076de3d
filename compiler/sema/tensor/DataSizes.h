// Sizes that come from the data: those of its fields, and the number of its classes.
#pragma once

#include "compiler/sema/value/Value.h"

namespace dlm::sema {

class Evaluator;
class Report;

/// Compares the logits that `cross_entropy` is called with to the classes of the data, if the
/// target is the labels of the data as they are. False if there are fewer logits than classes,
/// which is reported; more are a warning.
bool checkClassCount(Evaluator &evaluator, const Value &logits, const Value &target, Span call);

/// Says at the data source that a size of the tensor is that of a field, if it is.
void noteSizeOfData(Evaluator &evaluator, Report &message, const Tensor &tensor, const Dim &dim);

} // namespace dlm::sema

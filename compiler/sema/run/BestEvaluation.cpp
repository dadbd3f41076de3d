// `keep_best` and `patience` compare the evaluations of a run: what they need for that.
#include "compiler/sema/run/TrainBlock.h"

#include <algorithm>

namespace dlm::sema {

void TrainBlock::checkBest() {
  auto placeOf = [&](const std::string &name) {
    auto found = settings.given.find("evaluate." + name);
    return found == settings.given.end() ? nullptr : &found->second;
  };
  auto isMissing = [&](const std::string &name) {
    return !placeOf(name) && settings.meant.count(name) == 0;
  };
  const Span *keepBest = placeOf("keep_best"), *patience = placeOf("patience");
  if (!keepBest && !patience) return;
  if (isMissing("keep_best"))
    report(Kind::MissingSetting, *patience,
           "`patience` waits for a new best, and no `keep_best` says what is best")
        .help("add, for example, `keep_best = minimum(validation.loss)`");
  const Span &place = keepBest ? *keepBest : *patience;
  std::string name = keepBest ? "`keep_best`" : "`patience`";
  if (isMissing("every"))
    report(Kind::MissingSetting, place,
           name + " compares evaluations, and without `every` there is one, at the end")
        .help("add, for example, `every = 1 epochs`");
  if (data && data->validationCount == 0)
    report(Kind::NoValidation, place,
           name + " chooses by the validation data, and the data source has none")
        .secondary(settings.given["data"], "the data source")
        .help("`validation = 10%` in the data source cuts it off the training samples; what is "
              "chosen by the test data looks better in the test than it is");
  checkPatience();
}

/// A run whose patience is over before the next evaluation ends at the first that is no better.
void TrainBlock::checkPatience() {
  const Quantity &every = result.settings.evaluateEvery;
  for (const Setting &setting : result.settings.others) {
    if (setting.path != "evaluate.patience" || every.unit == Unit::None) continue;
    Quantity patience = {setting.value.number, setting.value.unit};
    if (!isShorter(patience, every)) return;
    report(Kind::ShortPatience, setting.span,
           "`patience` is " + periodText(patience) + ", and the next evaluation is " +
               periodText(every) + " later: the first that is no better ends the run")
        .secondary(settings.given["evaluate.every"], "from evaluation to evaluation");
  }
}

} // namespace dlm::sema

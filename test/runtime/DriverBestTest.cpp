// The step driver where evaluations are compared: what is saved when, and when patience is over.
#include "runtime/driver/StepDriver.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <optional>

using namespace dlm;

namespace {

std::unique_ptr<plan::QuantityT> periodOf(double value, plan::Unit unit) {
  auto quantity = std::make_unique<plan::QuantityT>();
  quantity->value = value;
  quantity->unit = unit;
  return quantity;
}

/// Batches of 64 of 60000 samples, and evaluations by their loss.
plan::RecipeT comparingRecipe() {
  plan::RecipeT recipe;
  recipe.batch = recipe.micro = 64;
  recipe.duration = periodOf(5, plan::Unit::Epochs);
  recipe.keep_best = "loss";
  return recipe;
}

RunSchedule comparingSchedule(const plan::RecipeT &recipe, int64_t steps) {
  ScheduleOverrides overrides;
  overrides.steps = steps;
  std::string note;
  return *makeSchedule(recipe, overrides, 60000, note);
}

TEST(RunScheduleBest, TellsWhatALargeBatchIs) {
  ScheduleOverrides overrides;
  std::string note;
  overrides.batch = 96000;
  overrides.steps = 3;
  ASSERT_TRUE(makeSchedule(comparingRecipe(), overrides, 60000, note).isOk());
  EXPECT_EQ(note,
            "a batch of 96000 samples shows some of the 60000 training samples more than once");
  overrides.batch = 1600000000;
  ASSERT_TRUE(makeSchedule(comparingRecipe(), overrides, 60000, note).isOk());
  EXPECT_EQ(note, "a batch of 1600000000 samples goes 26667 times through the 60000 training "
                  "samples: a step computes 25000000 parts of 64");
  overrides.steps = INT64_MAX / 2; // positions would not be whole numbers of 64 bits
  Expected<RunSchedule> schedule = makeSchedule(comparingRecipe(), overrides, 60000, note);
  ASSERT_FALSE(schedule.isOk());
  EXPECT_NE(schedule.status().message().find("samples are not possible"), std::string::npos);
}

TEST(RunScheduleBest, AnEvaluationOnTheWayMaySeeSomeBatches) {
  plan::RecipeT with = comparingRecipe();
  EXPECT_EQ(comparingSchedule(with, 0).evaluateSamples, 0);
  with.evaluate_batches = 20;
  EXPECT_EQ(comparingSchedule(with, 0).evaluateSamples, 20 * 64);
}

/// A run that keeps its best: evaluations say whether they are one.
struct Judged {
  explicit Judged(int64_t steps, Position start = {}, double patience = 0) {
    plan::RecipeT with = comparingRecipe();
    with.evaluate_every = periodOf(2, plan::Unit::Steps);
    with.checkpoint_every = periodOf(3, plan::Unit::Steps);
    if (patience > 0) with.patience = periodOf(patience, plan::Unit::Steps);
    driver.emplace(comparingSchedule(with, steps), start, 0);
  }

  /// As a trace; "B" is an evaluation at one of the steps `best`.
  std::string run(const std::vector<int64_t> &best, int64_t stopAt = -1) {
    std::string text;
    for (;;) {
      int64_t step = driver->position().step;
      switch (driver->next(0, stopAt == step)) {
      case Action::Grad:
        driver->gradDone();
        break;
      case Action::Update:
        driver->updateStarted();
        driver->updateDone(true, 0);
        text += 'u';
        break;
      case Action::Evaluate: {
        bool isBest = std::count(best.begin(), best.end(), step) > 0;
        driver->evaluateDone(isBest, 0);
        text += isBest ? 'B' : 'E';
        break;
      }
      case Action::EvaluateFinal:
        driver->evaluateDone();
        text += 'F';
        break;
      case Action::Save:
      case Action::SaveLast:
        driver->saveDone(true, 0);
        text += 'S';
        break;
      default:
        return text + '.';
      }
    }
  }
  std::optional<StepDriver> driver;
};

TEST(StepDriverBest, ANewBestIsSavedAndComparedBeforeWhatIsSaved) {
  EXPECT_EQ(Judged(7).run({2}), "uuBSuSuEuuESuESF.");
  EXPECT_EQ(Judged(7).run({2, 6}), "uuBSuSuEuuBSuESF.");
  EXPECT_EQ(Judged(6).run({6}), "uuEuSuEuuBSF.");
  Judged finished(7, {7, 7});
  finished.driver->goOnFrom(6, 7);
  EXPECT_EQ(finished.run({}), "F."); // nothing is compared again
}

TEST(StepDriverBest, PatienceEndsARunThatGetsNoBetter) {
  Judged judged(100, {}, 4);
  EXPECT_EQ(judged.run({2, 4}), "uuBSuSuBSuuESuuESF."); // 4, then 6, then 8
  EXPECT_TRUE(judged.driver->isOutOfPatience());
  EXPECT_EQ(judged.driver->position().step, 8);
  EXPECT_EQ(judged.driver->outcome(), Outcome::Complete);
  EXPECT_EQ(Judged(100, {}, 5).run({}), "uuEuSuEuuESF."); // never a best: from the beginning on
  Judged enough(8, {}, 100);
  EXPECT_EQ(enough.run({2}).back(), '.');
  EXPECT_FALSE(enough.driver->isOutOfPatience());
}

TEST(StepDriverBest, APatienceInEpochsIsOverWithItsLastEvaluation) {
  plan::RecipeT with = comparingRecipe();
  with.evaluate_every = periodOf(1, plan::Unit::Epochs); // 937.5 steps: 938, 1875, 2813, 3750
  with.patience = periodOf(2, plan::Unit::Epochs);
  StepDriver driver(comparingSchedule(with, 100000), {2813, 2813}, 0);
  driver.goOnFrom(938, 1875);
  EXPECT_EQ(driver.next(0, false), Action::Evaluate); // it was due when the run ended
  driver.evaluateDone(false, 0);
  EXPECT_TRUE(driver.isOutOfPatience());
}

TEST(StepDriverBest, ARunThatWasStoppedAtItsLastStepIsComparedThere) {
  Judged judged(7, {7, 7}); // no evaluation is due at 7, but for its being the last
  judged.driver->goOnFrom(4, 6);
  EXPECT_EQ(judged.run({7}), "BF.");
}

TEST(StepDriverBest, ARunThatGoesOnComparesTheSame) {
  for (int64_t stopAt : {1, 2, 3, 4, 5, 6, 7}) {
    Judged first(100, {}, 4);
    std::string text = first.run({2, 4}, stopAt);
    Position there = first.driver->position();
    EXPECT_EQ(there.step, stopAt);
    int64_t evaluated = (stopAt - 1) / 2 * 2; // a stop comes before what is due at its step
    Judged second(100, there, 4);
    second.driver->goOnFrom(evaluated >= 4 ? 4 : evaluated, evaluated);
    std::string rest = second.run({2, 4});
    if (stopAt == 2) EXPECT_EQ(rest, "BuSuBSuuESuuESF."); // the checkpoint of step 2 is there
    if (stopAt == 4) EXPECT_EQ(rest, "BuuESuuESF.");
    EXPECT_EQ(second.driver->position().step, 8) << stopAt << ": " << text;
    EXPECT_TRUE(second.driver->isOutOfPatience());
  }
}

} // namespace

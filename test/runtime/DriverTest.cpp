// The step driver and the schedule: pure, so every case is a list of decisions.
#include "runtime/driver/StepDriver.h"

#include <gtest/gtest.h>

using namespace dlm;

namespace {

plan::RecipeT recipe() {
  plan::RecipeT recipe;
  recipe.batch = 64;
  recipe.micro = 16;
  recipe.skip_limit = 2;
  recipe.duration = std::make_unique<plan::QuantityT>();
  recipe.duration->value = 5;
  recipe.duration->unit = plan::Unit::Epochs;
  return recipe;
}

std::unique_ptr<plan::QuantityT> every(double value, plan::Unit unit) {
  auto quantity = std::make_unique<plan::QuantityT>();
  quantity->value = value;
  quantity->unit = unit;
  return quantity;
}

std::string note;

RunSchedule scheduleOf(const plan::RecipeT &recipe, int64_t steps = 0) {
  ScheduleOverrides overrides;
  overrides.steps = steps;
  Expected<RunSchedule> schedule = makeSchedule(recipe, overrides, 60000, note);
  EXPECT_TRUE(schedule.isOk()) << schedule.status().message();
  return *schedule;
}

std::string failureOf(const plan::RecipeT &recipe, int64_t batch = 0) {
  ScheduleOverrides overrides;
  overrides.batch = batch;
  Expected<RunSchedule> schedule = makeSchedule(recipe, overrides, 60000, note);
  EXPECT_FALSE(schedule.isOk());
  return schedule.status().message();
}

TEST(RunSchedule, ConvertsEpochsOnceAndReportsTheRounding) {
  RunSchedule run = scheduleOf(recipe());
  EXPECT_EQ(run.steps, 4688);
  EXPECT_EQ(note, "5 epochs are 4687.5 steps, rounded up to 4688");
  plan::RecipeT exact = recipe();
  exact.batch = exact.micro = 60;
  EXPECT_EQ(scheduleOf(exact).steps, 5000);
  EXPECT_EQ(note, "");
  exact.duration->value = 0.1; // not exact in binary
  EXPECT_EQ(scheduleOf(exact).steps, 100);
  EXPECT_EQ(note, "");
}

TEST(RunSchedule, RefusesBatchesThatCannotBeSplit) {
  EXPECT_EQ(failureOf(recipe(), 40), "the batch of 40 samples is not a multiple of the 16 samples "
                                     "of a micro-batch, for which the program was compiled");
  EXPECT_NE(failureOf(recipe(), -16), "");
  plan::RecipeT coupled = recipe();
  coupled.coupled = true;
  EXPECT_NE(failureOf(coupled).find("influence each other"), std::string::npos);
}

TEST(RunSchedule, RefusesDurationsThatCannotBe) {
  for (double value : {0.0, -1.0, 1e300, 0.0 / 0.0}) {
    plan::RecipeT odd = recipe();
    odd.duration->value = value;
    EXPECT_NE(failureOf(odd).find("is not possible"), std::string::npos);
  }
  plan::RecipeT none = recipe();
  none.duration.reset();
  EXPECT_NE(failureOf(none).find("--steps N"), std::string::npos);
}

/// Lets a driver run and writes down what it decides: g, u, E(valuate), S(ave), L(ast save),
/// F(inal evaluation), "." at the end. Time stands still unless `msPerStep` is given.
struct Trace {
  explicit Trace(const RunSchedule &run, Position start = {}) : driver(run, start, 0) {}

  std::string run(int actionsMax = 1000) {
    std::string text;
    while (actionsMax-- > 0) {
      switch (driver.next(nowMs, stopAtAttempt == driver.position().attempt)) {
      case Action::Grad:
        text += 'g';
        driver.gradDone();
        break;
      case Action::Update:
        text += 'u';
        nowMs += msPerStep;
        driver.updateDone(!(skipFrom >= 0 && driver.position().attempt >= skipFrom), nowMs);
        break;
      case Action::Evaluate:
        text += 'E';
        driver.evaluateDone();
        break;
      case Action::Save:
        text += 'S';
        driver.saveDone(!isFull, nowMs);
        break;
      case Action::SaveLast:
        text += 'L';
        driver.saveDone(!isFull, nowMs);
        break;
      case Action::EvaluateFinal:
        text += 'F';
        driver.evaluateDone();
        break;
      case Action::Finish:
        return text + '.';
      }
    }
    return text;
  }

  StepDriver driver;
  int64_t nowMs = 0, msPerStep = 0, stopAtAttempt = -1, skipFrom = -1;
  bool isFull = false;
};

TEST(StepDriver, RunsKMicroBatchesAStep) {
  Trace trace(scheduleOf(recipe(), 2));
  EXPECT_EQ(trace.run(), "gggguggggu"
                         "LF.");
  EXPECT_EQ(trace.driver.outcome(), Outcome::Complete);
}

TEST(StepDriver, SavesAndEvaluatesWhenDue) {
  plan::RecipeT with = recipe();
  with.micro = 64;
  with.evaluate_every = every(2, plan::Unit::Steps);
  with.checkpoint_every = every(192, plan::Unit::Samples); // 3 steps
  EXPECT_EQ(Trace(scheduleOf(with, 7)).run(), "gugu"
                                              "E"
                                              "gu"
                                              "S"
                                              "gu"
                                              "E"
                                              "gugu"
                                              "SE"
                                              "gu"
                                              "LF.");
  // The last step is saved and evaluated once, as the last.
  EXPECT_EQ(Trace(scheduleOf(with, 6)).run(), "gugu"
                                              "E"
                                              "gu"
                                              "S"
                                              "gu"
                                              "E"
                                              "gugu"
                                              "LF.");
}

TEST(StepDriver, DuenessDoesNotDependOnInterruptions) {
  plan::RecipeT with = recipe();
  with.micro = 64;
  with.evaluate_every = every(2, plan::Unit::Steps);
  with.checkpoint_every = every(3, plan::Unit::Steps);
  EXPECT_EQ(Trace(scheduleOf(with, 7), {3, 3}).run(), "gu"
                                                      "E"
                                                      "gugu"
                                                      "SE"
                                                      "gu"
                                                      "LF.");
}

TEST(StepDriver, AnIntervalInEpochsComesDueAtTheFirstStepThatReachesIt) {
  plan::RecipeT with = recipe();
  with.micro = 64;
  with.evaluate_every = every(1, plan::Unit::Epochs);
  RunSchedule run = scheduleOf(with, 1000000);
  Trace trace(run, {936, 936});
  EXPECT_EQ(trace.run(6), "gugu"
                          "E"
                          "g"); // 60000 / 64 = 937.5: step 938
  Trace second(run, {1874, 1874});
  EXPECT_EQ(second.run(4), "gu"
                           "E"
                           "g"); // exactly 1875
}

TEST(StepDriver, SavesByTheClock) {
  plan::RecipeT with = recipe();
  with.micro = 64;
  with.checkpoint_every = every(100, plan::Unit::Milliseconds);
  Trace trace(scheduleOf(with, 5));
  trace.msPerStep = 50;
  EXPECT_EQ(trace.run(), "gugu"
                         "S"
                         "gugu"
                         "S"
                         "gu"
                         "LF.");
}

TEST(StepDriver, EndsByTheClock) {
  plan::RecipeT with = recipe();
  with.micro = 64;
  with.duration = every(120, plan::Unit::Milliseconds);
  Trace trace(scheduleOf(with));
  trace.msPerStep = 50;
  EXPECT_EQ(trace.run(), "gugugu"
                         "LF.");
}

TEST(StepDriver, StopsAfterTheStepAndSaves) {
  Trace trace(scheduleOf(recipe(), 100));
  trace.stopAtAttempt = 2;
  EXPECT_EQ(trace.run(), "gggguggggu"
                         "L.");
  EXPECT_EQ(trace.driver.outcome(), Outcome::Stopped);
}

TEST(StepDriver, AStopBeforeTheFirstStepSavesNothing) {
  Trace trace(scheduleOf(recipe(), 100), {5, 5});
  trace.stopAtAttempt = 5;
  EXPECT_EQ(trace.run(), ".");
}

TEST(StepDriver, P19_AFinishedRunIsOnlyEvaluated) {
  Trace trace(scheduleOf(recipe(), 7), {7, 7});
  EXPECT_EQ(trace.run(), "F.");
}

TEST(StepDriver, P13_ASkippedStepConsumesDataButIsNotAStep) {
  plan::RecipeT with = recipe();
  with.micro = 64;
  Trace trace(scheduleOf(with, 100));
  trace.skipFrom = 2;
  EXPECT_EQ(trace.run(), "gugu"
                         "gugugu"
                         ".");
  EXPECT_EQ(trace.driver.outcome(), Outcome::TooManySkips);
  EXPECT_EQ(trace.driver.position().attempt, 5);
  EXPECT_EQ(trace.driver.position().step, 2);
  EXPECT_EQ(trace.driver.skippedInARow(), 3);
}

TEST(StepDriver, AFailedSaveIsTriedAgainLater) {
  plan::RecipeT with = recipe();
  with.micro = 64;
  with.checkpoint_every = every(10, plan::Unit::Steps);
  Trace trace(scheduleOf(with, 15));
  trace.msPerStep = StepDriver::RetryMs / 2;
  trace.isFull = true;
  EXPECT_EQ(trace.run(21), "gugugugugugugugugugu"
                           "S");
  trace.isFull = false;
  EXPECT_EQ(trace.run(), "gugu"
                         "S"
                         "gugugu"
                         "LF.");
  EXPECT_FALSE(trace.driver.lastSaveFailed());
}

TEST(StepDriver, AFailedLastSaveIsKnownAtTheEnd) {
  Trace trace(scheduleOf(recipe(), 1));
  trace.isFull = true;
  EXPECT_EQ(trace.run(), "ggggu"
                         "LF.");
  EXPECT_TRUE(trace.driver.lastSaveFailed());
}

} // namespace

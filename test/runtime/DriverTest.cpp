// The step driver and the schedule: pure, so every case is a list of decisions.
#include "runtime/driver/Durations.h"
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
  EXPECT_EQ(failureOf(recipe(), 40),
            "a batch of 40 samples is not a multiple of the 16 samples that "
            "the program was compiled to compute at once; compile it for "
            "this batch (`dlmc -D NAME=40`), or with `micro = 8` in its train "
            "block, which divides both");
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
  EXPECT_NE(failureOf(none).find("give --duration"), std::string::npos);
}

TEST(RunSchedule, CountsTokensOfText) {
  plan::RecipeT text = recipe();
  text.data = std::make_unique<plan::DataSourceT>();
  text.data->kind = "text";
  auto ids = std::make_unique<plan::FieldT>();
  ids->dtype = plan::DType::I32;
  ids->shape = {128};
  text.data->fields.push_back(std::move(ids));
  text.duration->value = 128000;
  text.duration->unit = plan::Unit::Tokens;
  std::string note;
  Expected<RunSchedule> run = makeSchedule(text, {}, 60000, note);
  ASSERT_TRUE(run.isOk()) << run.status().message();
  EXPECT_EQ(run->steps * run->batch, 1024); // 1000 samples, in whole steps
}

TEST(Durations, AreWrittenAsPeopleDo) {
  auto text = [](double value, plan::Unit unit) {
    plan::QuantityT quantity;
    quantity.value = value;
    quantity.unit = unit;
    return quantityText(&quantity);
  };
  EXPECT_EQ(text(1, plan::Unit::Epochs), "1 epoch");
  EXPECT_EQ(text(2, plan::Unit::Steps), "2 steps");
  EXPECT_EQ(text(250, plan::Unit::Milliseconds), "250 ms");
  EXPECT_EQ(text(90000, plan::Unit::Milliseconds), "1.5 min");
  EXPECT_EQ(text(7200000, plan::Unit::Milliseconds), "2 h");
  EXPECT_EQ(text(0, plan::Unit::None), "");
}

/// Lets a driver run and writes down what it decides: g, u, E(valuate), S(ave), L(ast save),
/// F(inal evaluation), "." at the end. Time stands still unless `msPerStep` is given.
struct Trace {
  explicit Trace(const RunSchedule &run, Position start = {}) : driver(run, start, 0) {}

  std::string run(int actionsMax = 1000) {
    std::string text;
    for (; actionsMax > 0; --actionsMax) {
      switch (driver.next(nowMs, stopAtAttempt == driver.position().attempt)) {
      case Action::Grad:
        text += 'g';
        driver.gradDone();
        break;
      case Action::Update:
        text += 'u';
        nowMs += msPerStep;
        driver.updateStarted();
        EXPECT_EQ(driver.next(nowMs, false), Action::Await);
        driver.updateDone(!(skipFrom >= 0 && driver.position().attempt >= skipFrom), nowMs);
        break;
      case Action::PartUpdate:
      case Action::Await:
        return text + "?";
      case Action::Evaluate:
        text += 'E';
        driver.evaluateDone();
        break;
      case Action::Save:
        text += 'S';
        driver.saveDone(!isFull, nowMs);
        break;
      case Action::SaveLight:
        text += 'l';
        driver.lightSaveDone();
        break;
      case Action::AwaitSave:
        return text + "?";
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

TEST(StepDriver, LightSavesComeOnTopAndAWholeOneHoldsWhatTheyWould) {
  plan::RecipeT with = recipe();
  with.micro = 64;
  with.checkpoint_every = every(4, plan::Unit::Steps);
  with.checkpoint_light = every(2, plan::Unit::Steps);
  EXPECT_EQ(Trace(scheduleOf(with, 7)).run(), "gugulguguSgugulguLF.");
}

/// A driver after `steps` steps of 64 samples that saves every 2.
StepDriver savingDriver(int64_t steps, int64_t length) {
  plan::RecipeT with = recipe();
  with.micro = 64;
  with.checkpoint_every = every(2, plan::Unit::Steps);
  StepDriver driver(scheduleOf(with, length), {}, 0);
  for (int64_t i = 0; i < steps; ++i) {
    driver.gradDone();
    driver.updateStarted();
    driver.updateDone(true, 0);
  }
  return driver;
}

TEST(StepDriver, TrainsWhileASaveIsUnderWayAndAwaitsItAtTheEnd) {
  StepDriver driver = savingDriver(2, 3);
  ASSERT_EQ(driver.next(0, false), Action::Save);
  driver.saveStarted();
  ASSERT_EQ(driver.next(0, false), Action::Grad);
  driver.gradDone();
  driver.updateStarted();
  driver.updateDone(true, 0);
  EXPECT_EQ(driver.next(0, false), Action::AwaitSave);
  driver.saveDone(true, 0);
  EXPECT_EQ(driver.next(0, false), Action::SaveLast); // the save was of step 2
  driver.saveStarted();
  EXPECT_EQ(driver.next(0, false), Action::AwaitSave);
  driver.saveDone(true, 0);
  EXPECT_EQ(driver.next(0, false), Action::EvaluateFinal);
  EXPECT_FALSE(driver.lastSaveFailed());
}

TEST(StepDriver, ASaveOfTheLastStepIsNotMadeTwice) {
  StepDriver driver = savingDriver(2, 2);
  ASSERT_EQ(driver.next(0, false), Action::SaveLast);
  driver.saveStarted();
  driver.saveDone(false, 0);
  EXPECT_EQ(driver.next(0, false), Action::EvaluateFinal);
  EXPECT_TRUE(driver.lastSaveFailed());
}

TEST(StepDriver, P24_ASaveUnderWayThatFailsIsTriedAgainAndADroppedOneIsNot) {
  StepDriver driver = savingDriver(2, 9);
  driver.saveStarted();
  driver.saveDone(false, 10);
  EXPECT_EQ(driver.next(11, false), Action::Grad);
  EXPECT_EQ(driver.next(10 + StepDriver::RetryMs, false), Action::Save);
  driver.saveStarted();
  EXPECT_EQ(driver.next(10 + StepDriver::RetryMs, false), Action::Grad);
  StepDriver slow = savingDriver(2, 9);
  slow.saveDropped();
  EXPECT_EQ(slow.next(0, false), Action::Grad);
}

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

TEST(StepDriver, AStopLeavesAStepWhosePartsAreNotAllComputed) {
  StepDriver driver(scheduleOf(recipe(), 100), {}, 0);
  for (int part = 0; part < 4; ++part) {
    ASSERT_EQ(driver.next(0, false), Action::Grad);
    driver.gradDone();
  }
  ASSERT_EQ(driver.next(0, true), Action::Update); // all are
  driver.updateStarted();
  driver.updateDone(true, 0);
  driver.gradDone();
  EXPECT_EQ(driver.partsDone(), 1);
  EXPECT_EQ(driver.next(0, true), Action::SaveLast);
  EXPECT_EQ(driver.position().attempt, 1);
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

/// Runs a schedule to its end with up to `depth` updates in flight. Bit i of `skipped`: attempt i
/// is skipped. A stop is asked for before attempt `stopAt` (-1: never). What is written down for
/// each action but `Await`: its letter and the number of attempts started.
std::string decisions(const RunSchedule &run, int depth, uint32_t skipped, int64_t stopAt,
                      int &mostInFlight) {
  StepDriver driver(run, {}, 0, depth);
  int64_t started = 0;
  std::string text;
  auto note = [&](const char *letter) { text += letter + std::to_string(started) + " "; };
  for (;;) {
    int64_t inFlight = started - driver.position().attempt;
    mostInFlight = std::max(mostInFlight, int(inFlight));
    Action action = driver.next(0, started == stopAt);
    if (action != Action::Grad && action != Action::Update && action != Action::Await)
      EXPECT_EQ(inFlight, 0) << text;
    switch (action) {
    case Action::Grad:
      note("g");
      text += std::to_string(driver.nextSample()) + " ";
      driver.gradDone();
      break;
    case Action::Update:
      note("u");
      driver.updateStarted();
      ++started;
      break;
    case Action::Await:
      if (inFlight < 1) return text + "nothing to await";
      driver.updateDone(!(skipped >> driver.position().attempt & 1), 0);
      break;
    case Action::Evaluate:
      note("E");
      driver.evaluateDone();
      break;
    case Action::Save:
      note("S");
      driver.saveDone(true, 0);
      break;
    case Action::SaveLight:
    case Action::AwaitSave:
      return text + "not asked for";
    case Action::SaveLast:
      note("L");
      driver.saveDone(true, 0);
      break;
    case Action::EvaluateFinal:
      note("F");
      driver.evaluateDone();
      break;
    case Action::PartUpdate:
    case Action::Finish:
      note(driver.outcome() == Outcome::Complete  ? "complete"
           : driver.outcome() == Outcome::Stopped ? "stopped"
                                                  : "skips");
      return text;
    }
  }
}

/// Every pattern of skipped updates of short runs, with every rhythm of saves and evaluations, skip
/// limit and stop.
TEST(StepDriver, StepsInFlightChangeNoDecision) {
  constexpr int Attempts = 8;
  int mostInFlight = 0, alone = 0;
  for (int steps = 1; steps <= 5; ++steps) {
    for (int rhythm = 0; rhythm < 9; ++rhythm) {
      plan::RecipeT with = recipe();
      with.micro = rhythm == 0 ? 32 : 64;
      if (rhythm % 3) with.evaluate_every = every(rhythm % 3 + 1, plan::Unit::Steps);
      if (rhythm / 3) with.checkpoint_every = every(rhythm / 3 + 1, plan::Unit::Steps);
      for (uint32_t skipLimit : {0, 1, 3, 100}) {
        with.skip_limit = skipLimit;
        RunSchedule run = scheduleOf(with, steps);
        for (uint32_t skipped = 0; skipped < 1u << Attempts; ++skipped) {
          int64_t stopAt = int64_t(skipped % (Attempts + 2)) - 1;
          std::string expected = decisions(run, 1, skipped, stopAt, alone);
          for (int depth : {2, 3, 5})
            ASSERT_EQ(decisions(run, depth, skipped, stopAt, mostInFlight), expected)
                << "depth " << depth << ", skipped " << skipped;
        }
      }
    }
  }
  EXPECT_EQ(alone, 1);
  EXPECT_EQ(mostInFlight, 5); // or the test would show nothing
}

TEST(StepDriver, ByTheClockNothingHappensWhileUpdatesAreInFlight) {
  plan::RecipeT with = recipe();
  with.micro = 64;
  with.checkpoint_every = every(100, plan::Unit::Milliseconds);
  StepDriver driver(scheduleOf(with, 50), {}, 0, 3);
  int64_t nowMs = 0, inFlight = 0, saves = 0, awaited = 0;
  for (Action action; (action = driver.next(nowMs, false)) != Action::Finish;) {
    nowMs += 10;
    EXPECT_LE(inFlight, 3);
    if (action == Action::Grad) driver.gradDone();
    if (action == Action::Update) driver.updateStarted(), ++inFlight;
    if (action == Action::Await) driver.updateDone(true, nowMs), --inFlight, ++awaited;
    if (action == Action::Save || action == Action::SaveLast) {
      EXPECT_EQ(inFlight, 0);
      ++saves;
      driver.saveDone(true, nowMs);
    }
    if (action == Action::EvaluateFinal) driver.evaluateDone();
  }
  EXPECT_EQ(awaited, 50);
  EXPECT_GT(saves, 8);
}

TEST(StepDriver, AFailedLastSaveIsKnownAtTheEnd) {
  Trace trace(scheduleOf(recipe(), 1));
  trace.isFull = true;
  EXPECT_EQ(trace.run(), "ggggu"
                         "LF.");
  EXPECT_TRUE(trace.driver.lastSaveFailed());
}

} // namespace

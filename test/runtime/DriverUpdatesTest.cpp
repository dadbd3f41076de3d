// Steps of several updates: which batches they see, in which order, and where a run can stop.
#include "runtime/driver/StepDriver.h"

#include <gtest/gtest.h>

#include <tuple>

using namespace dlm;

namespace {

RunSchedule timesOf(const plan::RecipeT &recipe) {
  std::string note;
  Expected<RunSchedule> schedule = makeSchedule(recipe, {}, 60000, note);
  EXPECT_TRUE(schedule.isOk()) << schedule.status().message();
  return *schedule;
}

/// Two updates of a step: the first twice, the second in every other step.
plan::RecipeT recipeOfTwo() {
  plan::RecipeT two;
  two.batch = 64;
  two.micro = 16;
  two.skip_limit = 2;
  two.duration = std::make_unique<plan::QuantityT>();
  two.duration->value = 5;
  two.duration->unit = plan::Unit::Epochs;
  for (auto [name, repeat, every] : {std::tuple("a", 2u, 1u), std::tuple("b", 1u, 2u)}) {
    auto update = std::make_unique<plan::UpdateT>();
    update->name = name;
    update->repeat = repeat;
    update->every = every;
    two.updates.push_back(std::move(update));
  }
  return two;
}

TEST(RunSchedule, CountsTheBatchesOfSeveralUpdates) {
  RunSchedule run = timesOf(recipeOfTwo());
  EXPECT_EQ(run.batches, 2);
  EXPECT_EQ(run.steps, 2344) << "5 epochs, 128 samples a step";
  EXPECT_EQ(run.epoch(10), 1280.0 / 60000);
}

/// What a driver does up to the end of a step: updates, and the samples of their micro-batches.
std::string stepOf(StepDriver &driver, bool stop = false) {
  std::string text;
  for (;;) {
    switch (driver.next(0, stop)) {
    case Action::Grad:
      text +=
          std::to_string(driver.part().update) + ":" + std::to_string(driver.nextSample()) + " ";
      driver.gradDone();
      break;
    case Action::PartUpdate:
      text += "| ";
      driver.partUpdateDone();
      break;
    case Action::Update:
      driver.updateStarted();
      driver.updateDone(true, 0);
      return text + "end";
    default:
      return text + "other";
    }
  }
}

TEST(StepDriver, MakesUpdatesInOrderOnTheirBatches) {
  plan::RecipeT two = recipeOfTwo();
  two.micro = 32;
  StepDriver driver(timesOf(two), {}, 0, 3);
  EXPECT_EQ(stepOf(driver), "0:0 0:32 | 0:64 0:96 | 1:0 1:32 | end");
  EXPECT_EQ(stepOf(driver), "0:128 0:160 | 0:192 0:224 | end");
  EXPECT_EQ(stepOf(driver), "0:256 0:288 | 0:320 0:352 | 1:256 1:288 | end");
}

TEST(StepDriver, LeavesAStepOfSeveralUpdatesBeforeTheFirstOnly) {
  plan::RecipeT two = recipeOfTwo();
  two.micro = 64;
  StepDriver driver(timesOf(two), {}, 0);
  EXPECT_EQ(stepOf(driver), "0:0 | 0:64 | 1:0 | end");
  EXPECT_EQ(driver.next(0, false), Action::Grad);
  EXPECT_EQ(driver.next(0, true), Action::SaveLast) << "nothing has been changed";
  StepDriver other(timesOf(two), {}, 0);
  EXPECT_EQ(other.next(0, false), Action::Grad);
  other.gradDone();
  EXPECT_EQ(other.next(0, true), Action::PartUpdate);
  other.partUpdateDone();
  EXPECT_EQ(stepOf(other, true), "0:64 | 1:0 | end");
}

} // namespace

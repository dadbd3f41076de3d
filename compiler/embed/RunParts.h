// What an open program consists of.
#pragma once

#include "compiler/embed/Parts.h"
#include "runtime/data/Loader.h"
#include "runtime/launch/Commands.h"
#include "runtime/launch/DataCheck.h"
#include "runtime/launch/RunIdentity.h"
#include "runtime/launch/RunSaver.h"
#include "runtime/launch/StepBatches.h"

namespace dlm::embed {

struct Run::Parts {
  std::shared_ptr<const Program::Parts> program;
  CommandLine line;
  std::vector<ProgramOption> declared; // options of the program
  DataSpec spec;
  ResumePoint start;
  RunSchedule schedule;
  std::unique_ptr<DataSource> data;   // first in, last out: others point into it
  std::optional<DataCheck> dataCheck; // until it is done
  std::unique_ptr<Backend> backend;
  std::unique_ptr<Session> session;
  std::vector<StateBinding> state;
  std::vector<BatchTarget> targets; // of each update of a step
  std::vector<StepPart> stepParts;
  StepBatches batches;
  std::unique_ptr<Loader> loader;
  int64_t loaderAttempt = -1; // the batch that it gives next
  int64_t skipsInARow = 0;
  int64_t stepDone = 0; // what of the step under way has been started: it failed there
  Position stepPlace;   // the step

  std::optional<Checkpoints::Loaded> resumed; // what the run goes on from
  std::string resumedFolder;                  // if its latest was meant
  std::string resumedPath;
  std::optional<RunSaver> saver;
  std::string saverFolder;
  bool acceptsChanges = false;

  /// The files of the data, now.
  std::vector<DataFile> dataFiles() const {
    Expected<std::vector<DataFile>> files = identifyFiles(spec.paths());
    return files ? files.take() : std::vector<DataFile>();
  }

  RunRequest request() const {
    return {session->recipe(), declared, line, sourceHashOf(*program->plan)};
  }

  Status open(const RunOptions &options);
  Status findCheckpoint(const std::string &path);
  Status restore();
  Status openSaver(const std::string &folder);
  Expected<std::string> save(const std::string &folder);

  /// Waits for samples, and compares their files with those the program was compiled for.
  Expected<const Dataset *> samplesOf(dlm::Split split);
  Status startLoader();
  Status makeStep();
  Status train(int64_t count, Progress &progress);

  /// What is to be known of the run and of the samples read so far, each thing once.
  Report warnings();
  const StateBinding *find(const std::string &name) const;
  Report unknown(const std::string &name) const;
};

} // namespace dlm::embed

// What a run is made of: the program's texts, its options and settings with who decided them, and
// its data. A checkpoint remembers it; a resume compares it and names what has changed.
#pragma once

#include "runtime/checkpoint/Manifest.h"
#include "runtime/driver/RunSchedule.h"
#include "runtime/launch/ResumePoint.h"

namespace dlm {

/// The source hash of a plan, hexadecimal.
std::string sourceHashOf(const plan::Plan &plan);

/// A manifest with all that stays the same during the run.
Manifest describeRun(const plan::Plan &plan, const RunRequest &request, const ResumePoint &start,
                     const RunSchedule &schedule, std::vector<DataFile> data);

/// What differs between the run that wrote a checkpoint and the run that wants to go on from it,
/// one sentence each; empty if nothing does.
std::vector<std::string> changesSince(const Manifest &then, const Manifest &now);

/// What the user should know of these changes, of a new length of the run, and of another compiler.
/// Fails, with all changes named, if there are any and they are not accepted.
Expected<std::vector<std::string>> notesOfChanges(const Manifest &then, const Manifest &now,
                                                  bool isAccepted);

/// A new name for a run: 16 hexadecimal digits that no other run has.
std::string newRunName();

/// "5 epochs", "600 s": a period of a recipe; empty if there is none.
std::string periodText(const plan::QuantityT *quantity);

} // namespace dlm

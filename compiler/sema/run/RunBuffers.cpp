// What a run does to buffers, where it is hardly what was meant: one that nothing changes, one that
// is carried from samples to others that have nothing to do with them.
#include "compiler/sema/run/TrainBlock.h"

#include <algorithm>
#include <set>
#include <utility>

namespace dlm::sema {

namespace {

bool lies(const std::string &path, const std::string &within) {
  return path.compare(0, within.size() + 1, within + ".") == 0;
}

/// Whether it starts with what `data.fit` or a file gives: that is why it is a buffer.
bool isFitted(const Buffer &buffer) {
  return std::any_of(buffer.init.nodes.begin(), buffer.init.nodes.end(),
                     [](const Node &node) { return node.op == "fit" || node.op == "weights"; });
}

bool isChanged(const TypedProgram &program, const std::string &path) {
  auto changes = [&](const Graph &loss) {
    return std::any_of(loss.nexts.begin(), loss.nexts.end(),
                       [&](const NextValue &next) { return next.path == path; });
  };
  return changes(program.loss) ||
         std::any_of(program.updates.begin(), program.updates.end(),
                     [&](const Update &update) { return changes(update.loss); });
}

} // namespace

void TrainBlock::checkBuffers() {
  const std::vector<Marker> &markers = evaluator.program.markers;
  auto markerOf = [&](const Buffer &buffer, const std::string &kind) {
    auto found = std::find_if(markers.begin(), markers.end(), [&](const Marker &marker) {
      return marker.kind == kind && lies(buffer.path, marker.of);
    });
    return found == markers.end() ? nullptr : &*found;
  };
  std::set<std::pair<FileId, uint32_t>> said; // once for a model that is made twice
  auto isNew = [&](const Buffer &buffer) {
    return said.insert({buffer.span.file, buffer.span.begin}).second;
  };
  for (const Buffer &buffer : evaluator.program.buffers) {
    std::string quoted = "`" + buffer.path + "`";
    if (isChanged(result, buffer.path)) {
      if (buffer.isPerStream && data && data->order != "streams" && isNew(buffer))
        warnOfStreams(buffer);
    } else if (const Marker *frozen = buffer.isPerStream ? markerOf(buffer, "frozen") : nullptr) {
      if (!isNew(buffer)) continue;
      report(Kind::CarriedBuffer, buffer.span,
             quoted + " is carried from batch to batch, and in `frozen` it stays as it starts")
          .note(frozen->span, "it is frozen here")
          .help("only training changes buffers; give the frozen model its state as an argument");
    } else if (!evaluator.program.nextPaths.count(buffer.path) && !isFitted(buffer) &&
               !markerOf(buffer, "trained") && isNew(buffer)) {
      report(Kind::UnchangedBuffer, buffer.span,
             "nothing changes the buffer " + quoted + ", so it stays as it starts")
          .help("`next NAME = ...` in a function of the model gives it a value; what never changes "
                "is a `let`");
    }
  }
}

void TrainBlock::warnOfStreams(const Buffer &buffer) {
  bool hasOrder = data->kind == "text" || data->kind == "tokens";
  Report message(report, Kind::CarriedBuffer, buffer.span,
                 "`" + buffer.path +
                     "` is carried from batch to batch, and each row of a batch is " +
                     "followed by any other sample");
  message.secondary(settings.given["data"], "the samples are shuffled");
  message.help(hasOrder ? "with `order = streams` in `data." + data->kind +
                              "(...)` each row continues that of the batch before"
                        : "`data.text` and `data.tokens` have an order in which rows continue; "
                          "elsewhere, start each sample anew");
}

} // namespace dlm::sema

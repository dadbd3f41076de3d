// The streams that a process starts with, where the shell has closed some.
#pragma once

#include <cstdio>

namespace dlm {

/// Takes the numbers of standard streams that are closed: the next file that is opened, such as a
/// checkpoint, would get one of them, and the text for the stream would go there. What is written
/// to one that was closed fails, as it would have. To be called first of all.
void holdClosedStreams();

/// What became of the text that was written to a stream so far.
enum class Arrival {
  Arrived,
  Unwanted, // who read the pipe went away, as `head` does: nobody misses the rest
  Lost,     // a full device, a closed stream
};

/// Asks without flushing: text that still waits has arrived.
Arrival arrivalOf(std::FILE *stream);

} // namespace dlm

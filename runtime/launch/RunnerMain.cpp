// The main of every compiled program. The compiler copies this executable and adds two sections to
// it: the plan, and its code for the processor or for devices.
#include "runtime/base/StandardStreams.h"
#include "runtime/launch/RunProgram.h"
#include "runtime/launch/Sections.h"

#include <cstdio>
#include <cstdlib>

int main(int argc, char **argv) {
  dlm::holdClosedStreams();
  dlm::Expected<dlm::ProgramSections> sections = dlm::readProgramSections("/proc/self/exe");
  if (!sections) {
    std::fprintf(stderr, "error: this program (%s): %s\n", argc > 0 ? argv[0] : "?",
                 sections.status().message().c_str());
    return 1;
  }
  if (sections->plan.empty() || (sections->kernels.empty() && sections->images.empty())) {
    std::fprintf(stderr,
                 "This is the DLM runner without a program. `dlmc FILE.dlm -o PROGRAM` "
                 "makes a program of it:\na copy of this file with a plan and its code in "
                 "sections: `%s`, and `%s` or `%s*`.\n",
                 dlm::PlanSection, dlm::KernelsSection, dlm::DeviceSectionPrefix);
    return 1;
  }
  dlm::ProgramBytes program;
  program.plan = {sections->plan.data(), sections->plan.size()};
  program.kernels = {sections->kernels.data(), sections->kernels.size()};
  for (const dlm::ProgramSections::Image &image : sections->images)
    program.images.push_back({image.name, image.bytes.data(), image.bytes.size()});
  dlm::Surroundings surroundings = dlm::processSurroundings();
  if (const char *path = std::getenv("DLM_CUDA_LIB_PATH")) surroundings.cudaDriverPath = path;
  return dlm::runProgram(program, argc, argv, surroundings);
}

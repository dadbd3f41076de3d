// The main of every compiled program. The compiler copies this executable and adds two sections to
// it: the plan and the kernels.
#include "runtime/launch/RunProgram.h"
#include "runtime/launch/Sections.h"

#include <cstdio>

int main(int argc, char **argv) {
  dlm::Expected<dlm::ProgramSections> sections = dlm::readProgramSections("/proc/self/exe");
  if (!sections) {
    std::fprintf(stderr, "error: this program (%s): %s\n", argc > 0 ? argv[0] : "?",
                 sections.status().message().c_str());
    return 1;
  }
  if (sections->plan.empty() || sections->kernels.empty()) {
    std::fprintf(stderr,
                 "This is the DLM runner without a program. `dlmc FILE.dlm -o PROGRAM` "
                 "makes a program of it:\na copy of this file with a plan and kernels in "
                 "its sections `%s` and `%s`.\n",
                 dlm::PlanSection, dlm::KernelsSection);
    return 1;
  }
  return dlm::runProgram({sections->plan.data(), sections->plan.size()},
                         {sections->kernels.data(), sections->kernels.size()}, argc, argv);
}

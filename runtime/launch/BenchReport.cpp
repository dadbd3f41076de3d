// Tables of times.
#include "runtime/launch/BenchReport.h"

#include "runtime/launch/TextTable.h"
#include "runtime/metrics/JsonLines.h"

#include <algorithm>

namespace dlm {

namespace {

/// The instructions of a layer or of a line, together.
struct Group {
  std::string name;
  double ns = 0, flops = 0, bytes = 0;
  int64_t instructions = 0;
};

/// What belongs to no layer is named after its program: "(update)".
std::string layerOrProgram(const plan::Plan &plan, const Cost &cost) {
  std::string layer = layerOf(plan, cost.work.location);
  return layer.empty() ? "(" + cost.program + ")" : layer;
}

std::string placeOrProgram(const plan::Plan &plan, const Cost &cost) {
  std::string place = placeOf(plan, cost.work.location);
  return place.empty() ? "(" + cost.program + ")" : place;
}

/// The groups by the name that `nameOf` gives each instruction, the most expensive first.
template <class NameOf>
std::vector<Group> groupBy(const plan::Plan &plan, const Bench &bench, NameOf nameOf) {
  std::vector<Group> groups;
  for (const Cost &cost : bench.costs) {
    std::string name = nameOf(plan, cost);
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const Group &each) { return each.name == name; });
    if (group == groups.end()) group = groups.insert(groups.end(), {name});
    group->ns += cost.medianNs;
    group->flops += cost.work.flops;
    group->bytes += cost.work.bytes();
    ++group->instructions;
  }
  std::sort(groups.begin(), groups.end(), [](const Group &a, const Group &b) {
    return a.ns != b.ns ? a.ns > b.ns : a.name < b.name;
  });
  return groups;
}

double busyNs(const Bench &bench) {
  double sum = 0;
  for (const Cost &cost : bench.costs)
    sum += cost.medianNs;
  return sum;
}

double shareOf(double ns, const Bench &bench) {
  double sum = busyNs(bench);
  return sum > 0 ? ns / sum : 0;
}

std::string fixed(double value, int digits, const char *unit = "") {
  char text[48];
  std::snprintf(text, sizeof text, "%.*f%s", digits, value, unit);
  return text;
}

void printGroups(std::FILE *out, const char *what, const std::vector<Group> &groups,
                 const Bench &bench) {
  TextTable table("rrrrrl");
  table.add({"us", "share", "instructions", "GFLOP/s", "GB/s", what});
  Group sum{"total"};
  auto add = [&](const Group &group) {
    double perNs = group.ns > 0 ? 1 / group.ns : 0;
    table.add({fixed(group.ns / 1e3, 2), fixed(100 * shareOf(group.ns, bench), 1, "%"),
               std::to_string(group.instructions), fixed(group.flops * perNs, 2),
               fixed(group.bytes * perNs, 2), group.name});
  };
  for (const Group &group : groups) {
    add(group);
    sum.ns += group.ns;
    sum.flops += group.flops;
    sum.bytes += group.bytes;
    sum.instructions += group.instructions;
  }
  add(sum);
  table.print(out);
  std::fputs("\n", out);
}

void printGroupsJson(std::FILE *out, const char *key, const std::vector<Group> &groups,
                     const Bench &bench) {
  for (const Group &group : groups) {
    std::string text = std::string("{\"") + key + "\":" + jsonText(group.name);
    text += ",\"us\":" + jsonNumber(group.ns / 1e3);
    text += ",\"share\":" + jsonNumber(shareOf(group.ns, bench));
    text += ",\"instructions\":" + std::to_string(group.instructions);
    text += ",\"flops\":" + jsonNumber(group.flops);
    text += ",\"bytes\":" + jsonNumber(group.bytes) + "}\n";
    std::fputs(text.c_str(), out);
  }
}

} // namespace

void printBench(std::FILE *out, const plan::Plan &plan, const Bench &bench) {
  std::string where = std::to_string(bench.threads) + (bench.threads == 1 ? " thread" : " threads");
  if (!bench.device.empty()) where = bench.device;
  std::fprintf(out, "a step of %lld samples on %s, median of %lld: %.1f us (least %.1f)\n",
               static_cast<long long>(bench.batch), where.c_str(),
               static_cast<long long>(bench.steps), bench.stepNs / 1e3, bench.leastNs / 1e3);
  std::fprintf(out, "%.0f samples/s; %s: %.1f us, the total below\n",
               bench.stepNs > 0 ? double(bench.batch) / bench.stepNs * 1e9 : 0,
               bench.device.empty() ? "busy in instructions, all threads"
                                    : "instructions one by one, without a graph",
               busyNs(bench) / 1e3);
  std::fprintf(out,
               "loading a batch takes one thread %.1f us, median of %lld: %.1f times as long as "
               "the step\n\n",
               bench.loadNs / 1e3, static_cast<long long>(bench.loadedBatches),
               bench.stepNs > 0 ? bench.loadNs / bench.stepNs : 0);
  printGroups(out, "layer", groupBy(plan, bench, layerOrProgram), bench);
  printGroups(out, "line", groupBy(plan, bench, placeOrProgram), bench);
  TextTable table("rrrrrlll");
  table.add({"us", "least", "share", "GFLOP/s", "GB/s", "program", "instruction", "line"});
  double leastNs = 0;
  for (const Cost &cost : bench.costs) {
    leastNs += cost.leastNs;
    table.add({fixed(cost.medianNs / 1e3, 2), fixed(cost.leastNs / 1e3, 2),
               fixed(100 * shareOf(cost.medianNs, bench), 1, "%"),
               fixed(cost.perNs(cost.work.flops), 2), fixed(cost.perNs(cost.work.bytes()), 2),
               cost.program, cost.work.name, placeOf(plan, cost.work.location)});
  }
  table.add({fixed(busyNs(bench) / 1e3, 2), fixed(leastNs / 1e3, 2),
             fixed(100 * shareOf(busyNs(bench), bench), 1, "%"), "", "", "total"});
  table.print(out);
}

void printBenchJson(std::FILE *out, const plan::Plan &plan, const Bench &bench) {
  for (const Cost &cost : bench.costs) {
    std::string text = "{\"program\":" + jsonText(cost.program);
    text += ",\"instruction\":" + std::to_string(cost.instruction);
    text += ",\"name\":" + jsonText(cost.work.name);
    text += ",\"source\":" + jsonText(placeOf(plan, cost.work.location));
    text += ",\"in_layer\":" + jsonText(layerOf(plan, cost.work.location));
    text += ",\"us\":" + jsonNumber(cost.medianNs / 1e3);
    text += ",\"least_us\":" + jsonNumber(cost.leastNs / 1e3);
    text += ",\"share\":" + jsonNumber(shareOf(cost.medianNs, bench));
    text += ",\"flops\":" + jsonNumber(cost.work.flops);
    text += ",\"bytes\":" + jsonNumber(cost.work.bytes());
    text += ",\"gflops_per_s\":" + jsonNumber(cost.perNs(cost.work.flops));
    text += ",\"gb_per_s\":" + jsonNumber(cost.perNs(cost.work.bytes())) + "}\n";
    std::fputs(text.c_str(), out);
  }
  printGroupsJson(out, "layer", groupBy(plan, bench, layerOrProgram), bench);
  printGroupsJson(out, "line", groupBy(plan, bench, placeOrProgram), bench);
  std::string text = "{\"step\":{\"us\":" + jsonNumber(bench.stepNs / 1e3);
  text += ",\"least_us\":" + jsonNumber(bench.leastNs / 1e3);
  text += ",\"busy_us\":" + jsonNumber(busyNs(bench) / 1e3);
  text += ",\"loading_us\":" + jsonNumber(bench.loadNs / 1e3);
  text += ",\"samples\":" + std::to_string(bench.batch);
  text += ",\"threads\":" + std::to_string(bench.threads);
  if (!bench.device.empty()) text += ",\"device\":" + jsonText(bench.device);
  text += ",\"steps\":" + std::to_string(bench.steps) + "}}\n";
  std::fputs(text.c_str(), out);
}

} // namespace dlm

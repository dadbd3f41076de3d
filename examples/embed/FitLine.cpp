// A C++ program that holds the compiler: it writes a table, compiles a program that fits a line to
// it, trains it until the error is small, and reads the line off its parameters.
#include <dlm/Embed.h>

#include <cstdio>
#include <fstream>

namespace embed = dlm::embed;

static const char *const text = R"(
use nn, optim, data

option lr = 0.1

let table = data.csv("points.csv", target = "y", validation = 25%)

train line {
  let layer = nn.Linear(1, 1)

  fn guess(batch) { sum(layer(batch.number), over = -1) }
  fn loss(batch) { mean((guess(batch) - batch.target) ** 2) }
  fn metrics(batch) { (error = mean(abs(guess(batch) - batch.target))) }

  data      = table
  batch     = 16
  optimizer = optim.SGD(lr = lr)
  duration  = 1000 steps
}
)";

/// y = 2 x + 1 at 64 places between 0 and 1.
static bool writeTable() {
  std::ofstream file("points.csv");
  file << "x,y\n";
  for (int i = 0; i < 64; ++i) {
    double x = i * 29 % 64 / 64.0;
    file << x << "," << 2 * x + 1 << "\n";
  }
  return bool(file.flush());
}

static int fail(const embed::Report &report) {
  std::fputs(report.text.c_str(), stderr);
  return 1;
}

int main() {
  if (!writeTable()) {
    std::fputs("error: cannot write points.csv\n", stderr);
    return 1;
  }
  embed::CompileOptions options;
  options.name = "line.dlm";
  embed::Result<embed::Program> program = embed::compile(text, options);
  if (!program) return fail(program.report());

  embed::RunOptions settings;
  settings.options["lr"] = "0.2";
  embed::Result<embed::Run> run = program->open(settings);
  if (!run) return fail(run.report());

  double error = 1;
  while (error > 1e-3 && run->step() < run->steps()) {
    embed::Result<embed::Progress> progress = run->train(50);
    if (!progress) return fail(progress.report());
    embed::Result<std::map<std::string, double>> metrics = run->evaluate(embed::Split::Validation);
    if (!metrics) return fail(metrics.report());
    error = (*metrics)["error"];
    std::printf("step %lld: loss %.2e, error %.2e\n", static_cast<long long>(progress->step),
                progress->values["loss"], error);
  }

  embed::Result<embed::Tensor> slope = run->read("layer.weight");
  embed::Result<embed::Tensor> offset = run->read("layer.bias");
  if (!slope) return fail(slope.report());
  if (!offset) return fail(offset.report());
  std::printf("y = %.2f x + %.2f\n", slope->as<float>()[0], offset->as<float>()[0]);
  return 0;
}

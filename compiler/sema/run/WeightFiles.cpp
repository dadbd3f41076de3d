// Files of weights hold names of another program, so most of the work is to say well what does not
// fit: the first tensor that is missing, how many others, and which names there are. What another
// run of the program left is called as it is here; its checkpoint is looked for when the program is
// compiled to be run.
#include "compiler/sema/run/WeightFiles.h"

#include "compiler/diagnostics/NearWords.h"
#include "compiler/sema/data/DataKinds.h"
#include "runtime/base/Safetensors.h"

#include <algorithm>
#include <type_traits>

namespace dlm::sema {

namespace {

/// Whether a path is `of` or lies in it; `rest` is what follows.
bool liesIn(const std::string &path, const std::string &of, std::string &rest) {
  if (of.empty()) {
    rest = path;
    return true;
  }
  if (path.compare(0, of.size(), of) != 0) return false;
  if (path.size() > of.size() && path[of.size()] != '.') return false;
  rest = path.size() > of.size() ? path.substr(of.size() + 1) : "";
  return true;
}

std::string shapeText(const std::vector<int64_t> &shape) {
  std::string text;
  for (int64_t size : shape)
    text += (text.empty() ? "" : ", ") + std::to_string(size);
  return "[" + text + "]";
}

/// Whether a tensor of a file can become one of the run without losing digits.
bool fitsType(dlm::DType there, DType here) {
  if (here == DType::F32)
    return there == dlm::DType::F32 || there == dlm::DType::BF16 || there == dlm::DType::F16;
  if (here == DType::I32) return there == dlm::DType::I32;
  return here == DType::I64 && there == dlm::DType::I64;
}

class WeightFile {
public:
  WeightFile(Evaluator &evaluator, const Marker &marker)
      : evaluator(evaluator), marker(marker), file(pathFrom(evaluator, marker.span, marker.file)),
        used(marker.names.size(), false) {}

  void check(std::vector<WeightStart> &starts);

private:
  template <class Stored> void place(Stored &stored, std::vector<WeightStart> &starts);
  std::string nameInFile(const std::string &path, bool &isTransposed);
  bool fits(const SafeTensor &tensor, const std::string &path, const TensorType &type,
            bool isTransposed);
  void reportMissing();
  void reportUnusedNames();
  std::string commonPrefix() const;
  std::vector<std::string> namesInFile() const;

  Evaluator &evaluator;
  const Marker &marker;
  std::string file; // absolute
  Safetensors index;
  std::vector<bool> used;                                   // of the marker's names
  std::vector<std::string> paths;                           // of what the model holds, in it
  std::vector<std::pair<std::string, std::string>> missing; // path in the model, name in the file
};

/// By the longest entry that is the path or one of the models it lies in, or as it is called.
std::string WeightFile::nameInFile(const std::string &path, bool &isTransposed) {
  isTransposed = false;
  size_t best = marker.names.size();
  std::string rest, bestRest;
  for (size_t i = 0; i < marker.names.size(); ++i) {
    const std::string &ours = marker.names[i].first;
    if (!liesIn(path, ours, rest)) continue;
    if (best < marker.names.size() && ours.size() < marker.names[best].first.size()) continue;
    best = i;
    bestRest = rest;
  }
  if (best == marker.names.size()) return path;
  used[best] = true;
  const auto &[ours, theirs] = marker.names[best];
  isTransposed = std::count(marker.transposed.begin(), marker.transposed.end(), ours) > 0;
  if (bestRest.empty() || theirs.empty()) return theirs + bestRest;
  return theirs + "." + bestRest;
}

bool WeightFile::fits(const SafeTensor &tensor, const std::string &path, const TensorType &type,
                      bool isTransposed) {
  std::vector<int64_t> shape, there = tensor.shape;
  for (const Dim &dim : type.dims)
    shape.push_back(dim.size());
  bool isMatrix = there.size() == 2;
  if (isTransposed && isMatrix) std::swap(there[0], there[1]);
  if (there == shape && (isMatrix || !isTransposed) && fitsType(tensor.dtype, type.dtype))
    return true;
  Report message(evaluator.report, Kind::WeightFile, marker.span,
                 "`" + path + "` is `" + typeText(type) + "`, and `" + tensor.name +
                     "` in the file is " + dtypeName(tensor.dtype) + " " + shapeText(tensor.shape) +
                     (isTransposed && !isMatrix ? ", which is no matrix to be transposed" : ""));
  if (isTransposed || !isMatrix || there == shape) return false;
  std::swap(there[0], there[1]);
  if (there == shape)
    message.help("a matrix that lies transposed is named so: `names = [\"" + path +
                 "\" => transpose(\"" + tensor.name + "\")]`");
  return false;
}

/// Something stored starts from a tensor of a file, whatever else was said of it before.
template <class Stored>
void startFrom(Stored &stored, WeightStart start, std::vector<WeightStart> &starts) {
  auto isSame = [&](const WeightStart &each) { return each.path == stored.path; };
  starts.erase(std::remove_if(starts.begin(), starts.end(), isSame), starts.end());
  Node node;
  node.op = "weights";
  node.text = start.name;
  node.type = stored.type;
  node.span = start.span;
  stored.init = Graph();
  stored.init.nodes.push_back(node);
  stored.init.results.emplace_back("init", NodeId(0));
  stored.initSpan = start.span;
  starts.push_back(std::move(start));
}

template <class Stored> void WeightFile::place(Stored &stored, std::vector<WeightStart> &starts) {
  std::string path;
  if (!liesIn(stored.path, marker.of, path)) return;
  paths.push_back(path);
  bool isTransposed = false;
  std::string name = nameInFile(path, isTransposed);
  const SafeTensor *tensor = index.find(name);
  if (!tensor && std::is_same<Stored, Buffer>::value) return; // it starts as it says itself
  if (!tensor) {
    missing.emplace_back(path, name);
    return;
  }
  if (!fits(*tensor, path, stored.type, isTransposed)) return;
  startFrom(stored, {stored.path, file, name, isTransposed, marker.span}, starts);
}

std::vector<std::string> WeightFile::namesInFile() const {
  std::vector<std::string> names;
  for (const SafeTensor &tensor : index.tensors())
    names.push_back(tensor.name);
  std::sort(names.begin(), names.end());
  return names;
}

/// What stands in the file before the names of all that the model holds, or "".
std::string WeightFile::commonPrefix() const {
  for (const std::string &name : namesInFile()) {
    std::string end = "." + paths[0];
    if (name.size() <= end.size() || name.compare(name.size() - end.size(), end.size(), end) != 0)
      continue;
    std::string prefix = name.substr(0, name.size() - end.size());
    bool isCommon = std::all_of(paths.begin(), paths.end(), [&](const std::string &path) {
      return index.find(prefix + "." + path) != nullptr;
    });
    if (isCommon) return prefix;
  }
  return "";
}

void WeightFile::reportMissing() {
  const auto &[path, name] = missing[0];
  std::vector<std::string> names = namesInFile();
  Report message(evaluator.report, Kind::WeightFile, marker.span,
                 "the file has no tensor `" + name + "` for `" + path + "`" +
                     (missing.size() == 1
                          ? ""
                          : ", and none for " + std::to_string(missing.size() - 1) + " other" +
                                (missing.size() == 2 ? "" : "s") + " of the model"));
  std::string some;
  for (size_t i = 0; i < std::min<size_t>(names.size(), 4); ++i)
    some += (i == 0 ? "`" : ", `") + names[i] + "`";
  message.note(
      names.empty()
          ? "the file holds no tensors"
          : "the file holds " + some +
                (names.size() > 4 ? " and " + std::to_string(names.size() - 4) + " more" : ""));
  std::string prefix = commonPrefix(), near = nearestWord(name, names);
  if (!prefix.empty())
    message.help("all of the model is there below `" + prefix + "`: `names = [\"\" => \"" + prefix +
                 "\"]`");
  else
    message.help("say what is called otherwise there: `names = [\"" + path + "\" => \"" +
                 (near.empty() ? "NAME" : near) + "\"]`");
}

void WeightFile::reportUnusedNames() {
  for (size_t i = 0; i < used.size(); ++i)
    if (!used[i])
      evaluator
          .report(Kind::WeightFile, marker.span,
                  "the model has no `" + marker.names[i].first + "`, which `names` speaks of")
          .nearestOrAll("a parameter", marker.names[i].first, marker.span, paths);
}

void WeightFile::check(std::vector<WeightStart> &starts) {
  Expected<Safetensors> read = Safetensors::readIndex(file);
  if (!read) {
    evaluator.report(Kind::WeightFile, marker.span, read.status().message())
        .help("the path is relative to the program's file");
    return;
  }
  index = read.take();
  for (Parameter &parameter : evaluator.program.parameters)
    place(parameter, starts);
  for (Buffer &buffer : evaluator.program.buffers)
    place(buffer, starts);
  if (!missing.empty())
    reportMissing();
  else
    reportUnusedNames();
}

/// What the models of another run hold. A buffer over the batch starts anew.
void startFromRun(Evaluator &evaluator, const Marker &marker, std::vector<WeightStart> &starts) {
  std::string name;
  for (Parameter &parameter : evaluator.program.parameters)
    if (liesIn(parameter.path, marker.of, name))
      startFrom(parameter, {parameter.path, marker.file, name, false, marker.span}, starts);
  for (Buffer &buffer : evaluator.program.buffers)
    if (liesIn(buffer.path, marker.of, name) && !buffer.isPerStream)
      startFrom(buffer, {buffer.path, marker.file, name, false, marker.span}, starts);
}

} // namespace

void checkWeightFiles(Evaluator &evaluator, std::vector<WeightStart> &starts) {
  for (const Marker &marker : evaluator.program.markers)
    if (marker.kind == "weights") WeightFile(evaluator, marker).check(starts);
  for (const Marker &marker : evaluator.program.markers)
    if (marker.kind == "trained") startFromRun(evaluator, marker, starts);
}

} // namespace dlm::sema

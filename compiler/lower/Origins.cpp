// Texts and lines of settings and initialisers.
#include "compiler/lower/Origins.h"

#include "compiler/sema/settings/SettingReader.h"

#include "mlir/IR/Builders.h"

#include <algorithm>

namespace dlm::lower {

namespace {

class OriginList {
public:
  OriginList(mlir::MLIRContext &context, const SourceManager &sources)
      : context(context), build(&context), sources(sources) {}

  /// An empty text is not listed; a span that is not valid says that nobody wrote it.
  void add(llvm::StringRef name, const std::string &text, Span span) {
    if (text.empty()) return;
    mlir::NamedAttrList fields;
    fields.append("name", build.getStringAttr(name));
    fields.append("text", build.getStringAttr(text));
    if (span.isValid() && span.file < sources.fileCount()) {
      fields.append("file", build.getStringAttr(std::string(sources.path(span.file))));
      fields.append("line", build.getI64IntegerAttr(sources.line(span.file, span.begin)));
    }
    entries.push_back(fields.getDictionary(&context));
  }

  /// What is written, in one line.
  std::string written(Span span) const {
    if (!span.isValid() || span.file >= sources.fileCount()) return "";
    constexpr size_t shownMax = 60;
    std::string text;
    for (char c : sources.text(span)) {
      bool isSpace = c == ' ' || c == '\n' || c == '\t' || c == '\r';
      if (!isSpace || (!text.empty() && text.back() != ' ')) text += isSpace ? ' ' : c;
    }
    if (text.size() <= shownMax) return text;
    size_t end = shownMax; // not within a character
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
      --end;
    return text.substr(0, end) + " ...";
  }

  mlir::ArrayAttr get() { return build.getArrayAttr(entries); }

private:
  mlir::MLIRContext &context;
  mlir::Builder build;
  const SourceManager &sources;
  llvm::SmallVector<mlir::Attribute> entries;
};

std::string periodText(const sema::Quantity &period) {
  if (period.unit == sema::Unit::None) return "";
  if (period.unit != sema::Unit::Milliseconds) {
    std::string text = sema::settingText(sema::SettingValue::quantity(period.value, period.unit));
    if (period.value == 1) text.pop_back(); // one epoch
    return text;
  }
  static constexpr std::pair<double, const char *> units[] = {
      {3600000, " h"}, {60000, " min"}, {1000, " s"}};
  for (auto [size, name] : units) {
    double count = period.value / size;
    if (count >= 1 && count == double(int64_t(count))) return std::to_string(int64_t(count)) + name;
  }
  return sema::settingText(sema::SettingValue::plain(period.value)) + " ms";
}

int64_t elementCount(const sema::TensorType &type) {
  int64_t count = 1;
  for (const sema::Dim &dim : type.dims)
    count *= dim.size();
  return count;
}

/// What each update is: its models, optimizer and how often it is made.
void addUpdates(const sema::TypedProgram &program, OriginList &list) {
  for (const sema::Update &update : program.updates) {
    auto placeOf = [&](const char *name) {
      auto place = program.settings.given.find("update." + update.name + "." + name);
      return place == program.settings.given.end() ? Span{} : place->second;
    };
    auto add = [&](const char *name, const std::string &text) {
      list.add(update.name + "." + name, text, placeOf(name));
    };
    int64_t count = 0;
    for (const sema::OptimizerGroup &group : update.groups)
      for (const sema::Parameter &parameter : program.parameters)
        if (std::count(group.parameters.begin(), group.parameters.end(), parameter.path))
          count += elementCount(parameter.type);
    add("of", list.written(placeOf("of")) + ", with " + std::to_string(count) + " parameters");
    add("optimizer", list.written(placeOf("optimizer")));
    add("repeat", std::to_string(update.repeat));
    add("every", std::to_string(update.every));
    if (update.clipNorm > 0)
      add("clip_norm", sema::settingText(sema::SettingValue::plain(update.clipNorm)));
  }
}

} // namespace

mlir::ArrayAttr settingOrigins(const sema::TypedProgram &program, mlir::MLIRContext &context,
                               const SourceManager &sources, int64_t micro) {
  const sema::Settings &settings = program.settings;
  OriginList list(context, sources);
  auto add = [&](const std::string &path, const std::string &text) {
    auto place = settings.given.find(path);
    list.add(path, text, place == settings.given.end() ? Span{} : place->second);
  };
  add("data", program.data.name);
  add("batch", settings.batchOption.empty()
                   ? std::to_string(settings.batch)
                   : settings.batchOption + ", by default " + std::to_string(settings.batch));
  add("micro", std::to_string(micro));
  add("optimizer", list.written(settings.optimizer));
  addUpdates(program, list);
  add("duration", periodText(settings.duration));
  add("seed", std::to_string(settings.seed));
  if (settings.clipNorm > 0)
    add("clip_norm", sema::settingText(sema::SettingValue::plain(settings.clipNorm)));
  std::string every = periodText(settings.evaluateEvery);
  add("evaluate.every", every.empty() ? "at the end" : every);
  every = periodText(settings.checkpointEvery);
  add("checkpoint.every", every.empty() ? "10 min" : every);
  add("checkpoint.light", periodText(settings.checkpointLight));
  add("checkpoint.keep", std::to_string(settings.checkpointKeep));
  add("checkpoint.to", settings.checkpointTo);
  add("guard.nonfinite",
      settings.skipLimit > 0 ? "skip(limit = " + std::to_string(settings.skipLimit) + ")" : "stop");
  for (const sema::Setting &setting : settings.others)
    list.add(setting.path, sema::settingText(setting.value), setting.span);
  return list.get();
}

mlir::ArrayAttr parameterOrigins(const sema::TypedProgram &program, mlir::MLIRContext &context,
                                 const SourceManager &sources) {
  OriginList list(context, sources);
  for (const sema::Parameter &parameter : program.parameters)
    list.add(parameter.path, list.written(parameter.initSpan), parameter.initSpan);
  for (const sema::Buffer &buffer : program.buffers)
    list.add(buffer.path, list.written(buffer.initSpan), buffer.initSpan);
  return list.get();
}

} // namespace dlm::lower

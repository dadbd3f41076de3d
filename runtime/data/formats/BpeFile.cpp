// A `tokenizer.json` of Hugging Face's tokenizers, as far as it describes byte-level BPE. A file
// may say much that changes ids; so each entry is either understood, known to change nothing here,
// or refused by name. Truncation and padding are about batches, which the program makes.
#include "runtime/data/formats/BpeTokenizer.h"

#include "runtime/data/formats/ShownText.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <unordered_map>

namespace dlm {

namespace {

using Json = nlohmann::json;

constexpr size_t SaidBytes = 400;            // of a message with names from the file
constexpr int64_t IdsMax = int64_t(1) << 20; // an id far beyond its vocabulary is a mistake

class BpeFileReader {
public:
  BpeFileReader(const Json &root, const std::string &path) : root(root), path(path) {}

  Expected<BpeModel> read() {
    if (!root.is_object()) return fails("it is no object of JSON");
    DLM_TRY(allowOnly(root, "",
                      {"version", "truncation", "padding", "added_tokens", "normalizer",
                       "pre_tokenizer", "post_processor", "decoder", "model"}));
    if (!isNothing(root, "normalizer")) return refuse("the normalizer" + typeOf("normalizer"));
    for (const char *step : {"post_processor", "decoder"})
      if (!isNothing(root, step) && !isByteLevel(root[step]))
        return refuse(std::string("the ") + step + typeOf(step));
    DLM_TRY(readSplit());
    DLM_TRY(readModel());
    DLM_TRY(readAdded());
    return std::move(model);
  }

private:
  Status fails(const std::string &what) const {
    return corrupt("tokenizer `" + path + "`: " + shownText(what, SaidBytes));
  }

  Status refuse(const std::string &what) const {
    return unsupported("tokenizer `" + path + "` has " + shownText(what, SaidBytes) +
                       ", which `data.bpe` does not do; it reads byte-level BPE as of GPT-2");
  }

  static bool isNothing(const Json &object, const char *key) {
    auto found = object.find(key);
    if (found == object.end()) return true;
    return found->is_null() || *found == false || *found == "" || *found == 0 ||
           (found->is_array() && found->empty());
  }

  static bool isByteLevel(const Json &step) {
    auto type = step.is_object() ? step.find("type") : step.end();
    return type != step.end() && *type == "ByteLevel";
  }

  /// ` NAME` of a step, if it has one.
  std::string typeOf(const char *step) const {
    const Json &object = root[step];
    auto type = object.is_object() ? object.find("type") : object.end();
    bool isNamed = type != object.end() && type->is_string();
    return isNamed ? " `" + type->get<std::string>() + "`" : "";
  }

  /// Refuses what stands in an object beside these keys, unless it is off.
  Status allowOnly(const Json &object, const std::string &place,
                   const std::vector<std::string> &keys) const {
    for (const auto &[key, value] : object.items()) {
      if (std::count(keys.begin(), keys.end(), key) || isNothing(object, key.c_str())) continue;
      return refuse("`" + place + key + " = " + value.dump().substr(0, 40) + "`");
    }
    return Status::ok();
  }

  Status readSplit() {
    if (isNothing(root, "pre_tokenizer")) return refuse("no `pre_tokenizer`");
    if (!isByteLevel(root["pre_tokenizer"]))
      return refuse("the pre_tokenizer" + typeOf("pre_tokenizer"));
    const Json &split = root["pre_tokenizer"];
    DLM_TRY(allowOnly(split, "pre_tokenizer.",
                      {"type", "add_prefix_space", "trim_offsets", "use_regex"}));
    if (split.contains("use_regex") && isNothing(split, "use_regex"))
      return refuse("`pre_tokenizer.use_regex = false`");
    model.addsPrefixSpace = split.value("add_prefix_space", Json()) == true;
    return Status::ok();
  }

  Status readModel() {
    auto found = root.find("model");
    if (found == root.end() || !found->is_object()) return fails("it has no `model`");
    const Json &object = *found;
    if (!isNothing(object, "type") && object["type"] != "BPE")
      return refuse("the model" + typeOf("model"));
    // A byte without a token is a failure while encoding, so none becomes the unknown one.
    DLM_TRY(allowOnly(object, "model.", {"type", "vocab", "merges", "unk_token", "fuse_unk"}));
    auto vocab = object.find("vocab"), merges = object.find("merges");
    if (vocab == object.end() || !vocab->is_object() || vocab->empty())
      return fails("`model.vocab` is no object of ids by token");
    if (merges == object.end() || !merges->is_array())
      return fails("`model.merges` is no list of pairs");
    for (const auto &[token, id] : vocab->items())
      DLM_TRY(addToken(token, id));
    for (const Json &merge : *merges)
      DLM_TRY(addMerge(merge));
    return Status::ok();
  }

  Status addToken(const std::string &token, const Json &id) {
    // A sign makes a number signed, and an id has none.
    if (!id.is_number_unsigned() || id.get<uint64_t>() >= uint64_t(IdsMax))
      return fails("the id of the token `" + token + "` is " + id.dump() +
                   ", and is a whole number below " + std::to_string(IdsMax));
    size_t place = size_t(id.get<uint64_t>());
    if (place >= model.written.size()) model.written.resize(place + 1);
    if (!model.written[place].empty())
      return fails("the tokens `" + model.written[place] + "` and `" + token +
                   "` have the same id " + id.dump());
    if (token.empty()) return fails("a token without characters has the id " + id.dump());
    model.written[place] = token;
    ids[token] = uint32_t(place);
    return Status::ok();
  }

  Status addMerge(const Json &merge) {
    std::string place = "`model.merges[" + std::to_string(model.merges.size()) + "]`";
    std::string pair[2];
    bool isList =
        merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string();
    if (isList) {
      pair[0] = merge[0].get<std::string>();
      pair[1] = merge[1].get<std::string>();
    } else if (merge.is_string()) {
      const std::string &text = merge.get_ref<const std::string &>();
      size_t space = text.find(' ');
      if (space == std::string::npos || text.find(' ', space + 1) != std::string::npos)
        return fails(place + " is `" + text + "`, not two tokens with a space between them");
      pair[0] = text.substr(0, space);
      pair[1] = text.substr(space + 1);
    } else {
      return fails(place + " is not two tokens");
    }
    for (const std::string &token : {pair[0], pair[1], pair[0] + pair[1]})
      if (!ids.count(token))
        return fails(place + " needs the token `" + token + "`, which has no id");
    model.merges.emplace_back(ids[pair[0]], ids[pair[1]]);
    return Status::ok();
  }

  Status readAdded() {
    if (isNothing(root, "added_tokens")) return Status::ok();
    if (!root["added_tokens"].is_array()) return fails("`added_tokens` is no list");
    for (const Json &entry : root["added_tokens"]) {
      std::string place = "`added_tokens[" + std::to_string(model.added.size()) + "]`";
      auto content = entry.is_object() ? entry.find("content") : entry.end();
      if (content == entry.end() || !content->is_string() || *content == "")
        return fails(place + " has no `content`");
      BpeModel::Added token;
      token.content = content->get<std::string>();
      DLM_TRY(allowOnly(entry, "added_tokens: ", {"id", "content", "normalized", "special"}));
      auto known = ids.find(token.content);
      Json id = entry.value("id", Json());
      if (known == ids.end()) DLM_TRY(addToken(token.content, id));
      if (id != ids[token.content])
        return fails(place + " has the id " + id.dump() + ", and in `model.vocab` `" +
                     token.content + "` has " + std::to_string(ids[token.content]));
      token.id = ids[token.content];
      token.isNormalized = entry.value("normalized", Json()) == true;
      model.added.push_back(token);
    }
    return Status::ok();
  }

  const Json &root;
  const std::string &path;
  BpeModel model;
  std::unordered_map<std::string, uint32_t> ids;
};

} // namespace

Expected<BpeModel> readBpeFile(const std::string &json, const std::string &path) {
  Json root;
  try {
    root = Json::parse(json);
  } catch (const Json::parse_error &error) {
    return corrupt("tokenizer `" + path + "` is no JSON: byte " + std::to_string(error.byte) +
                   " is wrong, or ends too early");
  } catch (const Json::out_of_range &) {
    return corrupt("tokenizer `" + path + "` holds a number that is too large");
  }
  return BpeFileReader(root, path).read();
}

Expected<std::unique_ptr<Tokenizer>> makeBpeTokenizer(const std::string &json,
                                                      const std::string &path) {
  Expected<BpeModel> model = readBpeFile(json, path);
  if (!model) return model.status();
  Expected<std::unique_ptr<Tokenizer>> made = makeBpeTokenizer(model.take());
  if (!made) return made.status().withContext("tokenizer `" + path + "`");
  return made;
}

} // namespace dlm

// What loader threads have to say, for the thread that reports.
#pragma once

#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace dlm {

class WarningList {
public:
  void add(std::string text) {
    std::lock_guard<std::mutex> lock(mutex);
    texts.push_back(std::move(text));
  }

  std::vector<std::string> take() {
    std::lock_guard<std::mutex> lock(mutex);
    return std::exchange(texts, {});
  }

private:
  std::mutex mutex;
  std::vector<std::string> texts;
};

} // namespace dlm

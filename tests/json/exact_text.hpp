#pragma once

#include <algorithm>
#include <memory>
#include <string_view>

namespace fairlead::json {

/// A text in a heap block of exactly its size, so that the address sanitizer sees a read of even one byte beyond it.
class ExactText {
 public:
  explicit ExactText(std::string_view text) : bytes_(new char[text.size()]), size_(text.size()) {
    std::ranges::copy(text, bytes_.get());
  }
  std::string_view view() const { return {bytes_.get(), size_}; }

 private:
  std::unique_ptr<char[]> bytes_;
  std::size_t size_;
};

}  // namespace fairlead::json

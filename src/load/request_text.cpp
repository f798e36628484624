#include "load/request_text.hpp"

#include <algorithm>

namespace fairlead::load {

std::size_t filled_size(std::string_view pattern) {
  auto size = pattern.size();
  for (auto at = pattern.find(id_mark); at != std::string_view::npos; at = pattern.find(id_mark, at + id_mark.size())) {
    size += id_digits - id_mark.size();
  }
  return size;
}

RequestText::RequestText(std::string_view pattern) {
  text_.reserve(filled_size(pattern));
  while (true) {
    const auto mark = pattern.find(id_mark);
    text_ += pattern.substr(0, mark);
    if (mark == std::string_view::npos) return;
    id_offsets_.push_back(text_.size());
    text_.append(id_digits, '0');
    pattern.remove_prefix(mark + id_mark.size());
  }
}

std::string_view RequestText::with(std::uint32_t id) {
  char digits[id_digits];
  for (auto offset = id_digits; offset-- > 0; id /= 10) digits[offset] = static_cast<char>('0' + id % 10);
  for (const auto offset : id_offsets_) std::copy_n(digits, id_digits, text_.data() + offset);
  return text_;
}

}  // namespace fairlead::load

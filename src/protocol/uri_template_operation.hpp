#pragma once

#include <array>
#include <fairlead/base/utf8.hpp>

namespace fairlead::protocol {

/// RFC 6570, appendix A: what each operator does to its variables.
struct TemplateOperation {
  char symbol = '\0';
  char first = '\0';  ///< First character of the expansion; none for `{x}` and `{+x}`.
  char separator = ',';
  bool named = false;              ///< Writes `name=value`.
  bool equals_when_empty = false;  ///< `?x=` rather than `;x`.
  bool reserved = false;           ///< Keeps reserved characters and escapes.
};

constexpr std::array<TemplateOperation, 8> template_operations{{
    {.symbol = '\0', .first = '\0', .separator = ','},
    {.symbol = '+', .first = '\0', .separator = ',', .reserved = true},
    {.symbol = '#', .first = '#', .separator = ',', .reserved = true},
    {.symbol = '.', .first = '.', .separator = '.'},
    {.symbol = '/', .first = '/', .separator = '/'},
    {.symbol = ';', .first = ';', .separator = ';', .named = true},
    {.symbol = '?', .first = '?', .separator = '&', .named = true, .equals_when_empty = true},
    {.symbol = '&', .first = '&', .separator = '&', .named = true, .equals_when_empty = true},
}};

constexpr const TemplateOperation& template_operation(char symbol) {
  for (const auto& operation : template_operations) {
    if (operation.symbol == symbol) return operation;
  }
  return template_operations.front();
}

/// The first `count` characters, not bytes; a byte that is not UTF-8 counts as one.
constexpr std::string_view first_characters(std::string_view text, std::size_t count) {
  std::size_t end = 0;
  for (; count > 0 && end < text.size(); --count) {
    const std::size_t length = utf8_length(text, end);
    end += length == 0 ? 1 : length;
  }
  return text.substr(0, end);
}

}  // namespace fairlead::protocol

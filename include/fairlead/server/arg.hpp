#pragma once

#include <concepts>
#include <fairlead/json/fixed_string.hpp>
#include <type_traits>

namespace fairlead::server {

/// A handler parameter bound to the argument `name`. The argument is optional if `T` is a std::optional.
///
/// Converts to its value (`a + b` of two integers); where no conversion applies, write `*name`.
template <json::FixedString name_text, class T, json::FixedString doc_text = "">
struct Arg {
  using Value = T;
  static constexpr std::string_view name = name_text.view();
  static constexpr std::string_view doc = doc_text.view();

  T value{};

  operator const T&() const { return value; }  // NOLINT(google-explicit-constructor)
  const T& operator*() const { return value; }
  const T* operator->() const { return &value; }
};

template <class T>
inline constexpr bool is_arg = false;
template <json::FixedString name, class T, json::FixedString doc>
inline constexpr bool is_arg<Arg<name, T, doc>> = true;

/// True for 1 to 128 letters, digits, `_`, `.` and `-`: names that every revision and client accepts.
constexpr bool is_tool_name(std::string_view name) {
  constexpr std::string_view extra = "_.-";
  const auto legal = [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           extra.find(c) != std::string_view::npos;
  };
  if (name.empty() || name.size() > 128) return false;
  for (const char c : name) {
    if (!legal(c)) return false;
  }
  return true;
}

/// The name of a tool. A literal is checked at compile time, any other text at registration. For parameters only: it
/// refers to the caller's text.
class ToolName {
 public:
  template <std::size_t N>
  consteval ToolName(const char (&literal)[N]) : text_(literal, N - 1) {  // NOLINT(google-explicit-constructor)
    if (!is_tool_name(text_)) throw "a tool name has 1 to 128 characters of A-Z a-z 0-9 _ . -";
  }

  template <class Text>
    requires(std::convertible_to<const Text&, std::string_view> && !std::is_array_v<Text>)
  ToolName(const Text& text) : text_(text) {}  // NOLINT(google-explicit-constructor)

  std::string_view view() const { return text_; }

 private:
  std::string_view text_;
};

}  // namespace fairlead::server

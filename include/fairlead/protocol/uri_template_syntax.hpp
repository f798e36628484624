#pragma once

#include <cstdint>
#include <fairlead/base/utf8.hpp>

/// The grammar of RFC 6570, usable in constant expressions, so that an invalid template or a variable without a
/// matching argument is a compile error.
namespace fairlead::protocol {

struct TemplateError {
  std::size_t position = 0;      ///< In bytes.
  const char* reason = nullptr;  ///< Null for none.
};

/// One variable of an expression. `{?name:3}` → operation '?', name "name", prefix 3.
struct TemplateVariable {
  std::string_view name = {};
  std::uint16_t prefix = 0;  ///< Characters to keep; 0 for all.
  bool explode = false;
};

namespace detail {

constexpr bool is_alphanumeric(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}
constexpr bool is_hex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f');
}
constexpr bool is_triplet(std::string_view text, std::size_t at) {
  return at + 2 < text.size() && text[at] == '%' && is_hex(text[at + 1]) && is_hex(text[at + 2]);
}

/// Section 2.1, plus the apostrophe, which the RFC omits by mistake: it is legal in every URI.
constexpr bool is_literal(char c) {
  constexpr std::string_view never = "\"%<>\\^`{|}";
  return c > ' ' && c < '\x7F' && never.find(c) == std::string_view::npos;
}

/// Parses a template and calls `sink`: literal(text), expression(operation), variable(variable).
template <class Sink>
class TemplateParser {
 public:
  constexpr TemplateParser(std::string_view text, Sink& sink) : text_(text), sink_(sink) {}

  constexpr TemplateError run() {
    while (at_ < text_.size() && fault_.reason == nullptr) {
      if (text_[at_] == '{') {
        expression();
      } else {
        literal();
      }
    }
    return fault_;
  }

 private:
  constexpr char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  constexpr void stop(const char* reason) { fault_ = {.position = at_, .reason = reason}; }

  constexpr void literal() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] != '{') {
      const std::size_t step = is_triplet(text_, at_) ? 3 : is_literal(text_[at_]) ? 1 : multibyte();
      if (step == 0) return stop(text_[at_] == '}' ? "'}' without '{'" : "this character must be percent-encoded");
      at_ += step;
    }
    sink_.literal(text_.substr(begin, at_ - begin));
  }

  constexpr std::size_t multibyte() const {
    const std::size_t length = utf8_length(text_, at_);
    return length > 1 ? length : 0;
  }

  constexpr void expression() {
    ++at_;
    constexpr std::string_view known = "+#./;?&";
    constexpr std::string_view reserved = "=,!@|";
    if (peek() != '\0' && reserved.find(peek()) != std::string_view::npos) return stop("this operator is reserved");
    const bool has_operation = peek() != '\0' && known.find(peek()) != std::string_view::npos;
    sink_.expression(has_operation ? text_[at_++] : '\0');
    variable();
    while (fault_.reason == nullptr && peek() == ',') {
      ++at_;
      variable();
    }
    if (fault_.reason != nullptr) return;
    if (at_ >= text_.size()) return stop("the expression has no '}'");
    if (peek() != '}') return stop("expected ',', '}' or one modifier after the variable name");
    ++at_;
  }

  constexpr void variable() {
    TemplateVariable found{.name = name()};
    if (fault_.reason != nullptr) return;
    if (peek() == '*') {
      found.explode = true;
      ++at_;
    } else if (peek() == ':') {
      found.prefix = prefix();
    }
    if (fault_.reason == nullptr) sink_.variable(found);
  }

  constexpr std::string_view name() {
    const std::size_t begin = at_;
    while (true) {
      const std::size_t step = is_triplet(text_, at_) ? 3 : is_alphanumeric(peek()) || peek() == '_' ? 1 : 0;
      if (step == 0 && (at_ == begin || text_[at_ - 1] == '.')) stop("expected a variable name");
      if (step == 0) return text_.substr(begin, at_ - begin);
      at_ += step;
      if (peek() == '.') ++at_;
    }
  }

  constexpr std::uint16_t prefix() {
    ++at_;
    unsigned length = 0;
    for (int digits = 0; digits < 4 && peek() >= '0' && peek() <= '9'; ++digits, ++at_) {
      if (digits == 0 && peek() == '0') break;
      length = length * 10 + static_cast<unsigned>(peek() - '0');
    }
    if (length == 0) stop("a prefix is a number from 1 to 9999");
    return static_cast<std::uint16_t>(length);
  }

  std::string_view text_;
  Sink& sink_;
  std::size_t at_ = 0;
  TemplateError fault_ = {};
};

struct IgnoreTemplate {
  constexpr void literal(std::string_view) {}
  constexpr void expression(char) {}
  constexpr void variable(const TemplateVariable&) {}
};

/// Finds the name of variable number `wanted`, and the first occurrence of `name`.
struct FindTemplateVariable {
  std::size_t wanted = 0;
  std::string_view name = {};
  std::size_t seen = 0;
  std::string_view found = {};
  bool present = false;

  constexpr void literal(std::string_view) {}
  constexpr void expression(char) {}
  constexpr void variable(const TemplateVariable& variable) {
    if (seen++ == wanted) found = variable.name;
    present = present || variable.name == name;
  }
};

}  // namespace detail

/// The first error of a template; `reason` is null if it is valid.
constexpr TemplateError template_fault(std::string_view text) {
  detail::IgnoreTemplate ignore;
  return detail::TemplateParser(text, ignore).run();
}

constexpr bool template_is_valid(std::string_view text) {
  return template_fault(text).reason == nullptr;
}

/// The number of variables in a template, counting repeated ones each time.
constexpr std::size_t template_variable_count(std::string_view text) {
  detail::FindTemplateVariable find;
  detail::TemplateParser(text, find).run();
  return find.seen;
}

/// Variable number `index`, counted like template_variable_count(); empty if there are fewer.
constexpr std::string_view template_variable(std::string_view text, std::size_t index) {
  detail::FindTemplateVariable find{.wanted = index};
  detail::TemplateParser(text, find).run();
  return find.found;
}

constexpr bool template_has_variable(std::string_view text, std::string_view name) {
  detail::FindTemplateVariable find{.name = name};
  detail::TemplateParser(text, find).run();
  return find.present;
}

}  // namespace fairlead::protocol

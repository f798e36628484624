#include "base/redact/secret_scan.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace fairlead::redact {
namespace {

using Kind = DecodedChar::Kind;

bool is_plain(const DecodedChar& unit) {
  return unit.kind == Kind::character || unit.kind == Kind::percent;
}

bool is_word(const DecodedChar& unit) {
  return is_plain(unit) && (is_alphanumeric(unit.value) || unit.value == '-' || unit.value == '_' || unit.value == '.');
}

bool is_line_end(const DecodedChar& unit) {
  return unit.kind == Kind::character && (unit.value == '\n' || unit.value == '\r');
}

}  // namespace

void SecretScan::run() {
  while (at_ < text_.size()) {
    const auto unit = decode_char(text_, at_);
    const auto before = at_;
    on_char(unit);
    if (unit.kind != Kind::control) escape_letter_ = 0;
    // Always make progress, even if nothing was redacted.
    if (at_ == before) at_ += unit.size;
  }
}

void SecretScan::on_char(const DecodedChar& unit) {
  if (is_word(unit)) return on_word();
  if (unit.kind == Kind::quote) return on_quote(unit);
  if (unit.kind == Kind::control || is_space(unit.value)) return on_space(unit);
  if (unit.value == ':' || unit.value == '=') return on_separator(unit);
  name_.reset();
  at_ += unit.size;
}

void SecretScan::on_word() {
  Name name{.lowered = {}, .before = escape_letter_};
  bool word_starts = true;
  while (at_ < text_.size()) {
    const auto unit = decode_char(text_, at_);
    if (!is_word(unit)) break;
    if (word_starts && hide_token(at_)) return name_.reset();
    if (name.lowered.size() <= SensitiveKeys::longest) name.lowered += lower(unit.value);
    word_starts = !is_alphanumeric(unit.value);
    at_ += unit.size;
  }
  name.end = at_;
  name_ = std::move(name);
}

bool SecretScan::hide_token(std::size_t at) {
  const auto span = patterns_.at(at);
  if (!span) return false;
  spans_.push_back(*span);
  at_ = span->end;
  return true;
}

void SecretScan::on_quote(const DecodedChar& unit) {
  if (name_ && name_->end == at_ && !name_->closing_quote) {
    name_->closing_quote = unit;
    name_->quote_at = at_;
  } else {
    name_.reset();
  }
  if (unit.value == '"') toggle(unit.level);
  at_ += unit.size;
}

void SecretScan::on_space(const DecodedChar& unit) {
  const bool line_end = is_line_end(unit) || unit.kind == Kind::control;
  // JSON allows a line break between a quoted name and its colon; a header does not.
  if (line_end && name_ && !name_->closing_quote) name_.reset();
  // A JSON string does not continue on the next line, so all strings believed to be open are closed.
  if (is_line_end(unit)) open_strings_ = 0;
  if (unit.kind == Kind::control) escape_letter_ = unit.value;
  at_ += unit.size;
}

void SecretScan::on_separator(const DecodedChar& unit) {
  at_ += unit.size;
  const bool secret = name_ && names_secret(unit.value);
  if (secret)
    hide_value(unit);
  else if (unit.value == ':')
    find_password_in_url();
  name_.reset();
}

bool SecretScan::names_secret(char separator) const {
  if (name_->lowered.size() > SensitiveKeys::longest) return false;
  return keys_.contains(name_->lowered, separator) ||
         (name_->before != 0 && keys_.contains(name_->before + name_->lowered, separator));
}

void SecretScan::hide_value(const DecodedChar& separator) {
  const bool quoted = name_->closing_quote.has_value();
  skip_blanks(quoted);
  if (at_ == text_.size()) return;
  const auto first = decode_char(text_, at_);
  if (first.kind == Kind::quote) {
    // A quote of another level may close the string that contains the name.
    const bool alike = quoted && first.value == name_->closing_quote->value;
    if (alike ? first.level >= name_->closing_quote->level : !closes_enclosing(first)) hide_string(first);
  } else if (quoted) {
    hide_json_value();
  } else if (separator.value == '=') {
    hide(end_of_parameter(at_, separator.kind == Kind::percent));
  } else {
    hide(end_of_header(at_));
  }
}

void SecretScan::hide_string(const DecodedChar& quote) {
  if (quote.value == '"') {
    open_strings_ &= (std::uint64_t{1} << quote.level) - 1;
    toggle(quote.level);
  }
  at_ += quote.size;
  hide(end_of_string(at_, quote));
}

void SecretScan::hide_json_value() {
  constexpr auto literals = std::to_array<std::string_view>({"null", "true", "false"});
  const auto& quote = *name_->closing_quote;
  const bool container = text_[at_] == '{' || text_[at_] == '[';
  const auto end = container ? end_of_container(at_, quote) : end_of_scalar(at_);
  if (std::ranges::find(literals, text_.substr(at_, end - at_)) != literals.end()) return;
  hide(end, text_.substr(name_->quote_at, quote.size));
}

void SecretScan::hide(std::size_t end, std::string_view quote) {
  if (end > at_) spans_.push_back({.begin = at_, .end = end, .quote = quote});
  at_ = end;
}

// RFC 3986, section 3.2.1: scheme://user:password@host.
void SecretScan::find_password_in_url() {
  auto at = at_;
  for (int slashes = 0; slashes < 2; ++slashes) {
    if (at == text_.size()) return;
    const auto unit = decode_char(text_, at);
    if (unit.value != '/') return;
    at += unit.size;
  }
  std::optional<std::size_t> password, host;
  while (at < text_.size()) {
    const auto unit = decode_char(text_, at);
    if (!is_plain(unit) || is_space(unit.value) || std::string_view("/?#<>").contains(unit.value)) break;
    if (unit.value == '@') host = at;
    at += unit.size;
    if (unit.value == ':' && !password) password = at;
  }
  if (password && host && *password < *host) spans_.push_back({.begin = *password, .end = *host});
}

}  // namespace fairlead::redact

#include <fairlead/transport/json_boundary_scanner.hpp>

namespace fairlead::transport {
namespace {

// Accepts any letters and digits as a scalar: the parser reports invalid words.
bool is_scalar(char c) {
  return (c >= '0' && c <= '9') || std::string_view("+-.eEtrufalsn").find(c) != std::string_view::npos;
}

}  // namespace

std::size_t JsonBoundaryScanner::walk(std::string_view bytes) {
  std::size_t at = 0;
  while (at < bytes.size() && state_ == ScanState::open) {
    if (in_string_) {
      at += walk_string(bytes.substr(at));
      continue;
    }
    if (step(bytes[at])) {
      ++at;
    } else {
      state_ = ScanState::broken;
    }
  }
  return at;
}

std::size_t JsonBoundaryScanner::walk_string(std::string_view bytes) {
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    const char c = bytes[at];
    if (static_cast<unsigned char>(c) < 0x20) {
      state_ = ScanState::broken;
      return at;
    }
    if (escaped_) {
      escaped_ = false;
    } else if (c == '\\') {
      escaped_ = true;
    } else if (c == '"') {
      in_string_ = false;
      return at + 1;
    }
  }
  return bytes.size();
}

bool JsonBoundaryScanner::step(char c) {
  if (in_scalar_ && is_scalar(c)) return true;
  in_scalar_ = false;
  switch (c) {
    case ' ':
    case '\t':
    case '\r':
    case '\n': return true;
    case '"': return string_begins();
    case '{':
    case '[': return opens(c);
    case '}': return closes('{');
    case ']': return closes('[');
    case ',': return comma();
    case ':':
      if (expect_ != Expect::colon) return false;
      expect_ = Expect::value;
      return true;
    default: return is_scalar(c) && scalar();
  }
}

bool JsonBoundaryScanner::string_begins() {
  if (expect_ == Expect::key || expect_ == Expect::key_or_end) {
    expect_ = Expect::colon;
  } else if (expect_ == Expect::value || expect_ == Expect::value_or_end) {
    expect_ = Expect::comma_or_end;
  } else {
    return false;
  }
  in_string_ = true;
  return true;
}

bool JsonBoundaryScanner::opens(char c) {
  if (expect_ != Expect::value && expect_ != Expect::value_or_end) return false;
  containers_ += c;
  expect_ = c == '{' ? Expect::key_or_end : Expect::value_or_end;
  return true;
}

bool JsonBoundaryScanner::closes(char opener) {
  const bool may_end =
      expect_ == Expect::comma_or_end || expect_ == Expect::key_or_end || expect_ == Expect::value_or_end;
  if (!may_end || containers_.empty() || containers_.back() != opener) return false;
  containers_.pop_back();
  expect_ = Expect::comma_or_end;
  if (containers_.empty()) state_ = ScanState::closed;
  return true;
}

bool JsonBoundaryScanner::comma() {
  if (expect_ != Expect::comma_or_end || containers_.empty()) return false;
  expect_ = containers_.back() == '{' ? Expect::key : Expect::value;
  return true;
}

bool JsonBoundaryScanner::scalar() {
  if (expect_ != Expect::value && expect_ != Expect::value_or_end) return false;
  expect_ = Expect::comma_or_end;
  in_scalar_ = true;
  return true;
}

}  // namespace fairlead::transport

#include "base/uri.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/ascii.hpp"

namespace fairlead {
namespace {

struct UriParts {
  std::optional<std::string_view> scheme = {};
  std::optional<std::string_view> authority = {};
  std::string_view path;
  std::optional<std::string_view> query = {};
};

bool is_scheme(std::string_view text) {
  const auto fits = [](char c) { return ascii::is_alphanumeric(c) || c == '+' || c == '-' || c == '.'; };
  return !text.empty() && ascii::is_letter(text.front()) && std::ranges::all_of(text, fits);
}

UriParts split_uri(std::string_view text) {
  UriParts parts;
  text = text.substr(0, text.find('#'));
  const auto colon = text.find(':');
  if (colon != text.npos && is_scheme(text.substr(0, colon))) {
    parts.scheme = text.substr(0, colon);
    text.remove_prefix(colon + 1);
  }
  if (const auto question = text.find('?'); question != text.npos) {
    parts.query = text.substr(question + 1);
    text = text.substr(0, question);
  }
  if (text.starts_with("//")) {
    const auto end = std::min(text.find('/', 2), text.size());
    parts.authority = text.substr(2, end - 2);
    text.remove_prefix(end);
  }
  parts.path = text;
  return parts;
}

/// Section 5.2.4, on whole segments.
std::string without_dot_segments(std::string_view path) {
  std::string result;
  while (!path.empty()) {
    const auto end = std::min(path.find('/', 1), path.size());
    const auto segment = path.substr(0, end);
    path.remove_prefix(end);
    const bool last = path.empty();
    if (segment == "/.." || segment == "..") {
      result.resize(result.empty() ? 0 : std::min(result.rfind('/'), result.size()));
      if (last) result += '/';
    } else if (segment == "/." || segment == ".") {
      if (last) result += '/';
    } else {
      result += segment;
    }
  }
  return result;
}

std::string merged_path(const UriParts& base, std::string_view path) {
  if (base.authority && base.path.empty()) return "/" + std::string(path);
  const auto slash = base.path.rfind('/');
  return std::string(base.path.substr(0, slash == base.path.npos ? 0 : slash + 1)) + std::string(path);
}

std::string joined_uri(const UriParts& parts, std::string_view path, std::optional<std::string_view> query) {
  std::string uri;
  if (parts.scheme) uri.append(*parts.scheme).append(":");
  if (parts.authority) uri.append("//").append(*parts.authority);
  uri.append(path);
  if (query) uri.append("?").append(*query);
  return uri;
}

}  // namespace

std::string resolve_uri(std::string_view base, std::string_view reference) {
  const auto to = split_uri(reference);
  if (to.scheme)
    return joined_uri(to, to.path.starts_with('/') ? without_dot_segments(to.path) : std::string(to.path), to.query);
  auto from = split_uri(base);
  if (to.authority) {
    from.authority = to.authority;
    return joined_uri(from, without_dot_segments(to.path), to.query);
  }
  if (to.path.empty()) return joined_uri(from, from.path, to.query ? to.query : from.query);
  const auto path = to.path.starts_with('/') ? std::string(to.path) : merged_path(from, to.path);
  return joined_uri(from, without_dot_segments(path), to.query);
}

std::string percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned char byte = 0;
    const auto* digits = text.data() + i + 1;
    const bool escaped =
        text[i] == '%' && i + 2 < text.size() && std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2;
    out += escaped ? static_cast<char>(byte) : text[i];
    if (escaped) i += 2;
  }
  return out;
}

}  // namespace fairlead

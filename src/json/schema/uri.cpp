#include "json/schema/uri.hpp"

#include <algorithm>
#include <optional>

namespace fairlead::json::schema {

namespace {

struct Parts {
  std::optional<std::string_view> scheme = {};
  std::optional<std::string_view> authority = {};
  std::string_view path;
  std::optional<std::string_view> query = {};
};

bool is_scheme(std::string_view text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto other = [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.'; };
  return !text.empty() && letter(text.front()) && std::ranges::all_of(text, other);
}

Parts split(std::string_view text) {
  Parts parts;
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
std::string without_dots(std::string_view path) {
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

std::string merged(const Parts& base, std::string_view path) {
  if (base.authority && base.path.empty()) return "/" + std::string(path);
  const auto slash = base.path.rfind('/');
  return std::string(base.path.substr(0, slash == base.path.npos ? 0 : slash + 1)) + std::string(path);
}

std::string joined(const Parts& parts, std::string_view path, std::optional<std::string_view> query) {
  std::string uri;
  if (parts.scheme) uri.append(*parts.scheme).append(":");
  if (parts.authority) uri.append("//").append(*parts.authority);
  uri.append(path);
  if (query) uri.append("?").append(*query);
  return uri;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

std::string resolve_uri(std::string_view base, std::string_view reference) {
  const auto to = split(reference);
  if (to.scheme) return joined(to, to.path.starts_with('/') ? without_dots(to.path) : std::string(to.path), to.query);
  auto from = split(base);
  if (to.authority) {
    from.authority = to.authority;
    return joined(from, without_dots(to.path), to.query);
  }
  if (to.path.empty()) return joined(from, from.path, to.query ? to.query : from.query);
  const auto path = to.path.starts_with('/') ? std::string(to.path) : merged(from, to.path);
  return joined(from, without_dots(path), to.query);
}

Reference split_reference(std::string_view uri) {
  const auto hash = std::min(uri.find('#'), uri.size());
  const auto fragment = hash == uri.size() ? std::string_view{} : uri.substr(hash + 1);
  return {std::string(uri.substr(0, hash)), percent_decoded(fragment)};
}

std::string percent_decoded(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape =
        text[i] == '%' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 && hex_digit(text[i + 2]) >= 0;
    if (escape) {
      result += static_cast<char>(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2]));
      i += 2;
    } else {
      result += text[i];
    }
  }
  return result;
}

std::string pointer_unescaped(std::string_view token) {
  std::string result;
  for (std::size_t i = 0; i < token.size(); ++i) {
    const bool escape = token[i] == '~' && i + 1 < token.size() && (token[i + 1] == '0' || token[i + 1] == '1');
    result += escape ? (token[++i] == '0' ? '~' : '/') : token[i];
  }
  return result;
}

std::string pointer_escaped(std::string_view name) {
  std::string result;
  for (const char c : name) {
    if (c == '~') {
      result += "~0";
    } else if (c == '/') {
      result += "~1";
    } else {
      result += c;
    }
  }
  return result;
}

}  // namespace fairlead::json::schema

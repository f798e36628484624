#include "gateway/config/text_codecs.hpp"

#include <algorithm>
#include <fairlead/base/redactor.hpp>
#include <fairlead/protocol/revision.hpp>
#include <fmt/format.h>

#include "gateway/config/address_syntax.hpp"

namespace fairlead::gateway {
namespace {

using Texts = std::map<std::string, std::string>;

bool is_alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool is_hex(char c) {
  return (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') || (c >= '0' && c <= '9');
}

// RFC 9110, section 5.6.2.
bool is_token(char c) {
  return is_alphanumeric(c) || std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool is_control(char c) {
  return static_cast<unsigned char>(c) < ' ' || c == 0x7F;
}

Result<std::string> read_revision(std::string_view text, std::string_view shown) {
  if (text.empty() || protocol::find_revision(text)) return std::string(text);
  std::string names;
  for (const auto& revision : protocol::revisions()) names += (names.empty() ? "" : ", ") + std::string(revision.name);
  return none_of(shown, std::move(names));
}

Result<std::string> read_prefix(std::string_view text, std::string_view shown) {
  constexpr std::size_t longest = 32;
  const auto fits = [](char c) { return is_alphanumeric(c) || c == '_' || c == '-'; };
  if (text.size() <= longest && std::ranges::all_of(text, fits)) return std::string(text);
  return fail(ErrorKind::invalid, fmt::format("expected a prefix of up to {} letters, digits, _ and -, got {}", longest,
                                              value_in_quotes(shown)));
}

template <class Shown>
void show_texts(ConfigPrinter& showing, std::string_view name, const Texts& value, Shown shown) {
  Texts masked;
  for (const auto& [key, text] : value) masked[key] = shown(key, text);
  showing.map(name, masked);
}

/// Reads a map and checks each of its members with `judge`.
template <class Judge>
void read_texts(ReadContext& context, const NodeRef& ref, Texts& into, Judge judge) {
  FieldCodec<Texts>::read(context, ref, into);
  for (const auto& child : ref.node.children) {
    if (child.kind == Node::Kind::scalar) judge(ref.member(child), into[child.key]);
  }
}

}  // namespace

Result<std::string> read_url_path(std::string_view text, std::string_view shown) {
  const auto outside = [](char c) { return is_control(c) || c == ' ' || c == '?' || c == '#' || c == '%'; };
  if ((!text.empty() && text.front() != '/') || std::ranges::any_of(text, outside)) {
    return fail(ErrorKind::invalid, fmt::format("expected a path such as /mcp, got {}", value_in_quotes(shown)));
  }
  while (text.ends_with('/')) text.remove_suffix(1);
  return std::string(text);
}

void PathCodec::read(ReadContext& context, const NodeRef& ref, std::string& into) {
  read_scalar(context, ref, into, [&](std::string_view text, std::string_view) -> Result<std::string> {
    return context.beside(std::string(text));
  });
}

void ControlCodec::read(ReadContext& context, const NodeRef& ref, std::string& into) {
  read_scalar(context, ref, into, [&](std::string_view text, std::string_view) -> Result<std::string> {
    if (text == "off" || text == "false") return std::string("off");
    if (text == "on" || text == "true") return std::string();
    return context.beside(std::string(text));
  });
}

void PinsCodec::read(ReadContext& context, const NodeRef& ref, std::string& into) {
  read_scalar(context, ref, into, [&](std::string_view text, std::string_view) -> Result<std::string> {
    if (text == pins_on || text == "true") return std::string(pins_on);
    return text.empty() || text == "off" || text == "false" ? std::string() : context.beside(std::string(text));
  });
}

void UrlPathCodec::read(ReadContext& context, const NodeRef& ref, std::string& into) {
  read_scalar(context, ref, into, read_url_path);
}

void OptionalUrlPathCodec::read(ReadContext& context, const NodeRef& ref, std::string& into) {
  read_scalar(context, ref, into, [](std::string_view text, std::string_view shown) {
    return text == "off" ? Result<std::string>() : read_url_path(text, shown);
  });
}

void OptionalUrlPathCodec::show(ConfigPrinter& showing, std::string_view name, const std::string& value) {
  showing.value(name, value.empty() ? "off" : value);
}

void RevisionCodec::read(ReadContext& context, const NodeRef& ref, std::string& into) {
  read_scalar(context, ref, into, read_revision);
}

void PrefixCodec::read(ReadContext& context, const NodeRef& ref, std::string& into) {
  read_scalar(context, ref, into, read_prefix);
}

void HeadersCodec::read(ReadContext& context, const NodeRef& ref, Texts& into) {
  read_texts(context, ref, into, [&](const NodeRef& header, const std::string& value) {
    if (header.node.key.empty() || !std::ranges::all_of(header.node.key, is_token)) {
      context.error(header, "is not a header name");
    } else if (std::ranges::any_of(value, [](char c) { return is_control(c) && c != '\t'; })) {
      context.error(header, "contains a line break or another control character, which a header cannot");
    }
  });
}

void HeadersCodec::show(ConfigPrinter& showing, std::string_view name, const Texts& value) {
  show_texts(showing, name, value, [&](const auto& key, const auto& text) { return showing.mask().header(key, text); });
}

void KeyHashesCodec::read(ReadContext& context, const NodeRef& ref, Texts& into) {
  constexpr std::size_t digits = 64;
  read_texts(context, ref, into, [&](const NodeRef& key, const std::string& hash) {
    if (hash.size() == digits && std::ranges::all_of(hash, is_hex)) return;
    // The value may be the secret itself, so the error does not quote it.
    context.error(key, "expected a SHA-256 in hex: the hash of the secret, as sha256sum prints it");
  });
}

void KeyHashesCodec::show(ConfigPrinter& showing, std::string_view name, const Texts& value) {
  show_texts(showing, name, value, [](const auto&, const auto&) { return std::string(Redactor::mark); });
}

void ListenCodec::read(ReadContext& context, const NodeRef& ref, ListenConfig& into) {
  if (ref.node.kind == Node::Kind::scalar) return read_listen_address(context, ref, into);
  FieldCodec<ListenConfig>::read(context, ref, into);
}

}  // namespace fairlead::gateway

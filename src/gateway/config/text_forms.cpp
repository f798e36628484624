#include "gateway/config/text_forms.hpp"

#include <algorithm>
#include <fairlead/base/redactor.hpp>
#include <fairlead/protocol/revision.hpp>
#include <fmt/format.h>

#include "gateway/config/ends.hpp"

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
  return fail(ErrorKind::invalid,
              fmt::format("{} is no prefix; use up to {} letters, digits, _ and -", value_in_quotes(shown), longest));
}

template <class Shown>
void show_texts(Showing& showing, std::string_view name, const Texts& value, Shown shown) {
  Texts masked;
  for (const auto& [key, text] : value) masked[key] = shown(key, text);
  showing.map(name, masked);
}

/// Reads the map and, of what it says, has each member judged.
template <class Judge>
void read_texts(Reading& reading, const Place& place, Texts& into, Judge judge) {
  Form<Texts>::read(reading, place, into);
  for (const auto& child : place.node.children) {
    if (child.kind == Node::Kind::scalar) judge(place.member(child), into[child.key]);
  }
}

}  // namespace

Result<std::string> read_url_path(std::string_view text, std::string_view shown) {
  const auto outside = [](char c) { return is_control(c) || c == ' ' || c == '?' || c == '#' || c == '%'; };
  if ((!text.empty() && text.front() != '/') || std::ranges::any_of(text, outside)) {
    return fail(ErrorKind::invalid, fmt::format("{} is no path; write it like /mcp", value_in_quotes(shown)));
  }
  while (text.ends_with('/')) text.remove_suffix(1);
  return std::string(text);
}

void PathForm::read(Reading& reading, const Place& place, std::string& into) {
  read_scalar(reading, place, into, [&](std::string_view text, std::string_view) -> Result<std::string> {
    return reading.beside(std::string(text));
  });
}

void ControlForm::read(Reading& reading, const Place& place, std::string& into) {
  read_scalar(reading, place, into, [&](std::string_view text, std::string_view) -> Result<std::string> {
    if (text == "off" || text == "false") return std::string("off");
    if (text == "on" || text == "true") return std::string();
    return reading.beside(std::string(text));
  });
}

void PinsForm::read(Reading& reading, const Place& place, std::string& into) {
  read_scalar(reading, place, into, [&](std::string_view text, std::string_view) -> Result<std::string> {
    if (text == pins_on || text == "true") return std::string(pins_on);
    return text.empty() || text == "off" || text == "false" ? std::string() : reading.beside(std::string(text));
  });
}

void UrlPathForm::read(Reading& reading, const Place& place, std::string& into) {
  read_scalar(reading, place, into, read_url_path);
}

void OptionalUrlPathForm::read(Reading& reading, const Place& place, std::string& into) {
  read_scalar(reading, place, into, [](std::string_view text, std::string_view shown) {
    return text == "off" ? Result<std::string>() : read_url_path(text, shown);
  });
}

void OptionalUrlPathForm::show(Showing& showing, std::string_view name, const std::string& value) {
  showing.value(name, value.empty() ? "off" : value);
}

void RevisionForm::read(Reading& reading, const Place& place, std::string& into) {
  read_scalar(reading, place, into, read_revision);
}

void PrefixForm::read(Reading& reading, const Place& place, std::string& into) {
  read_scalar(reading, place, into, read_prefix);
}

void HeadersForm::read(Reading& reading, const Place& place, Texts& into) {
  read_texts(reading, place, into, [&](const Place& header, const std::string& value) {
    if (header.node.key.empty() || !std::ranges::all_of(header.node.key, is_token)) {
      reading.wrong(header, "is no name of a header");
    } else if (std::ranges::any_of(value, [](char c) { return is_control(c) && c != '\t'; })) {
      reading.wrong(header, "holds a line break or another control character, which no header may");
    }
  });
}

void HeadersForm::show(Showing& showing, std::string_view name, const Texts& value) {
  show_texts(showing, name, value, [&](const auto& key, const auto& text) { return showing.mask().header(key, text); });
}

void KeysForm::read(Reading& reading, const Place& place, Texts& into) {
  constexpr std::size_t digits = 64;
  read_texts(reading, place, into, [&](const Place& key, const std::string& hash) {
    if (hash.size() == digits && std::ranges::all_of(hash, is_hex)) return;
    // Somebody may have written the secret itself, so it is not repeated.
    reading.wrong(key, "is no SHA-256 in hex; give the hash of the secret, as sha256sum prints it");
  });
}

void KeysForm::show(Showing& showing, std::string_view name, const Texts& value) {
  show_texts(showing, name, value, [](const auto&, const auto&) { return std::string(Redactor::mark); });
}

void ListenForm::read(Reading& reading, const Place& place, ListenConfig& into) {
  if (place.node.kind == Node::Kind::scalar) return read_front(reading, place, into);
  Form<ListenConfig>::read(reading, place, into);
}

}  // namespace fairlead::gateway

#include <fairlead/json/codec/structs.hpp>
#include <fairlead/json/codec/variants.hpp>

namespace fairlead::json::detail {

bool read_tag(Decoder& decoder, std::string_view name, std::string_view value) {
  std::string text;
  if (!Codec<std::string>::read(decoder, text)) return decoder.inside(name);
  if (text == value) return true;
  std::string wanted;
  write_string(wanted, value);
  return decoder.fail("expected " + wanted) || decoder.inside(name);
}

bool keep(Decoder& decoder, std::string name, Extra& extra) {
  extra.members.emplace_back(std::move(name), Payload::trusted(std::string(decoder.in.skip())));
  return true;
}

std::optional<std::string> peek_text(Reader ahead, std::string_view name) {
  if (ahead.kind() != Kind::object) return std::nullopt;
  ahead.open();
  while (ahead.more()) {
    if (ahead.key() != name) {
      ahead.skip();
    } else if (ahead.kind() == Kind::string) {
      std::string text;
      ahead.string(text);
      return text;
    } else {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

}  // namespace fairlead::json::detail

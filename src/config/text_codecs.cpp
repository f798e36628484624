#include "config/text_codecs.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "http/char_class.hpp"

namespace fairlead::config {

Result<std::string> read_url_path(std::string_view text, std::string_view shown) {
  const auto outside = [](char c) {
    return static_cast<unsigned char>(c) <= ' ' || c == 0x7F || c == '?' || c == '#' || c == '%';
  };
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

void OptionalUrlPathCodec::read(ReadContext& context, const NodeRef& ref, std::string& into) {
  read_scalar(context, ref, into, [](std::string_view text, std::string_view shown) {
    return text == "off" ? Result<std::string>() : read_url_path(text, shown);
  });
}

void OptionalUrlPathCodec::show(Printer& printer, std::string_view name, const std::string& value) {
  printer.value(name, value.empty() ? "off" : value);
}

void HeadersCodec::read(ReadContext& context, const NodeRef& ref, Texts& into) {
  read_texts(context, ref, into, [&](const NodeRef& header, const std::string& value) {
    if (header.node.key.empty() || !http::consists_of(header.node.key, http::char_class::token)) {
      context.error(header, "is not a header name");
    } else if (!http::consists_of(value, http::char_class::field)) {
      context.error(header, "contains a line break or another control character, which a header cannot");
    }
  });
}

void HeadersCodec::show(Printer& printer, std::string_view name, const Texts& value) {
  show_texts(printer, name, value, [&](const auto& key, const auto& text) { return printer.mask().header(key, text); });
}

}  // namespace fairlead::config

#include "gateway/config/codecs.hpp"

#include <algorithm>
#include <fairlead/base/redactor.hpp>
#include <fairlead/protocol/revision.hpp>
#include <fmt/format.h>

#include "base/ascii.hpp"
#include "crypto/digest.hpp"
#include "gateway/config/address_syntax.hpp"
#include "gateway/config/chain_syntax.hpp"
#include "gateway/config/step_text.hpp"

namespace fairlead::gateway {

Result<std::string> read_revision(std::string_view text, std::string_view shown) {
  if (text.empty() || protocol::find_revision(text)) return std::string(text);
  std::string names;
  for (const auto& revision : protocol::revisions()) names += (names.empty() ? "" : ", ") + std::string(revision.name);
  return config::none_of(shown, std::move(names));
}

Result<std::string> read_prefix(std::string_view text, std::string_view shown) {
  constexpr std::size_t longest = 32;
  const auto fits = [](char c) { return ascii::is_alphanumeric(c) || c == '_' || c == '-'; };
  if (text.size() <= longest && std::ranges::all_of(text, fits)) return std::string(text);
  return fail(ErrorKind::invalid, fmt::format("expected a prefix of up to {} letters, digits, _ and -, got {}", longest,
                                              config::value_in_quotes(shown)));
}

void ChainCodec::read(config::ReadContext& context, const config::NodeRef& ref, ChainConfig& into) {
  read_chain(context, ref, into);
}

void ChainCodec::show(config::Printer& printer, std::string_view name, const ChainConfig& value) {
  std::vector<std::string> steps;
  for (const auto& step : value) steps.push_back(step_text(step, printer.mask()));
  printer.items(name, steps);
}

void ControlCodec::read(config::ReadContext& context, const config::NodeRef& ref, std::string& into) {
  config::read_scalar(context, ref, into, [&](std::string_view text, std::string_view) -> Result<std::string> {
    if (text == "off" || text == "false") return std::string("off");
    if (text == "on" || text == "true") return std::string();
    return context.beside(std::string(text));
  });
}

void PinsCodec::read(config::ReadContext& context, const config::NodeRef& ref, std::string& into) {
  config::read_scalar(context, ref, into, [&](std::string_view text, std::string_view) -> Result<std::string> {
    if (text == pins_on || text == "true") return std::string(pins_on);
    return text.empty() || text == "off" || text == "false" ? std::string() : context.beside(std::string(text));
  });
}

void KeyHashesCodec::read(config::ReadContext& context, const config::NodeRef& ref, config::Texts& into) {
  config::read_texts(context, ref, into, [&](const config::NodeRef& key, const std::string& hash) {
    if (crypto::is_sha256_hex(hash)) return;
    // The value may be the secret itself, so the error does not quote it.
    context.error(key, "expected a SHA-256 in hex: the hash of the secret, as sha256sum prints it");
  });
}

void KeyHashesCodec::show(config::Printer& printer, std::string_view name, const config::Texts& value) {
  config::show_texts(printer, name, value, [](const auto&, const auto&) { return std::string(Redactor::mark); });
}

void ListenCodec::read(config::ReadContext& context, const config::NodeRef& ref, ListenConfig& into) {
  if (ref.node.kind == config::Node::Kind::scalar) return read_listen_address(context, ref, into);
  config::FieldCodec<ListenConfig>::read(context, ref, into);
}

}  // namespace fairlead::gateway

#include "gateway/pin/pins.hpp"

#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/json/reader.hpp>
#include <fairlead/json/scan.hpp>
#include <fairlead/json/writer.hpp>
#include <utility>

#include "config/replace_file.hpp"
#include "config/trusted_file.hpp"
#include "crypto/digest.hpp"
#include "gateway/pin/definition.hpp"

namespace fairlead::gateway {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view pins_format = "1";

void write_named(std::string& out, const std::map<std::string, Pin, std::less<>>& pins) {
  json::ObjectWriter object(out);
  for (const auto& [name, pin] : pins) {
    auto& text = object.member(name);
    json::ObjectWriter(text).text("sha256", pin.sha256).raw("definition", pin.definition);
    text += '\n';
  }
}

// An entry whose definition does not match its hash was not approved.
std::map<std::string, Pin, std::less<>> read_named(std::string_view text) {
  std::map<std::string, Pin, std::less<>> pins;
  if (!text.starts_with('{')) return pins;
  json::Reader reader(text);
  for (reader.open(); reader.more();) {
    std::string name(reader.key());
    const auto entry = reader.skip();
    const auto sha256 = json::member_of(entry, "sha256");
    Pin pin{.sha256 = sha256.starts_with('"') ? json::decode<std::string>(sha256).value_or("") : "",
            .definition = std::string(json::member_of(entry, "definition"))};
    if (crypto::sha256_hex(pin.definition) == pin.sha256) pins.insert_or_assign(std::move(name), std::move(pin));
  }
  return pins;
}

std::string_view pin_list_name(ListKind kind) {
  return kind == ListKind::resources ? "pages" : list_info(kind).member;
}

}  // namespace

std::string_view pinned_kind_name(ListKind kind) {
  switch (kind) {
    case ListKind::tools: return "tool";
    case ListKind::prompts: return "prompt";
    case ListKind::skills: return "skill";
    case ListKind::resources:
    case ListKind::templates: break;
  }
  return "page";
}

std::string page_definition(std::string_view contents) {
  std::string all = "[";
  if (!contents.starts_with('[')) return all + ']';
  json::Reader reader(contents);
  for (reader.open(); reader.more();) {
    json::ObjectEdit content(reader.skip());
    for (const auto* data : {"text", "blob"}) {
      const auto text = content.get(data);
      if (!text.empty()) content.set(data, '"' + crypto::sha256_hex(definition_of(text)) + '"');
    }
    if (all.size() > 1) all += ',';
    all += content.text();
  }
  return all + ']';
}

Pin pin_of(std::string_view item) {
  auto definition = definition_of(item);
  auto sha256 = crypto::sha256_hex(definition);
  return {.sha256 = std::move(sha256), .definition = std::move(definition)};
}

std::string_view name(PinStatus status) {
  switch (status) {
    case PinStatus::unpinned: return "not pinned";
    case PinStatus::approved: return "approved";
    case PinStatus::changed: return "changed";
    case PinStatus::added: return "new";
    case PinStatus::gone: break;
  }
  return "gone";
}

PinStatus pin_status_of(const Pins& pins, std::string_view server, ListKind kind, std::string_view name,
                        std::string_view sha256) {
  const auto of_server = pins.find(server);
  if (of_server == pins.end()) return PinStatus::unpinned;
  const auto& named = of_server->second.of(kind);
  const auto found = named.find(name);
  if (found == named.end()) return PinStatus::added;
  return found->second.sha256 == sha256 ? PinStatus::approved : PinStatus::changed;
}

std::string pins_to_json(const Pins& pins) {
  std::string out;
  {
    json::ObjectWriter document(out);
    document.raw("format", pins_format);
    json::ObjectWriter servers(document.plain_member("servers"));
    for (const auto& [server, named] : pins) {
      json::ObjectWriter lists(servers.member(server));
      for (const auto kind : pinned_kinds) write_named(lists.plain_member(pin_list_name(kind)), named.of(kind));
    }
  }
  return out + "\n";
}

Result<Pins> pins_from_json(std::string_view text) {
  if (const auto wrong = json::scan(text)) return fail(ErrorKind::malformed, wrong.message());
  const auto servers = json::member_of(text, "servers");
  if (json::member_of(text, "format") != pins_format || !servers.starts_with('{')) {
    return fail(ErrorKind::malformed, "expected a pin file of format 1; approve again with fairlead pin approve");
  }
  Pins pins;
  json::Reader reader(servers);
  for (reader.open(); reader.more();) {
    std::string server(reader.key());
    const auto lists = reader.skip();
    auto& of_server = pins[std::move(server)];
    for (const auto kind : pinned_kinds) of_server.of(kind) = read_named(json::member_of(lists, pin_list_name(kind)));
  }
  return pins;
}

Result<Pins> read_pins(const std::string& file) {
  if (file.empty()) return fail(ErrorKind::invalid, std::string(no_pins_file_error));
  const auto text = config::read_trusted_file(file);
  if (!text) return std::unexpected(text.error());
  if (!*text) return Pins();
  auto pins = pins_from_json(**text);
  if (!pins) pins.error().message = file + ": " + pins.error().message;
  return pins;
}

Result<void> write_pins(const std::string& file, const Pins& pins) {
  if (file.empty()) return fail(ErrorKind::invalid, std::string(no_pins_file_error));
  const auto folder = fs::path(file).parent_path();
  std::error_code error;
  if (!folder.empty() && fs::create_directories(folder, error)) {
    fs::permissions(folder, fs::perms::owner_all, error);
  }
  return config::replace_file(file, pins_to_json(pins));
}

}  // namespace fairlead::gateway

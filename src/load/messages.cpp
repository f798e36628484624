#include "load/messages.hpp"

#include <fairlead/json/codec.hpp>
#include <fairlead/protocol/meta_keys.hpp>
#include <fmt/format.h>

#include "load/request_text.hpp"

namespace fairlead::load {
namespace {

constexpr std::string_view number_mark = "{connection}";
constexpr std::string_view self = R"({"name":"fairlead bench","version":"1"})";

std::string with_connection(std::string text, unsigned connection) {
  const auto number = connection_text(connection);
  for (auto at = text.find(number_mark); at != std::string::npos; at = text.find(number_mark, at + number.size())) {
    text.replace(at, number_mark.size(), number);
  }
  return text;
}

std::string call_meta(const LoadCall& call, const protocol::Revision& revision) {
  std::string meta;
  if (call.progress) meta += fmt::format(R"("progressToken":{})", id_mark);
  if (revision.lifecycle == protocol::Lifecycle::stateless) {
    meta += fmt::format(R"({}"{}":"{}","{}":{},"{}":{{}})", meta.empty() ? "" : ",", protocol::meta::protocol_version,
                        revision.name, protocol::meta::client_info, self, protocol::meta::client_capabilities);
  }
  return meta.empty() ? meta : fmt::format(R"(,"_meta":{{{}}})", meta);
}

}  // namespace

std::string connection_text(unsigned connection) {
  return fmt::format("{:05}", connection);
}

std::string initialize_message(const protocol::Revision& revision) {
  return fmt::format(
      R"({{"jsonrpc":"2.0","id":0,"method":"initialize","params":{{"protocolVersion":"{}","capabilities":{{}},)"
      R"("clientInfo":{}}}}})",
      revision.name, self);
}

std::string initialized_message() {
  return R"({"jsonrpc":"2.0","method":"notifications/initialized"})";
}

std::string call_message(const LoadCall& call, const protocol::Revision& revision, unsigned connection) {
  return fmt::format(R"({{"jsonrpc":"2.0","id":{},"method":"tools/call","params":{{"name":{},"arguments":{}{}}}}})",
                     id_mark, json::encode(call.tool), with_connection(call.arguments, connection),
                     call_meta(call, revision));
}

}  // namespace fairlead::load

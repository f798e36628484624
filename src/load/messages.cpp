#include "load/messages.hpp"

#include <fairlead/json/codec.hpp>
#include <fairlead/protocol/meta_keys.hpp>
#include <fmt/format.h>

#include "load/request_text.hpp"

namespace fairlead::load {
namespace {

constexpr std::string_view lane_mark = "{lane}";
constexpr std::string_view self = R"({"name":"fairlead bench","version":"1"})";

std::string with_lane(std::string text, unsigned lane) {
  const auto number = lane_text(lane);
  for (auto at = text.find(lane_mark); at != std::string::npos; at = text.find(lane_mark, at + number.size())) {
    text.replace(at, lane_mark.size(), number);
  }
  return text;
}

std::string call_meta(const Call& call, const protocol::Revision& revision) {
  std::string meta;
  if (call.progress) meta += fmt::format(R"("progressToken":{})", id_mark);
  if (revision.lifecycle == protocol::Lifecycle::stateless) {
    meta += fmt::format(R"({}"{}":"{}","{}":{},"{}":{{}})", meta.empty() ? "" : ",", protocol::meta::protocol_version,
                        revision.name, protocol::meta::client_info, self, protocol::meta::client_capabilities);
  }
  return meta.empty() ? meta : fmt::format(R"(,"_meta":{{{}}})", meta);
}

}  // namespace

std::string lane_text(unsigned lane) {
  return fmt::format("{:05}", lane);
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

std::string call_message(const Call& call, const protocol::Revision& revision, unsigned lane) {
  return fmt::format(R"({{"jsonrpc":"2.0","id":{},"method":"tools/call","params":{{"name":{},"arguments":{}{}}}}})",
                     id_mark, json::encode(call.tool), with_lane(call.arguments, lane), call_meta(call, revision));
}

}  // namespace fairlead::load

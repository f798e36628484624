#include "gateway/upstream/input_request.hpp"

#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fmt/format.h>

namespace fairlead::gateway {

json::Payload as_server_request(const protocol::InputRequest& request, const std::string& key,
                                const session::Call& call) {
  auto params = request.params.value_or(json::Payload::trusted("{}"));
  if (request.method != protocol::Elicit::method || json::member_of(params.text(), "mode") != R"("url")") return params;
  json::ObjectEdit whole(params.text());
  if (!whole.get("elicitationId").empty()) return params;
  const auto id = fmt::format("{}-{}-{}", call.context.session_key, call.context.id->to_json(), key);
  return json::Payload::trusted(whole.set("elicitationId", json::encode(id)).text());
}

}  // namespace fairlead::gateway

#include "gateway/asked_for.hpp"

#include <fairlead/jsonrpc/message.hpp>

namespace fairlead::gateway {

std::string asked_for(const session::Call& call) {
  const auto landmarks = jsonrpc::find_landmarks(call.params);
  auto name = jsonrpc::text_at(call.params, landmarks.name);
  if (!name) name = jsonrpc::text_at(call.params, landmarks.uri);
  return name ? call.method + " '" + *name + "'" : call.method;
}

}  // namespace fairlead::gateway

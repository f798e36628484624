#include "gateway/model/call_label.hpp"

#include <fairlead/jsonrpc/message.hpp>

namespace fairlead::gateway {

std::string call_label(const session::Call& call) {
  const auto param_spans = jsonrpc::locate_params(call.params);
  auto name = jsonrpc::string_at(call.params, param_spans.name);
  if (!name) name = jsonrpc::string_at(call.params, param_spans.uri);
  return name ? call.method + " '" + *name + "'" : call.method;
}

}  // namespace fairlead::gateway

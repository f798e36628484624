#include <fairlead/protocol/unsupported_version.hpp>

#include <fairlead/json/codec.hpp>
#include <fairlead/protocol/protocol_error.hpp>
#include <utility>
#include <vector>

namespace fairlead::protocol {

Error unsupported_version(std::string requested) {
  std::vector<std::string> supported;
  for (const auto& revision : revisions()) {
    if (revision.lifecycle == Lifecycle::stateless) supported.emplace_back(revision.name);
  }
  std::string data;
  json::ObjectWriter(data).raw("supported", json::encode(supported)).text("requested", requested);
  return protocol_error(ProtocolError::unsupported_version, "", std::move(requested), std::move(data));
}

}  // namespace fairlead::protocol

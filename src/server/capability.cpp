#include "server/capability.hpp"

#include "protocol/needed_capability.hpp"

namespace fairlead::server {

bool has_form(const protocol::ClientCapabilities& capabilities) {
  return protocol::takes_forms(capabilities);
}

bool has_url(const protocol::ClientCapabilities& capabilities) {
  return protocol::takes_urls(capabilities);
}

std::optional<std::string> lacking(const Question& question, const protocol::ClientCapabilities& capabilities) {
  return protocol::undeclared_capability(question.method, question.params, capabilities);
}

}  // namespace fairlead::server

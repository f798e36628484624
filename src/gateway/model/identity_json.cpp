#include "gateway/model/identity_json.hpp"

#include <fairlead/json/writer.hpp>

namespace fairlead::gateway {
namespace {

void write_identity(std::string& out, const http::Identity& identity) {
  json::ObjectWriter object(out);
  object.text("principal", identity.principal);
  if (!identity.issuer.empty()) object.text("issuer", identity.issuer);
  if (!identity.subject.empty()) object.text("subject", identity.subject);
  if (!identity.client_id.empty()) object.text("client_id", identity.client_id);
  auto& scopes = object.member("scopes");
  scopes += '[';
  for (const auto& scope : identity.scopes) {
    if (scopes.back() != '[') scopes += ',';
    json::write_string(scopes, scope);
  }
  scopes += ']';
  object.raw("claims", identity.claims);
}

}  // namespace

std::string identity_json(const http::Identity& identity) {
  std::string out;
  write_identity(out, identity);
  return out;
}

}  // namespace fairlead::gateway

#include "gateway/upstream/failure.hpp"

#include <algorithm>
#include <fairlead/base/redactor.hpp>
#include <fairlead/json/writer.hpp>
#include <fairlead/protocol/fault.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fmt/format.h>
#include <utility>

#include "gateway/asked_for.hpp"
#include "gateway/upstream/upstream.hpp"

namespace fairlead::gateway {
namespace {

using protocol::Fault;

// `outcome` is "not made" or "unknown": whether the caller may try again without harm.
Error gateway_error(const std::string& server, std::string message, std::string_view outcome, std::string_view reason) {
  Error error{.kind = ErrorKind::refused, .message = std::move(message), .code = jsonrpc::code::internal_error};
  json::ObjectWriter(error.data)
      .text("source", "gateway")
      .text("server", server)
      .text("outcome", outcome)
      .text("reason", reason);
  return error;
}

void take_out(std::string& text, const std::string& secret) {
  for (auto at = text.find(secret); at != std::string::npos; at = text.find(secret, at)) {
    text.replace(at, secret.size(), Redactor::mark);
    at += Redactor::mark.size();
  }
}

// What was cut off in the middle of it.
void take_out_beginning(std::string& text, std::string_view secret) {
  for (auto size = std::min(secret.size(), text.size()); size >= Redactor::shortest_secret; --size) {
    if (!text.ends_with(secret.substr(0, size))) continue;
    text.replace(text.size() - size, size, Redactor::mark);
    return;
  }
}

std::string seconds(Duration duration) {
  return fmt::format("{:.1f} s", std::chrono::duration<double>(duration).count());
}

// Codes that the eras spell differently; what they mean stays.
bool differs_by_era(Fault fault) {
  return fault == Fault::resource_missing || fault == Fault::missing_capability || fault == Fault::header_mismatch;
}

Error translated(Error error, const protocol::Revision& from, const protocol::Revision& to, const session::Call& call) {
  if (error.cause != 0 || error.code == 0 || from.own_error_codes == to.own_error_codes) return error;
  jsonrpc::ErrorObject object{.code = error.code, .message = error.message};
  const auto fault = protocol::recognise(object, from);
  if (!differs_by_era(fault)) return error;
  // Where a client is asked in the middle of a call, that it cannot answer is the tool's failure.
  if (fault == Fault::missing_capability && call.method == protocol::CallTool::method && to.server_asks) {
    return protocol::fault_error(Fault::tool_failed, error.message);
  }
  const auto lowered = protocol::lower_error(protocol::fault_error(fault, error.message), to);
  if (const auto* wire = std::get_if<protocol::WireError>(&lowered)) error.code = wire->error.code;
  return error;
}

}  // namespace

Error unreachable(const std::string& server, const Error& why) {
  return gateway_error(server, fmt::format("the server '{}' cannot be reached: {}", server, why.message), "not made",
                       "unreachable");
}

Error not_now(const std::string& server, const Restarts& restarts) {
  if (restarts.given_up()) {
    return gateway_error(server,
                         fmt::format("the server '{}' has failed {} times in a row (last: {}) and is not started any "
                                     "more; mend it, then reload the configuration",
                                     server, restarts.in_a_row(), restarts.last_error()),
                         "not made", "unreachable");
  }
  return gateway_error(server,
                       fmt::format("the server '{}' has failed {} times in a row (last: {}); the next try is in {}",
                                   server, restarts.in_a_row(), restarts.last_error(), seconds(restarts.delay())),
                       "not made", "unreachable");
}

Error too_busy(const std::string& server, std::size_t calls) {
  return gateway_error(
      server, fmt::format("the server '{}' is busy, and {} calls wait for it already; try again later", server, calls),
      "not made", "busy");
}

Error without(const std::vector<std::string>& secrets, Error error) {
  for (const auto& secret : secrets) {
    for (auto* text : {&error.message, &error.data}) take_out(*text, secret);
    take_out_beginning(error.message, secret);
  }
  return error;
}

Error incapable(const Visit::Lack& lack) {
  std::string data;
  json::ObjectWriter(data).raw("requiredCapabilities", lack.capability);
  return protocol::fault_error(Fault::missing_capability, "the client did not declare what this call needs",
                               lack.method, std::move(data));
}

Error told_by(const UpstreamOptions& server, Error error, const client::ServerDescription& description,
              const session::Call& call) {
  switch (error.kind) {
    case ErrorKind::closed:
      return gateway_error(server.name,
                           fmt::format("the server '{}' went away before it had answered {} ({}); whether it was done "
                                       "is unknown, so it is not repeated",
                                       server.name, asked_for(call), error.message),
                           "unknown", "closed");
    case ErrorKind::timeout:
      return gateway_error(
          server.name,
          fmt::format("the server '{}' did not answer {} within {} and gave no sign of progress; it was "
                      "told to stop, whether it did is unknown",
                      server.name, asked_for(call), seconds(server.patience.within(call.patience).idle)),
          "unknown", "timeout");
    case ErrorKind::malformed:
      return gateway_error(server.name,
                           fmt::format("the server '{}' answered {} with something that is no answer: {}", server.name,
                                       asked_for(call), error.message),
                           "unknown", "malformed");
    default: break;
  }
  if (!call.context.revision || !description.revision) return error;
  return translated(std::move(error), *description.revision, *call.context.revision, call);
}

}  // namespace fairlead::gateway

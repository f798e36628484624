#include "gateway/upstream/upstream_errors.hpp"

#include <fairlead/base/diagnosis.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/json/writer.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fairlead/protocol/protocol_error.hpp>
#include <fmt/format.h>
#include <utility>

#include "gateway/middleware/tool_result.hpp"
#include "gateway/model/call_label.hpp"
#include "gateway/upstream/error_translation.hpp"
#include "gateway/upstream/server_token_source.hpp"
#include "gateway/upstream/upstream.hpp"
#include "protocol/required_capability.hpp"

namespace fairlead::gateway {
namespace {

using protocol::ProtocolError;

// The command line is for the operator; callers may be on other machines.
Diagnosis for_callers(Diagnosis diagnosis) {
  diagnosis.command.reset();
  diagnosis.advice.reset();
  return diagnosis;
}

// `outcome` is "not made" or "unknown": whether a retry is safe.
Error gateway_error(const std::string& server, std::string message, std::string_view outcome, std::string_view reason,
                    std::shared_ptr<const Diagnosis> diagnosis = {}) {
  Error error{.kind = ErrorKind::refused, .message = std::move(message), .code = jsonrpc::code::internal_error};
  {
    json::ObjectWriter data(error.data);
    data.text("source", "gateway").text("server", server).text("outcome", outcome).text("reason", reason);
    if (diagnosis) data.raw("diagnosis", json::encode(for_callers(*diagnosis)));
  }
  error.diagnosis = std::move(diagnosis);
  return error;
}

constexpr std::string_view sign_in_needed = "sign_in_needed";

/// A text in the data of an error; empty if it has none of this name.
std::string text_in_data(const Error& error, std::string_view member) {
  const auto text = error.data.empty() ? std::string_view() : json::member_of(error.data, member);
  return text.empty() ? std::string() : json::decode<std::string>(text).value_or("");
}

constexpr const char* shutting_down = "the gateway is shutting down";

std::string seconds(Duration duration) {
  return fmt::format("{:.1f} s", std::chrono::duration<double>(duration).count());
}

}  // namespace

Error unreachable(const std::string& server, const Error& why) {
  return gateway_error(server, fmt::format("the server '{}' cannot be reached: {}", server, why.message), "not made",
                       "unreachable", why.diagnosis);
}

Error backing_off(const std::string& server, const RestartBackoff& backoff) {
  if (backoff.given_up()) {
    return gateway_error(server,
                         fmt::format("the server '{}' has failed {} times in a row (last error: {}) and is no longer "
                                     "started; fix it, then reload the configuration",
                                     server, backoff.consecutive_failures(), backoff.last_error()),
                         "not made", "unreachable");
  }
  return gateway_error(
      server,
      fmt::format("the server '{}' has failed {} times in a row (last error: {}); next attempt in {}", server,
                  backoff.consecutive_failures(), backoff.last_error(), seconds(backoff.delay())),
      "not made", "unreachable");
}

Error stopped(const UpstreamOptions& server) {
  if (!*server.gateway_stopping) return stopped(server.name);
  return gateway_error(server.name, fmt::format("the server '{}' was stopped: {}", server.name, shutting_down),
                       "not made", "stopped");
}

Error stopped_during_call(const UpstreamOptions& server, const session::Call& call) {
  const auto why = *server.gateway_stopping ? shutting_down : "it was removed from the configuration, or replaced";
  return gateway_error(server.name,
                       fmt::format("the server '{}' was stopped before it answered {}: {}. It is unknown whether the "
                                   "call was executed",
                                   server.name, call_label(call), why),
                       "unknown", "stopped");
}

Error stopped(const std::string& server) {
  return gateway_error(server,
                       fmt::format("the server '{}' was stopped: it was removed from the configuration, or replaced; "
                                   "list the available items and try again",
                                   server),
                       "not made", "stopped");
}

Error queue_full(const std::string& server, std::size_t calls) {
  return gateway_error(
      server, fmt::format("the server '{}' is busy: {} calls are waiting for it; try again later", server, calls),
      "not made", "busy");
}

Error total_timeout(const UpstreamOptions& server, const session::Call& call) {
  return gateway_error(
      server.name,
      fmt::format("the server '{}' did not finish {} within {} (max_time); the call was cancelled, but it "
                  "is unknown whether the server stopped",
                  server.name, call_label(call), seconds(server.timeouts.within(call.timeouts).total)),
      "unknown", "timeout");
}

Error client_did_not_answer(const std::string& server, const session::Call& call, const Error& why) {
  return gateway_error(server,
                       fmt::format("the server '{}' needs an answer of the client to continue {}: {} "
                                   "(server_request_timeout)",
                                   server, call_label(call), why.message),
                       "unknown", "no_answer");
}

Error undeclared_capability(const std::string& server, const session::Call& call, const std::string& method,
                            const std::string& capability) {
  return gateway_error(
      server,
      fmt::format("the server '{}' sent {} during {}, but the client did not declare the capability {}; "
                  "the request was not forwarded",
                  server, method, call_label(call), capability),
      "unknown", "missing_capability");
}

Error not_acknowledged(const std::string& server, const Error& why) {
  return gateway_error(server, fmt::format("the server '{}' {}", server, why.message), "unknown", "timeout");
}

Error caller_queue_full(const std::string& server, std::size_t calls) {
  return gateway_error(server,
                       fmt::format("{} of your calls already wait for the server '{}', which is the share of one "
                                   "caller; try again when some of them have been answered",
                                   calls, server),
                       "not made", "busy");
}

Error limit_reached(const std::string& server, std::string message) {
  return gateway_error(server, std::move(message), "not made", "busy");
}

Error unsuitable_caller(const std::string& server, std::string message) {
  return gateway_error(server, std::move(message), "not made", "not_authenticated");
}

Error too_many_input_rounds(const std::string& server, const session::Call& call, std::size_t rounds) {
  return gateway_error(server,
                       fmt::format("the server '{}' requested input {} times for {}, which is the limit; the gateway "
                                   "gave up the call",
                                   server, rounds, call_label(call)),
                       "unknown", "malformed");
}

Error task_timeout(const std::string& server, const session::Call& call) {
  return gateway_error(server,
                       fmt::format("the server '{}' did not finish the task of {} in time; the gateway cancelled it",
                                   server, call_label(call)),
                       "unknown", "timeout");
}

Error unsupported_task(const std::string& server, const session::Call& call) {
  return gateway_error(server,
                       fmt::format("the server '{}' answered {} with a task, although the gateway did not declare the "
                                   "tasks extension; its result cannot be fetched",
                                   server, call_label(call)),
                       "unknown", "malformed");
}

Error sign_in_error(const std::string& server, const Error& why) {
  auto error = gateway_error(server, why.message, "not made", sign_in_needed);
  const auto url = text_in_data(why, "url");
  if (url.empty()) return error;
  error.message += "; open " + url + " and try again";
  error.data = json::ObjectEdit(error.data).set("url", json::encode(url)).text();
  return error;
}

Result<session::Reply> sign_in_reply(Error error, const session::Call& call) {
  const auto url = text_in_data(error, "url");
  if (url.empty() || text_in_data(error, "reason") != sign_in_needed) return std::unexpected(std::move(error));
  const auto* revision = call.context.revision;
  if (revision && protocol::supports_url_elicitation(call.context.caller->capabilities)) {
    const auto required = url_elicitation_error(url, text_in_data(error, "server"));
    if (auto reply = url_elicitation_reply(required, call)) return std::move(*reply);
    if (revision->url_elicitation_error) return std::unexpected(required);
  }
  // The model shows the link to its user.
  if (call.method == protocol::CallTool::method) return tool_error_result(error.message);
  return std::unexpected(std::move(error));
}

Error missing_capability_error(const ActiveCall::MissingCapability& missing) {
  std::string data;
  json::ObjectWriter(data).raw("requiredCapabilities", missing.capability);
  return protocol::protocol_error(ProtocolError::missing_capability,
                                  "the client did not declare a capability that this call needs", missing.method,
                                  std::move(data));
}

Error map_error(const UpstreamOptions& server, Error error, const client::ServerDescription& description,
                const session::Call& call) {
  // The process may serve several callers: its output is for the operator's log only.
  error = without_output(std::move(error));
  switch (error.kind) {
    case ErrorKind::closed:
      return gateway_error(
          server.name,
          fmt::format("the server '{}' disconnected before it answered {} ({}); it is unknown whether the "
                      "call was executed, so it is not repeated",
                      server.name, call_label(call), error.message),
          "unknown", "closed", error.diagnosis);
    case ErrorKind::timeout:
      return gateway_error(
          server.name,
          fmt::format("the server '{}' did not answer {} within {} and sent no progress; the call was "
                      "cancelled, but it is unknown whether the server stopped",
                      server.name, call_label(call), seconds(server.timeouts.within(call.timeouts).idle)),
          "unknown", "timeout");
    case ErrorKind::malformed:
      return gateway_error(
          server.name,
          fmt::format("the server '{}' sent an invalid answer to {}: {}", server.name, call_label(call), error.message),
          "unknown", "malformed");
    default: break;
  }
  if (!call.context.revision || !description.revision) return error;
  return translate_error(std::move(error), *description.revision, *call.context.revision, call);
}

}  // namespace fairlead::gateway

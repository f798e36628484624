#include "gateway/upstream/failure.hpp"

#include <algorithm>
#include <fairlead/base/diagnosis.hpp>
#include <fairlead/base/redactor.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/json/writer.hpp>
#include <fairlead/protocol/error_codes.hpp>
#include <fairlead/protocol/fault.hpp>
#include <fairlead/protocol/model/input.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fmt/format.h>
#include <utility>

#include "gateway/asked_for.hpp"
#include "gateway/upstream/upstream.hpp"

namespace fairlead::gateway {
namespace {

using protocol::Fault;

// How the server is started here is for the operator; callers may be on other machines.
Diagnosis for_callers(Diagnosis diagnosis) {
  diagnosis.command.reset();
  diagnosis.advice.reset();
  return diagnosis;
}

// `outcome` is "not made" or "unknown": whether the caller may try again without harm.
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

constexpr const char* shutting_down = "the gateway is shutting down";

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

Diagnosis without(const std::vector<std::string>& secrets, Diagnosis diagnosis) {
  std::vector<std::string*> texts;
  for (auto* text : {&diagnosis.command, &diagnosis.step, &diagnosis.stdout_, &diagnosis.advice}) {
    if (*text) texts.push_back(&**text);
  }
  for (auto& line : diagnosis.stderr_) texts.push_back(&line);
  for (auto* text : texts) {
    for (const auto& secret : secrets) {
      take_out(*text, secret);
      take_out_beginning(*text, secret);
    }
  }
  return diagnosis;
}

std::string seconds(Duration duration) {
  return fmt::format("{:.1f} s", std::chrono::duration<double>(duration).count());
}

/// What the data of a -32042 says (schema of 2025-11-25: URLElicitationRequiredError).
struct PagesToVisit {
  std::vector<protocol::ElicitUrlParams> elicitations = {};
};

std::vector<protocol::ElicitUrlParams> pages_in(const Error& error) {
  auto pages = error.data.empty() ? PagesToVisit() : json::decode<PagesToVisit>(error.data).value_or(PagesToVisit());
  return std::move(pages.elicitations);
}

// A client that does not know the code can still show its user where to go.
std::string with_pages(std::string message, const Error& error) {
  for (const auto& page : pages_in(error))
    message += fmt::format("; open {} and call again ({})", page.url, page.message);
  return message;
}

// Clients of the newest revision tell a missing resource from other bad params by the URI in the data.
std::string with_uri(const std::string& data, const session::Call& call) {
  const auto uri = json::member_of(call.params, "uri");
  const bool has_room = data.empty() || data.starts_with('{');
  if (uri.empty() || !has_room || !json::member_of(data, "uri").empty()) return data;
  return json::ObjectEdit(data).set("uri", std::string(uri)).text();
}

std::int64_t code_in(const protocol::Revision& revision, Fault fault) {
  const auto lowered = protocol::lower_error(protocol::fault_error(fault, ""), revision);
  const auto* wire = std::get_if<protocol::WireError>(&lowered);
  return wire ? wire->error.code : jsonrpc::code::internal_error;
}

// What a server's error means stays; its code becomes the one that the caller's revision has for it.
Error translated(Error error, const protocol::Revision& from, const protocol::Revision& to, const session::Call& call) {
  if (error.cause != 0 || error.code == 0 || &from == &to) return error;
  jsonrpc::ErrorObject object{.code = error.code, .message = error.message};
  if (!error.data.empty()) object.data = json::Payload::trusted(error.data);
  const auto fault = protocol::recognise(object, from);
  switch (fault) {
    case Fault::resource_missing:
      if (to.own_error_codes) error.data = with_uri(error.data, call);
      break;
    case Fault::missing_capability:
      // Where a client is asked in the middle of a call, that it cannot answer is the tool's failure.
      if (call.method == protocol::CallTool::method && to.server_asks) {
        return protocol::fault_error(Fault::tool_failed, error.message);
      }
      break;
    case Fault::url_elicitation:
      if (to.url_elicitation_error) return error;
      error.message = with_pages(std::move(error.message), error);
      break;
    case Fault::header_mismatch:
    case Fault::unsupported_version: break;
    default: return error;
  }
  error.code = code_in(to, fault);
  return error;
}

bool can_visit_pages(const session::Call& call) {
  const auto& elicitation = call.context.caller->capabilities.elicitation;
  return elicitation && elicitation->url;
}

}  // namespace

Error unreachable(const std::string& server, const Error& why) {
  return gateway_error(server, fmt::format("the server '{}' cannot be reached: {}", server, why.message), "not made",
                       "unreachable", why.diagnosis);
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

Error stopped(const UpstreamOptions& server) {
  if (!*server.gateway_ends) return stopped(server.name);
  return gateway_error(server.name, fmt::format("the server '{}' was stopped: {}", server.name, shutting_down),
                       "not made", "stopped");
}

Error cut_off(const UpstreamOptions& server, const session::Call& call) {
  const auto why = *server.gateway_ends ? shutting_down : "it was removed from the configuration, or replaced";
  return gateway_error(server.name,
                       fmt::format("the server '{}' was stopped before it had answered {}: {}. Whether the call was "
                                   "done is unknown",
                                   server.name, asked_for(call), why),
                       "unknown", "stopped");
}

Error stopped(const std::string& server) {
  return gateway_error(server,
                       fmt::format("the server '{}' was stopped: it was removed from the configuration, or replaced; "
                                   "list what is available and try again",
                                   server),
                       "not made", "stopped");
}

Error too_busy(const std::string& server, std::size_t calls) {
  return gateway_error(
      server, fmt::format("the server '{}' is busy, and {} calls wait for it already; try again later", server, calls),
      "not made", "busy");
}

Error over_time(const UpstreamOptions& server, const session::Call& call) {
  return gateway_error(server.name,
                       fmt::format("the server '{}' did not finish {} within {}, the longest that a call may take "
                                   "(max_time); it was told to stop, whether it did is unknown",
                                   server.name, asked_for(call), seconds(server.patience.within(call.patience).cap)),
                       "unknown", "timeout");
}

Error no_answer(const std::string& server, const session::Call& call, const Error& why) {
  return gateway_error(server,
                       fmt::format("the server '{}' needs an answer of the client before it goes on with {}: {} "
                                   "(question_timeout)",
                                   server, asked_for(call), why.message),
                       "unknown", "no_answer");
}

Error undeclared(const std::string& server, const session::Call& call, const std::string& question,
                 const std::string& capability) {
  return gateway_error(server,
                       fmt::format("the server '{}' asked the client for {} to go on with {}, but the client did not "
                                   "declare the capability {}; it was not asked",
                                   server, question, asked_for(call), capability),
                       "unknown", "missing_capability");
}

Error not_acknowledged(const std::string& server, const Error& why) {
  return gateway_error(server, fmt::format("the server '{}' {}", server, why.message), "unknown", "timeout");
}

Error share_used_up(const std::string& server, std::size_t calls) {
  return gateway_error(server,
                       fmt::format("{} calls of yours wait for the server '{}' already, which is the share of one "
                                   "caller; try again when some of them have been answered",
                                   calls, server),
                       "not made", "busy");
}

Error began_a_task(const std::string& server, const session::Call& call) {
  return gateway_error(server,
                       fmt::format("the server '{}' answered {} with a task, although the gateway did not declare the "
                                   "tasks extension; its result cannot be fetched",
                                   server, asked_for(call)),
                       "unknown", "malformed");
}

Error without(const std::vector<std::string>& secrets, Error error) {
  for (const auto& secret : secrets) {
    for (auto* text : {&error.message, &error.data}) take_out(*text, secret);
    take_out_beginning(error.message, secret);
  }
  if (error.diagnosis) error.diagnosis = std::make_shared<const Diagnosis>(without(secrets, *error.diagnosis));
  return error;
}

Error incapable(const Visit::Lack& lack) {
  std::string data;
  json::ObjectWriter(data).raw("requiredCapabilities", lack.capability);
  return protocol::fault_error(Fault::missing_capability, "the client did not declare what this call needs",
                               lack.method, std::move(data));
}

std::optional<session::Reply> asked_to_visit(const Error& error, const session::Call& call) {
  const auto* revision = call.context.revision;
  const bool by_result = revision && !revision->server_asks && revision->may_ask_back.contains(call.method);
  if (error.code != protocol::code::url_elicitation || !by_result || !can_visit_pages(call)) return std::nullopt;
  protocol::InputRequiredResult asked;
  auto& requests = asked.inputRequests.emplace();
  for (auto& page : pages_in(error)) {
    page.elicitationId.reset();
    requests.emplace(fmt::format("page-{}", requests.size() + 1),
                     protocol::InputRequest{std::string(protocol::Elicit::method), json::to_payload(page)});
  }
  if (requests.empty()) return std::nullopt;
  return session::Reply{.body = json::to_payload(asked), .kind = protocol::ResultKind::input_required};
}

Error told_by(const UpstreamOptions& server, Error error, const client::ServerDescription& description,
              const session::Call& call) {
  // The process may have served others, too: what it printed is for the operator's log.
  error = without_output(std::move(error));
  switch (error.kind) {
    case ErrorKind::closed:
      return gateway_error(server.name,
                           fmt::format("the server '{}' went away before it had answered {} ({}); whether it was done "
                                       "is unknown, so it is not repeated",
                                       server.name, asked_for(call), error.message),
                           "unknown", "closed", error.diagnosis);
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

#include <fairlead/gateway/log.hpp>

#include <fairlead/base/log.hpp>
#include <fairlead/base/redactor.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/json/writer.hpp>
#include <fairlead/protocol/fault.hpp>
#include <fairlead/protocol/revision.hpp>
#include <fmt/format.h>
#include <utility>

#include "gateway/middleware/entries.hpp"
#include "gateway/middleware/subject.hpp"
#include "gateway/origins.hpp"

namespace fairlead::gateway {
namespace {

using session::Call;
using session::Reply;
using session::Service;

/// What is known of a call before it is made, because whoever stands behind may change it.
struct AuditRecord {
  std::string caller;
  std::string method;
  std::string about;
  std::string server;
  std::string params;
  const protocol::Revision* revision = nullptr;
  std::uint64_t conversation = 0;
  TimePoint begun = {};
};

std::string_view way_of(const Result<Reply>& reply) {
  if (reply) return "ok";
  switch (reply.error().kind) {
    case ErrorKind::closed: return "closed";
    case ErrorKind::timeout: return "timeout";
    case ErrorKind::cancelled: return "cancelled";
    case ErrorKind::malformed: return "malformed";
    case ErrorKind::refused:
    case ErrorKind::invalid: break;
  }
  return "ok";
}

// The code that the caller is told, if it is an error of the protocol.
std::int64_t code_of(const Result<Reply>& reply, const protocol::Revision* revision) {
  if (reply) return 0;
  const auto& error = reply.error();
  const auto lowered = protocol::lower_error(error, revision ? *revision : protocol::newest_handshake());
  const auto* wire = std::get_if<protocol::WireError>(&lowered);
  return wire != nullptr ? wire->error.code : 0;
}

bool has_tool_failed(const Result<Reply>& reply) {
  if (reply) return json::member_of(reply->body.text(), "isError") == "true";
  return protocol::fault_of(reply.error()) == protocol::Fault::tool_failed;
}

/// One line, as words or as JSON.
class AuditLine {
 public:
  explicit AuditLine(bool json) : json_(json) {}

  void text(std::string_view name, std::string_view value) {
    if (value.empty()) return;
    std::string quoted;
    json::write_string(quoted, value);
    const bool plain = value.find_first_of(" \"=\\") == value.npos && quoted.size() == value.size() + 2;
    add(name, json_ || !plain ? quoted : std::string(value));
  }
  void raw(std::string_view name, std::string_view value) { add(name, value); }

  std::string end() { return json_ ? "{" + text_ + "}" : text_; }

 private:
  void add(std::string_view name, std::string_view value) {
    if (!text_.empty()) text_ += json_ ? "," : " ";
    text_ += json_ ? fmt::format("\"{}\":{}", name, value) : fmt::format("{}={}", name, value);
  }

  bool json_;
  std::string text_;
};

class Audit final : public Middleware {
 public:
  Audit(AuditOptions options, Loop loop) : options_(std::move(options)), loop_(std::move(loop)) {}

  Task<Result<Reply>> call(Call& call, Service& next) override {
    return loop_.log.enabled(LogLevel::info) ? watched(call, next, record_of(call, next)) : next.call(call);
  }

  std::optional<Result<Reply>> answer_now(Call& call, Service& next) override {
    if (!loop_.log.enabled(LogLevel::info)) return next.answer_now(call);
    const auto record = record_of(call, next);
    auto answer = next.answer_now(call);
    if (answer) write(record, *answer);
    return answer;
  }

 private:
  AuditRecord record_of(const Call& call, const Service& next) const {
    const auto subject = subject_of(call);
    AuditRecord record{.caller = call.context.principal,
                       .method = call.method,
                       .about = subject ? subject->named.name : "",
                       .server = subject ? origin_of(next, subject->kind, subject->named.name).value_or("") : "",
                       .params = options_.params ? redactor_.redact(call.params.text()) : ""};
    record.revision = call.context.revision;
    record.conversation = call.context.conversation;
    record.begun = loop_.timers.clock().now();
    return record;
  }

  Task<Result<Reply>> watched(Call& call, Service& next, AuditRecord record) {
    // Whoever is cancelled ends by an exception: that is a record too.
    struct Unended {
      Unended(const Audit& by, const AuditRecord& of) : audit(by), record(of) {}
      Unended(const Unended&) = delete;
      Unended& operator=(const Unended&) = delete;
      ~Unended() {
        if (!ended) audit.write(record, fail(ErrorKind::cancelled, "cancelled"));
      }
      const Audit& audit;
      const AuditRecord& record;
      bool ended = false;
    } unended(*this, record);
    auto reply = co_await next.call(call);
    unended.ended = true;
    write(record, reply);
    co_return reply;
  }

  void write(const AuditRecord& record, const Result<Reply>& reply) const {
    AuditLine line(options_.json);
    line.text("caller", record.caller.empty() ? "-" : record.caller);
    line.raw("conversation", std::to_string(record.conversation));
    line.text("method", record.method);
    line.text("about", record.about);
    line.text("server", record.server);
    line.text("transport", way_of(reply));
    line.raw("error", std::to_string(code_of(reply, record.revision)));
    line.raw("isError", has_tool_failed(reply) ? "true" : "false");
    const std::chrono::duration<double, std::milli> took = loop_.timers.clock().now() - record.begun;
    line.raw("ms", fmt::format("{:.3f}", took.count()));
    line.raw("bytes", std::to_string(reply ? reply->body.text().size() : 0));
    if (!reply) line.text("message", redactor_.redact(reply.error().message));
    line.text("params", record.params);
    log(loop_.log, LogLevel::info, options_.name, [&] { return line.end(); });
  }

  AuditOptions options_;
  Loop loop_;
  Redactor redactor_;
};

}  // namespace

std::unique_ptr<Middleware> audit(AuditOptions options, Loop loop) {
  return std::make_unique<Audit>(std::move(options), std::move(loop));
}

Registry::Entry log_entry() {
  return {.usage = "log(outer, format=json, params=yes)",
          .summary = "Logs a line for each call: who, what, of which server, how it ended and how long it took.",
          .make = [](Arguments& arguments, Loop loop) -> Result<std::unique_ptr<Middleware>> {
            AuditOptions options;
            options.name = arguments.text("name").value_or(options.name);
            const auto format = arguments.text("format").value_or("text");
            if (format != "text" && format != "json") arguments.wrong("format", "is neither text nor json");
            options.json = format == "json";
            options.params = arguments.flag("params").value_or(false);
            return audit(std::move(options), std::move(loop));
          }};
}

}  // namespace fairlead::gateway

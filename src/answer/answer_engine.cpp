#include "answer/answer_engine.hpp"

#include <algorithm>
#include <boost/asio/steady_timer.hpp>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/base/utf8.hpp>
#include <fairlead/json/writer.hpp>
#include <fairlead/protocol/protocol_error.hpp>
#include <fmt/format.h>

#include "answer/reply.hpp"
#include "base/duration.hpp"

namespace fairlead::answer {
namespace {

namespace asio = boost::asio;

constexpr std::size_t max_message_bytes = 400;

/// Truncates at a character boundary.
std::string truncated_utf8(std::string text, std::size_t max_size) {
  if (text.size() <= max_size) return text;
  std::size_t end = 0;
  while (end < text.size()) {
    const auto length = std::max<std::size_t>(utf8_length(text, end), 1);
    if (end + length > max_size) break;
    end += length;
  }
  return text.substr(0, end);
}

std::string debug_data(const ApiFailure& failure) {
  std::string data;
  {
    json::ObjectWriter object(data);
    object.text("message", failure.message);
    if (failure.status != 0) object.raw("status", std::to_string(failure.status));
    if (!failure.type.empty()) object.text("type", failure.type);
    if (!failure.name.empty()) object.text("name", failure.name);
  }
  return data;
}

ResponsesApi::Options api_options(const AnswerOptions& options) {
  return {.endpoint = options.config.openai,
          .request = options.config.request,
          .key = options.key,
          .user_agent = "openai-responses-mcp/" + options.version};
}

}  // namespace

/// Sends progress notifications while the endpoint works.
struct AnswerEngine::ProgressReporter {
  Context& context;
  Duration interval;
  std::string model;
  double reports = 0;

  Task<void> report(std::string text) { return context.progress(++reports, {}, std::move(text)); }

  Task<void> report_periodically() {
    asio::steady_timer timer(co_await this_task::executor);
    for (int count = 1;; ++count) {
      timer.expires_after(interval);
      co_await timer.async_wait(use_task);
      auto text = fmt::format("still waiting for {} after {}", model, write_duration(interval * count));
      co_await report(std::move(text));
    }
  }
};

AnswerEngine::AnswerEngine(AnswerOptions options, LogSink& log)
    : options_(std::move(options)), log_(log), api_(api_options(options_), log) {
  redactor_.add_secret(options_.key.reveal());
}

Task<void> AnswerEngine::send_request(TaskScope& tasks, std::string body, ProgressReporter& reporter,
                                      Reply& reply) const {
  tasks.spawn(reporter.report_periodically());
  OnAttempt on_attempt = [&reporter](std::int64_t attempt) {
    return reporter.report(attempt == 1 ? "asking " + reporter.model : fmt::format("attempt {}", attempt));
  };
  reply = co_await api_.create(std::move(body), std::move(on_attempt));
  tasks.cancel();
}

// Redacts texts of the endpoint: they may contain the key.
Error AnswerEngine::to_tool_error(const ApiFailure& failure, const std::string& tool) const {
  if (failure.kind == ErrorKind::cancelled) return {.kind = failure.kind, .message = failure.message};
  auto clean = failure;
  if (failure.status != 0) clean.message = redactor_.redact(failure.message);
  clean.message = truncated_utf8(std::move(clean.message), max_message_bytes);
  clean.type = redactor_.redact(failure.type);
  auto data = options_.debug ? debug_data(clean) : std::string();
  return protocol::protocol_error(protocol::ProtocolError::tool_failed, clean.message, tool, std::move(data));
}

Task<Result<std::string>> AnswerEngine::answer(std::string tool, AnswerArguments arguments, Context& context) const {
  if (const auto checked = check_arguments(arguments); !checked) {
    auto error = protocol::protocol_error(protocol::ProtocolError::bad_arguments, checked.error().message, tool);
    co_return std::unexpected(std::move(error));
  }
  const auto profile = profile_for(options_.config, tool);
  if (!profile) {
    const ApiFailure failure{.message = profile.error().message};
    co_return std::unexpected(to_tool_error(failure, tool));
  }
  const auto text = user_text(arguments, options_.config.search.defaults);
  auto body = request_body(*profile, options_.instructions, text);
  ProgressReporter reporter{.context = context, .interval = options_.progress_interval, .model = *profile->model};
  Reply reply;
  std::function<Task<void>(TaskScope&)> work = [&](TaskScope& tasks) {
    return send_request(tasks, std::move(body), reporter, reply);
  };
  co_await with_scope(log_, "answer", std::move(work));
  if (!reply) co_return std::unexpected(to_tool_error(reply.error(), tool));

  const auto max_citations = static_cast<std::size_t>(options_.config.policy.max_citations);
  const auto answer = read_reply(std::move(*reply), *profile->model, max_citations, day_in_tokyo(options_.now()));
  // The reply may repeat parts of the request, also the key.
  if (answer) co_return redactor_.redact_values(json::encode(*answer));
  const ApiFailure failure{.message = answer.error().message, .status = 200, .name = "APIError"};
  co_return std::unexpected(to_tool_error(failure, tool));
}

}  // namespace fairlead::answer

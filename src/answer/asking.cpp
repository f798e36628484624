#include "answer/asking.hpp"

#include <algorithm>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/base/utf8.hpp>
#include <fairlead/json/writer.hpp>
#include <fairlead/protocol/fault.hpp>
#include <fmt/format.h>
#include <utility>

#include "answer/reply.hpp"
#include "base/duration.hpp"

namespace fairlead::answer {
namespace {

namespace asio = boost::asio;

constexpr std::size_t longest_message = 400;  // In bytes.

/// Not in the middle of a character.
std::string cut_to(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t end = 0;
  while (end < text.size()) {
    const auto length = std::max<std::size_t>(utf8_length(text, end), 1);
    if (end + length > most) break;
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

ResponsesApi::Options api_options(const Setup& setup) {
  return {.endpoint = setup.config.openai,
          .request = setup.config.request,
          .key = setup.key,
          .user_agent = "openai-responses-mcp/" + setup.version};
}

}  // namespace

/// Tells the client how it goes, while the endpoint is silent.
struct Asking::Waiting {
  Context& context;
  Duration step;
  std::string model;
  double signs = 0;

  Task<void> tell(std::string text) { return context.progress(++signs, {}, std::move(text)); }

  Task<void> tell_now_and_then() {
    asio::steady_timer timer(co_await asio::this_coro::executor);
    for (int count = 1;; ++count) {
      timer.expires_after(step);
      co_await timer.async_wait(asio::use_awaitable);
      auto text = fmt::format("{} has been working for {}", model, write_duration(step * count));
      co_await tell(std::move(text));
    }
  }
};

Asking::Asking(Setup setup, LogSink& log) : setup_(std::move(setup)), log_(log), api_(api_options(setup_), log) {
  redactor_.add_secret(setup_.key.reveal());
}

Task<void> Asking::ask(TaskScope& tasks, std::string body, Waiting& waiting, Reply& reply) const {
  tasks.spawn(waiting.tell_now_and_then());
  OnAttempt on_attempt = [&waiting](std::int64_t attempt) {
    return waiting.tell(attempt == 1 ? "asking " + waiting.model : fmt::format("attempt {}", attempt));
  };
  reply = co_await api_.create(std::move(body), std::move(on_attempt));
  tasks.cancel();
}

// The endpoint's words may hold anything, the key included.
Error Asking::told(const ApiFailure& failure, const std::string& tool) const {
  if (failure.kind == ErrorKind::cancelled) return {.kind = failure.kind, .message = failure.message};
  auto clean = failure;
  if (failure.status != 0) clean.message = redactor_.redact(failure.message);
  clean.message = cut_to(std::move(clean.message), longest_message);
  clean.type = redactor_.redact(failure.type);
  auto data = setup_.debug ? debug_data(clean) : std::string();
  return protocol::fault_error(protocol::Fault::tool_failed, clean.message, tool, std::move(data));
}

Task<Result<std::string>> Asking::answer(std::string tool, Question question, Context& context) const {
  if (const auto checked = check_question(question); !checked) {
    auto error = protocol::fault_error(protocol::Fault::bad_arguments, checked.error().message, tool);
    co_return std::unexpected(std::move(error));
  }
  const auto profile = profile_for(setup_.config, tool);
  if (!profile) {
    const ApiFailure failure{.message = profile.error().message};
    co_return std::unexpected(told(failure, tool));
  }
  const auto text = user_text(question, setup_.config.search.defaults);
  auto body = request_body(*profile, setup_.instructions, text);
  Waiting waiting{.context = context, .step = setup_.sign_of_life, .model = *profile->model};
  Reply reply;
  std::function<Task<void>(TaskScope&)> work = [&](TaskScope& tasks) {
    return ask(tasks, std::move(body), waiting, reply);
  };
  co_await with_scope(log_, "answer", std::move(work));
  if (!reply) co_return std::unexpected(told(reply.error(), tool));

  const auto most = static_cast<std::size_t>(setup_.config.policy.max_citations);
  const auto answer = read_reply(std::move(*reply), *profile->model, most, day_in_tokyo(setup_.now()));
  // A model may repeat what it was sent, and an endpoint what it was called with.
  if (answer) co_return redactor_.redact_values(json::encode(*answer));
  const ApiFailure failure{.message = answer.error().message, .status = 200, .name = "APIError"};
  co_return std::unexpected(told(failure, tool));
}

}  // namespace fairlead::answer

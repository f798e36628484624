#include <algorithm>
#include <fairlead/server/exceptions.hpp>
#include <utility>

#include "server/tasks/task_run.hpp"

/// What a handler does with its task: status text, memory and questions to the client.
namespace fairlead::server {
namespace {

using protocol::TaskStatus;

constexpr std::size_t max_status_text = 1024;
constexpr std::size_t max_questions = 64;

using Answers = std::vector<json::Payload>;

// A key is used once in the life of a task: the second attempt at a question has a new one.
std::string key_of_attempt(const std::string& key, std::size_t attempt) {
  return attempt == 1 ? key : key + "." + std::to_string(attempt);
}

/// The answer that fits; null if the question must be asked, with its key in `open`.
const json::Payload* find_answer(const TaskRecord& record, const ServerRequestSpec& spec, std::string& open) {
  for (std::size_t attempt = 1;; ++attempt) {
    open = key_of_attempt(spec.key, attempt);
    const auto given = record.answers.find(open);
    if (given == record.answers.end()) return nullptr;
    if (spec.accepts(given->second)) return &given->second;
  }
}

/// Adds the questions without an answer. Returns the answers if none is missing.
std::optional<Answers> add_questions(TaskRecord& record, const std::vector<ServerRequestSpec>& specs) {
  Answers answers;
  for (const auto& spec : specs) {
    std::string open;
    if (const auto* answer = find_answer(record, spec, open)) {
      answers.push_back(*answer);
      continue;
    }
    protocol::InputRequest question{.method = spec.method};
    if (!spec.params.empty()) question.params = spec.params;
    record.questions.insert_or_assign(open, std::move(question));
  }
  if (answers.size() == specs.size()) return answers;
  return std::nullopt;
}

void throw_if_failed(const Result<void>& stored) {
  if (!stored) throw Failed(stored.error());
}

}  // namespace

Task<void> TaskRun::set_status(std::string text) {
  if (!is_task()) co_return;
  text = shortened(std::move(text), max_status_text);
  auto stored = co_await server_.tasks.update(
      id_, [&](TaskRecord& record) { return std::exchange(record.message, text) != text; });
  throw_if_failed(stored);
}

Task<void> TaskRun::mark_begun(std::string key) {
  if (interrupted_.contains(key)) {
    throw Failed({.kind = ErrorKind::refused,
                  .message = "the server was restarted during the step '" + key +
                             "', which is not repeated: it may have had its effect. Check, then call the tool again"});
  }
  begun_.insert(key);
  const bool is_a_task = co_await settle();
  if (!is_a_task) co_return;
  auto stored = co_await server_.tasks.update(id_, [&](TaskRecord& record) {
    const bool is_new = std::ranges::find(record.begun, key) == record.begun.end();
    if (is_new) record.begun.push_back(key);
    return is_new;
  });
  throw_if_failed(stored);
}

Task<void> TaskRun::remember(std::string key, json::Payload value) {
  state_.replay_state.once[key] = value;
  const bool is_a_task = co_await settle();
  if (!is_a_task) co_return;
  auto stored = co_await server_.tasks.update(id_, [&](TaskRecord& record) {
    record.once.insert_or_assign(key, value);
    return true;
  });
  throw_if_failed(stored);
}

void TaskRun::wake_at(TaskTime when) {
  if (stopping_) return;
  timeout_.expires_after(when - server_.tasks.options.now());
  timeout_.async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
    const auto run = error ? nullptr : weak.lock();
    if (run) run->wake();
  });
}

Task<std::vector<json::Payload>> TaskRun::request_input(std::vector<ServerRequestSpec> specs) {
  while (true) {
    const auto before = wakeups_;
    std::optional<Answers> answers;
    bool too_many = false;
    TaskTime expiry{};
    auto stored = co_await server_.tasks.update(id_, [&](TaskRecord& record) {
      const auto open = record.questions.size();
      answers = add_questions(record, specs);
      too_many = record.questions.size() + record.answers.size() > max_questions;
      const bool asks = !answers && !too_many && record.questions.size() > open;
      if (asks) record.status = TaskStatus::input_required;
      if (asks) record.touch(server_.tasks.options.now());
      expiry = TaskTime(std::chrono::milliseconds(record.created + record.ttl));
      return asks;
    });
    throw_if_failed(stored);
    if (answers) co_return std::move(*answers);
    if (too_many) {
      throw Failed({.kind = ErrorKind::invalid,
                    .message = "a task can ask " + std::to_string(max_questions) + " questions at most"});
    }
    if (server_.tasks.options.now() >= expiry)
      throw Failed({.kind = ErrorKind::timeout, .message = "the client did not answer before the task expired"});
    wake_at(expiry);
    while (wakeups_ == before) co_await changed_.wait();
  }
}

}  // namespace fairlead::server

#pragma once

#include <fairlead/base/clock.hpp>
#include <fairlead/base/redactor.hpp>
#include <fairlead/server.hpp>

#include "answer/request.hpp"
#include "answer/responses_api.hpp"

namespace fairlead {
class TaskScope;
}

namespace fairlead::answer {

/// Settings of the engine.
struct AnswerOptions {
  AnswerConfig config = {};
  std::string instructions = {};  ///< System policy text for the model.
  ApiKey key = {};
  std::string version = {};
  bool debug = false;  ///< Adds details to errors.
  std::function<std::chrono::system_clock::time_point()> now = std::chrono::system_clock::now;
  Duration progress_interval = std::chrono::seconds{10};  ///< Interval of progress notifications.
};

/// Answers questions with the Responses API. Thread-safe.
class AnswerEngine {
 public:
  /// `log` outlives the engine.
  AnswerEngine(AnswerOptions options, LogSink& log);

  const AnswerConfig& config() const { return options_.config; }
  const std::string& version() const { return options_.version; }

  /// Returns the answer as JSON text; an error is `bad_arguments` or `tool_failed`.
  Task<Result<std::string>> answer(std::string tool, AnswerArguments arguments, Context& context) const;

 private:
  struct ProgressReporter;
  using Reply = std::expected<std::string, ApiFailure>;

  Task<void> send_request(TaskScope& tasks, std::string body, ProgressReporter& reporter, Reply& reply) const;
  Error to_tool_error(const ApiFailure& failure, const std::string& tool) const;

  AnswerOptions options_;
  LogSink& log_;
  ResponsesApi api_;
  Redactor redactor_;
};

}  // namespace fairlead::answer

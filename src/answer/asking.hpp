#pragma once

#include <chrono>
#include <fairlead/base/clock.hpp>
#include <fairlead/base/redactor.hpp>
#include <fairlead/server.hpp>
#include <functional>
#include <string>

#include "answer/request.hpp"
#include "answer/responses_api.hpp"

namespace fairlead {
class TaskScope;
}

namespace fairlead::answer {

/// All that the server needs to know.
struct Setup {
  Config config = {};
  std::string instructions = {};  ///< The system policy.
  ApiKey key = {};
  std::string version = {};
  bool debug = false;  ///< Errors tell more.
  std::function<std::chrono::system_clock::time_point()> now = std::chrono::system_clock::now;
  Duration sign_of_life = std::chrono::seconds{10};  ///< How often clients that want to know hear that it goes on.
};

/// Turns a question into an answer. Any thread may ask.
class Asking {
 public:
  /// `log` outlives it.
  Asking(Setup setup, LogSink& log);

  const Config& config() const { return setup_.config; }
  const std::string& version() const { return setup_.version; }

  /// The answer as JSON text. Errors are those of a tool: bad arguments, or its failure.
  Task<Result<std::string>> answer(std::string tool, Question question, Context& context) const;

 private:
  struct Waiting;
  using Reply = std::expected<std::string, ApiFailure>;

  Task<void> ask(TaskScope& tasks, std::string body, Waiting& waiting, Reply& reply) const;
  Error told(const ApiFailure& failure, const std::string& tool) const;

  Setup setup_;
  LogSink& log_;
  ResponsesApi api_;
  Redactor redactor_;
};

}  // namespace fairlead::answer

#pragma once

#include <fairlead/base/task.hpp>
#include <fairlead/jsonrpc/id.hpp>
#include <fairlead/protocol/era_codec.hpp>
#include <fairlead/protocol/revision.hpp>
#include <fairlead/server/ask.hpp>
#include <fairlead/server/signature.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace fairlead::server {

struct ContextState;

/// What a handler knows of its request, and its way back to whoever sent it. Lives as long as the handler runs.
///
/// `elicit`, `sample`, `roots` and `once` are written once and work in both eras. Where a server may ask, they ask and
/// wait. Where it may not, the first unanswered question ends the round; the client sends the request again with the
/// answer, and **the handler runs again from its start**. Put what must not happen twice into `once`.
class Context {
 public:
  explicit Context(ContextState& state) : state_(state) {}
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  const std::string& principal() const;  ///< Empty for nobody.
  const protocol::Revision& revision() const;
  const protocol::Caller& caller() const;
  const std::optional<jsonrpc::Id>& request_id() const;
  const json::Payload& params() const;

  bool can_elicit() const;
  bool can_elicit_url() const;
  bool can_sample() const;
  bool can_list_roots() const;

  /// Lets the caller's connection go while the handler works on, so that nothing has to be kept open for long: a client
  /// over HTTP comes back for the answer, in the revisions that let it. Elsewhere this does nothing.
  void let_go();

  /// Whether the caller gave up. A coroutine is told by an exception of its next wait; a loop should ask.
  bool cancelled() const;

  /// For a handler marked `blocking`: has the loop do what a coroutine would `co_await`, and waits for its end.
  ///
  ///     context.wait(context.progress(1, 2));
  ///     const auto answer = context.wait(context.elicit<Confirm>("Really?"));
  ///
  /// Throws what the task throws, and Failed if the caller has given up. What `once` is given runs on the loop too.
  template <class T>
  T wait(Task<T> task) {
    std::optional<T> result;
    wait_for(keep(std::move(task), &result));
    return std::move(*result);
  }
  void wait(Task<void> task) { wait_for(std::move(task)); }

  /// Told only to those who asked for it, and only if it is more than before.
  Task<void> progress(double done, std::optional<double> total = {}, std::string message = {});

  Task<void> log(protocol::LoggingLevel level, std::string text, std::string logger = {});
  Task<void> log(protocol::LoggingLevel level, json::Payload data, std::string logger = {});

  template <class T>
  Task<T> elicit(std::string message, std::string key = {}) {
    return put(form<T>(std::move(message), std::move(key)));
  }
  Task<json::Payload> elicit(std::string message, json::Payload schema, std::string key = {});
  Task<void> elicit_url(std::string message, std::string url, std::string key = {});

  Task<std::string> sample(std::string prompt, std::int64_t max_tokens, std::string key = {});
  Task<protocol::CreateMessageResult> sample(protocol::CreateMessageParams params, std::string key = {});
  Task<std::vector<protocol::Root>> roots(std::string key = {});

  /// Puts several questions; where the round ends for it, it ends once for all of them.
  template <class... T>
  Task<std::tuple<T...>> all(Ask<T>... asks) {
    std::vector<Question> questions;
    (questions.push_back(std::move(asks.question)), ...);
    auto found = co_await answers(std::move(questions));
    co_return read_all<T...>(found, std::index_sequence_for<T...>{}, asks...);
  }

  template <class T>
  Task<T> put(Ask<T> ask) {
    std::vector<Question> questions;
    questions.push_back(std::move(ask.question));
    auto found = co_await answers(std::move(questions));
    co_return ask.read(found.front());
  }

  /// Runs `function`, or gives what it gave in an earlier round of this request. Its value travels with the client,
  /// sealed, so it must be something that JSON can hold.
  template <class F>
  auto once(std::string key, F function) -> Task<typename TaskTraits<std::invoke_result_t<F&>>::Value> {
    using Value = typename TaskTraits<std::invoke_result_t<F&>>::Value;
    if (const auto known = recall(key)) {
      auto value = json::decode<Value>(*known);
      if (value) co_return std::move(*value);
    }
    if constexpr (TaskTraits<std::invoke_result_t<F&>>::is_task) {
      Value value = co_await function();
      remember(std::move(key), json::to_payload(value));
      co_return value;
    } else {
      Value value = function();
      remember(std::move(key), json::to_payload(value));
      co_return value;
    }
  }

 private:
  template <class... T, std::size_t... I>
  static std::tuple<T...> read_all(const std::vector<json::Payload>& found, std::index_sequence<I...>,
                                   const Ask<T>&... asks) {
    return std::tuple<T...>{asks.read(found[I])...};
  }

  template <class T>
  static Task<void> keep(Task<T> task, std::optional<T>* result) {
    result->emplace(co_await std::move(task));
  }

  void wait_for(Task<void> task);
  Task<std::vector<json::Payload>> answers(std::vector<Question> questions);
  std::optional<json::Payload> recall(std::string_view key) const;
  void remember(std::string key, json::Payload value);

  ContextState& state_;
};

}  // namespace fairlead::server

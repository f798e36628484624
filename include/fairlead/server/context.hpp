#pragma once

#include <fairlead/base/non_copyable.hpp>
#include <fairlead/http/identity.hpp>
#include <fairlead/jsonrpc/id.hpp>
#include <fairlead/protocol/era_codec.hpp>
#include <fairlead/protocol/revision.hpp>
#include <fairlead/server/changes.hpp>
#include <fairlead/server/server_request.hpp>
#include <fairlead/server/signature.hpp>

namespace fairlead::server {

struct ContextState;

/// What `Context::once` does in a task whose server was restarted while the function ran.
enum class IfInterrupted : std::uint8_t {
  fail,    ///< The task fails, because the effect of the function is unknown. It is not run a second time.
  repeat,  ///< Runs the function again: it has no effect outside, or an effect that may be repeated.
};

/// Gives a handler access to its request and to the client that sent it. Valid while the handler runs.
///
/// `elicit`, `sample`, `roots` and `once` work in both eras. In the handshake era they send a request and wait for its
/// response. In the stateless era a request without a response ends the round: the client repeats the call with the
/// response, and **the handler runs again from its start**. Put side effects that must not be repeated into `once`.
/// Once the call has become a task, a request waits for its response in `tasks/update`, and the handler does not run
/// again unless the server is restarted.
class Context : NonCopyable {
 public:
  explicit Context(ContextState& state) : state_(state) {}

  const std::string& principal() const;  ///< Authenticated caller; empty if not authenticated.
  /// Scopes and claims of the caller; null if it is not authenticated.
  const http::Identity* identity() const;
  const protocol::Revision& revision() const;
  const protocol::ClientIdentity& caller() const;
  const std::optional<jsonrpc::Id>& request_id() const;
  const json::Payload& params() const;

  bool can_elicit() const;
  bool can_elicit_url() const;
  bool can_sample() const;
  bool can_list_roots() const;
  /// True if the client shows pages of `Server::page`. Return useful text in any case: the model reads it.
  bool shows_pages() const;

  /// True if the caller may see the entry, by the rule of `Server::visible`. For handlers of `Server::method`.
  bool is_visible(EntryKind kind, std::string_view name) const;

  /// Releases the HTTP connection of the request while the handler continues. The client reconnects to fetch the
  /// result, in revisions with resumable streams. No effect on other transports and revisions.
  void release_stream();

  /// True if the client cancelled the request. A coroutine also gets an exception from its next co_await; a loop has
  /// to call this.
  bool cancelled() const;

  /// Makes the call a task now: the client gets a handle, and the handler continues without its connection. Returns
  /// false if the call stays a plain one: `ToolOptions::task` forbids tasks, the client does not support them, or too
  /// many exist.
  Task<bool> become_task();
  bool is_task() const;

  /// Sets the status text of the task, at most 1 KiB. No effect in a plain call.
  Task<void> status(std::string text);

  /// For handlers marked `blocking`: runs a task on the event loop and blocks until it has ended.
  ///
  ///     context.wait(context.progress(1, 2));
  ///     const auto answer = context.wait(context.elicit<Confirm>("Really?"));
  ///
  /// Rethrows exceptions of the task; throws Failed if the request was cancelled. A function passed to `once` also runs
  /// on the event loop.
  template <class T>
  T wait(Task<T> task) {
    std::optional<T> result;
    wait_for(store_result(std::move(task), &result));
    return std::move(*result);
  }
  void wait(Task<void> task) { wait_for(std::move(task)); }

  /// Sends a progress notification if the request carries a progress token and `done` exceeds the last value. In a
  /// task, sets the status text to `message`.
  Task<void> progress(double done, std::optional<double> total = {}, std::string message = {});

  Task<void> log(protocol::LoggingLevel level, std::string text, std::string logger = {});
  Task<void> log(protocol::LoggingLevel level, json::Payload data, std::string logger = {});

  template <class T>
  Task<T> elicit(std::string message, std::string key = {}) {
    return request(elicit_form<T>(std::move(message), std::move(key)));
  }
  Task<json::Payload> elicit(std::string message, json::Payload schema, std::string key = {});
  Task<void> elicit_url(std::string message, std::string url, std::string key = {});

  Task<std::string> sample(std::string prompt, std::int64_t max_tokens, std::string key = {});
  Task<protocol::CreateMessageResult> sample(protocol::CreateMessageParams params, std::string key = {});
  Task<std::vector<protocol::Root>> roots(std::string key = {});

  /// Sends several requests. In the stateless era they share one round.
  template <class... T>
  Task<std::tuple<T...>> request_all(ServerRequest<T>... requests) {
    std::vector<ServerRequestSpec> specs;
    (specs.push_back(std::move(requests.spec)), ...);
    auto results = co_await send_requests(std::move(specs));
    co_return read_all<T...>(results, std::index_sequence_for<T...>{}, requests...);
  }

  template <class T>
  Task<T> request(ServerRequest<T> request) {
    std::vector<ServerRequestSpec> specs;
    specs.push_back(std::move(request.spec));
    auto results = co_await send_requests(std::move(specs));
    co_return request.read(results.front());
  }

  /// Runs `function` in the first round and returns its stored result in later rounds of the same request. The client
  /// carries the result as encrypted state, so its type must be convertible to JSON. In a task, the result is stored
  /// with the task before this returns. If the server was restarted while `function` ran, its effect is unknown: the
  /// task fails, or runs it again with IfInterrupted::repeat.
  template <class F>
  auto once(std::string key, F function, IfInterrupted interrupted = IfInterrupted::fail)
      -> Task<typename TaskTraits<std::invoke_result_t<F&>>::Value> {
    using Value = typename TaskTraits<std::invoke_result_t<F&>>::Value;
    if (const auto known = recall(key)) {
      auto value = json::decode<Value>(*known);
      if (value) co_return std::move(*value);
    }
    if (interrupted == IfInterrupted::fail) co_await mark_begun(key);
    if constexpr (TaskTraits<std::invoke_result_t<F&>>::is_task) {
      Value value = co_await function();
      co_await remember(std::move(key), json::to_payload(value));
      co_return value;
    } else {
      Value value = function();
      co_await remember(std::move(key), json::to_payload(value));
      co_return value;
    }
  }

 private:
  template <class... T, std::size_t... I>
  static std::tuple<T...> read_all(const std::vector<json::Payload>& results, std::index_sequence<I...>,
                                   const ServerRequest<T>&... requests) {
    return std::tuple<T...>{requests.read(results[I])...};
  }

  template <class T>
  static Task<void> store_result(Task<T> task, std::optional<T>* result) {
    result->emplace(co_await std::move(task));
  }

  void wait_for(Task<void> task);
  Task<std::vector<json::Payload>> send_requests(std::vector<ServerRequestSpec> specs);
  std::optional<json::Payload> recall(std::string_view key) const;
  Task<void> mark_begun(const std::string& key);
  Task<void> remember(std::string key, json::Payload value);

  ContextState& state_;
};

}  // namespace fairlead::server

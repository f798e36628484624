#pragma once

#include <boost/system/system_error.hpp>
#include <concepts>
#include <optional>
#include <utility>

#include "server/context_state.hpp"
#include "server/loop_proxy.hpp"

namespace fairlead::server {

/// Sets Context::cancelled() to the cancellation state of the calling coroutine.
void watch_for_cancellation(ContextState& state, StopToken waiting);

/// Awaits `work` and sets the `cancelled` flag on cancellation, for a handler on another thread.
Task<void> run_cancellable(ContextState& state, Task<void> work);

template <class Output>
Task<void> run_blocking(const HandlerFunction<Output>& handler, Input input, ContextState& state,
                        std::optional<Result<Output>>* result) {
  Context context(state);
  auto ran = co_await state.server.pool->run([&] { return handler.plain(input, context); });
  result->emplace(std::move(ran));
}

template <class Output>
Task<Result<Output>> run_on_pool(const HandlerFunction<Output>& handler, Input input, ContextState& state) {
  std::optional<Result<Output>> result;
  co_await run_cancellable(state, with_loop_proxy(state.loop_proxy, run_blocking(handler, input, state, &result)));
  co_return std::move(*result);
}

/// True for the exception that Asio throws on cancellation.
inline bool is_cancellation(const std::exception& error) {
  const auto* system = dynamic_cast<const boost::system::system_error*>(&error);
  return system != nullptr && system->code() == boost::system::errc::operation_canceled;
}

/// Converts an exception of a handler to an error of type `handler_fault`. Without `handler_fault`, or on cancellation,
/// rethrows it: the session logs the text and does not send it.
template <class Output>
Result<Output> result_of_exception(const std::exception_ptr& failure, std::optional<ProtocolError> handler_fault) {
  try {
    std::rethrow_exception(failure);
  } catch (const RoundEnded&) {
    return fail(ErrorKind::invalid, "");
  } catch (const Failed& failed) {
    return std::unexpected(failed.error());
  } catch (const ElicitationDeclined& declined) {
    return refuse(handler_fault.value_or(ProtocolError::invalid_params), declined.what());
  } catch (const std::exception& error) {
    if (!handler_fault || is_cancellation(error)) throw;
    return refuse(*handler_fault, error.what());
  }
}

template <class Output>
Result<Output> result_of(TaskOutcome<Result<Output>>&& outcome, std::optional<ProtocolError> handler_fault) {
  if (outcome) return std::move(*outcome);
  return result_of_exception<Output>(outcome.error(), handler_fault);
}

/// True for a handler that is neither a coroutine nor blocking. It cannot be cancelled while it runs.
template <class Output>
bool is_plain(const HandlerFunction<Output>& handler) {
  return !handler.coroutine && !handler.blocking;
}

template <class Output>
Result<Output> run_plain(const HandlerFunction<Output>& handler, const Input& input, ContextState& state,
                         std::optional<ProtocolError> handler_fault) {
  Context context(state);
  try {
    return handler.plain(input, context);
  } catch (...) {
    return result_of_exception<Output>(std::current_exception(), handler_fault);
  }
}

/// The task of a coroutine, or of a blocking handler on a thread of the pool.
template <class Output>
Task<Result<Output>> begin_handler(const HandlerFunction<Output>& handler, const Input& input, ContextState& state,
                                   Context& context) {
  return handler.blocking ? run_on_pool(handler, input, state) : handler.coroutine(input, context);
}

/// A call of a handler: the handler, its input, and how its output becomes a reply.
template <class T>
concept HandlerCall = requires(const T& invocation, const session::Call& call) {
  { invocation.input() } -> std::same_as<Input>;
  invocation.finish(
      call, run_plain(invocation.handler(), invocation.input(), std::declval<ContextState&>(), T::handler_fault));
};

template <HandlerCall T>
Task<Result<session::Reply>> invoke_async(ServerState& server, session::Call& call, T invocation) {
  ContextState state{.server = server, .call = call};
  if (auto restored = restore(state); !restored) co_return std::unexpected(std::move(restored.error()));
  const auto& handler = invocation.handler();
  if (!handler.blocking) watch_for_cancellation(state, co_await this_task::stop_token);
  Context context(state);
  const auto input = invocation.input();
  fairlead::detail::OutcomeAwaiter ending{begin_handler(handler, input, state, context)};
  auto outcome = co_await std::move(ending);
  auto output = result_of(std::move(outcome), T::handler_fault);
  if (!state.input_requests.empty()) co_return end_round(state);
  co_return invocation.finish(call, std::move(output));
}

/// Calls a handler. The reply is ready if the handler is plain.
template <HandlerCall T>
Task<Result<session::Reply>> invoke(ServerState& server, session::Call& call, T invocation) {
  if (!is_plain(invocation.handler())) return invoke_async(server, call, std::move(invocation));
  ContextState state{.server = server, .call = call};
  if (auto restored = restore(state); !restored) return std::unexpected(std::move(restored.error()));
  return invocation.finish(call, run_plain(invocation.handler(), invocation.input(), state, T::handler_fault));
}

/// Marks an error without a ProtocolError as a failure of the handler. Other errors and cancellations stay unchanged.
inline Error as_handler_error(Error error, ProtocolError fault, const std::string& subject) {
  if (error.subject.empty()) error.subject = subject;
  if (error.cause != 0 || error.kind == ErrorKind::cancelled) return error;
  return protocol_error(fault, std::move(error.message), subject);
}

}  // namespace fairlead::server

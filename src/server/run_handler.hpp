#pragma once

#include <boost/system/system_error.hpp>
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

/// The output or error of a handler. `needs_input`: the round ended with input requests instead.
template <class Output>
struct HandlerOutcome {
  Result<Output> output;
  bool needs_input = false;
};

/// True for the exception that Asio throws on cancellation.
inline bool is_cancellation(const std::exception& error) {
  const auto* system = dynamic_cast<const boost::system::system_error*>(&error);
  return system != nullptr && system->code() == boost::system::errc::operation_canceled;
}

/// Converts the current exception of a handler to an error of type `handler_fault`. Without `handler_fault`, or on
/// cancellation, rethrows it: the session logs the text and does not send it.
template <class Output>
Result<Output> result_of_exception(std::optional<ProtocolError> handler_fault) {
  try {
    throw;
  } catch (const RoundEnded&) {
    return fail(ErrorKind::invalid, "");
  } catch (const Failed& failed) {
    return std::unexpected(failed.error());
  } catch (const ElicitationDeclined& declined) {
    return std::unexpected(protocol_error(handler_fault.value_or(ProtocolError::invalid_params), declined.what()));
  } catch (const std::exception& error) {
    if (!handler_fault || is_cancellation(error)) throw;
    return std::unexpected(protocol_error(*handler_fault, error.what()));
  }
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
    return result_of_exception<Output>(handler_fault);
  }
}

template <class Output>
Task<HandlerOutcome<Output>> run_handler(const HandlerFunction<Output>& handler, Input input, ContextState& state,
                                         std::optional<ProtocolError> handler_fault) {
  Result<Output> output = fail(ErrorKind::invalid, "");
  Context context(state);
  try {
    if (handler.coroutine) {
      watch_for_cancellation(state, co_await this_task::stop_token);
      output = co_await handler.coroutine(input, context);
    } else if (handler.blocking) {
      output = co_await run_on_pool(handler, input, state);
    } else {
      output = handler.plain(input, context);
    }
  } catch (...) {
    output = result_of_exception<Output>(handler_fault);
  }
  const bool ended = !state.input_requests.empty();
  co_return HandlerOutcome<Output>{std::move(output), ended};
}

/// Marks an error without a ProtocolError as a failure of the handler. Other errors and cancellations stay unchanged.
inline Error as_handler_error(Error error, ProtocolError fault, const std::string& subject) {
  if (error.subject.empty()) error.subject = subject;
  if (error.cause != 0 || error.kind == ErrorKind::cancelled) return error;
  return protocol_error(fault, std::move(error.message), subject);
}

}  // namespace fairlead::server

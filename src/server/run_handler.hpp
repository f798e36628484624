#pragma once

#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/system/system_error.hpp>
#include <optional>
#include <utility>

#include "server/bridge.hpp"
#include "server/context_state.hpp"

namespace fairlead::server {

/// Lets the context see whether the calling coroutine was cancelled, from its own thread.
void watch_for_cancellation(ContextState& state, boost::asio::cancellation_state waiting);

/// Awaits `work` and sets the context's flag when the caller gives up: for a handler on another thread.
Task<void> run_watched(ContextState& state, Task<void> work);

template <class Output>
Task<void> run_blocking(const Handler<Output>& handler, Input input, ContextState& state,
                        std::optional<Result<Output>>* result) {
  Context context(state);
  auto ran = co_await state.server.pool->run([&] { return handler.plain(input, context); });
  result->emplace(std::move(ran));
}

template <class Output>
Task<Result<Output>> run_elsewhere(const Handler<Output>& handler, Input input, ContextState& state) {
  std::optional<Result<Output>> result;
  co_await run_watched(state, with_bridge(state.bridge, run_blocking(handler, input, state, &result)));
  co_return std::move(*result);
}

/// What came of a handler: its output, an error, or questions to the client.
template <class Output>
struct Outcome {
  Result<Output> output;
  bool ended_round = false;
};

/// The loop's own way to say that we were cancelled.
inline bool is_cancellation(const std::exception& error) {
  const auto* system = dynamic_cast<const boost::system::system_error*>(&error);
  return system != nullptr && system->code() == boost::system::errc::operation_canceled;
}

/// What became of the exception at hand: a handler's own failure, and text for whoever reads the result, if
/// `own_failure` says so; else it goes on, to where exceptions are logged and not shown.
template <class Output>
Result<Output> caught(std::optional<Fault> own_failure) {
  try {
    throw;
  } catch (const RoundEnded&) {
    return fail(ErrorKind::invalid, "");
  } catch (const Failed& failed) {
    return std::unexpected(failed.error());
  } catch (const ElicitationDeclined& declined) {
    return std::unexpected(fault_error(own_failure.value_or(Fault::invalid_params), declined.what()));
  } catch (const std::exception& error) {
    if (!own_failure || is_cancellation(error)) throw;
    return std::unexpected(fault_error(*own_failure, error.what()));
  }
}

/// A function that neither waits nor blocks: it has the loop to itself, and nobody can cancel it while it runs.
template <class Output>
bool is_plain(const Handler<Output>& handler) {
  return !handler.coroutine && !handler.blocking;
}

template <class Output>
Result<Output> run_plain(const Handler<Output>& handler, const Input& input, ContextState& state,
                         std::optional<Fault> own_failure) {
  Context context(state);
  try {
    return handler.plain(input, context);
  } catch (...) {
    return caught<Output>(own_failure);
  }
}

template <class Output>
Task<Outcome<Output>> run_handler(const Handler<Output>& handler, Input input, ContextState& state,
                                  std::optional<Fault> own_failure) {
  Result<Output> output = fail(ErrorKind::invalid, "");
  Context context(state);
  try {
    if (handler.coroutine) {
      watch_for_cancellation(state, co_await boost::asio::this_coro::cancellation_state);
      output = co_await handler.coroutine(input, context);
    } else if (handler.blocking) {
      output = co_await run_elsewhere(handler, input, state);
    } else {
      output = handler.plain(input, context);
    }
  } catch (...) {
    output = caught<Output>(own_failure);
  }
  const bool ended = !state.open_questions.empty();
  co_return Outcome<Output>{std::move(output), ended};
}

/// An error that says nothing of the protocol is the handler's; transport's errors stay what they are.
inline Error as_own_failure(Error error, Fault fault, const std::string& subject) {
  if (error.subject.empty()) error.subject = subject;
  if (error.cause != 0 || error.kind == ErrorKind::cancelled) return error;
  return fault_error(fault, std::move(error.message), subject);
}

}  // namespace fairlead::server

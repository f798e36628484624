#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <memory>

#include "server/loop_proxy.hpp"
#include "server/run_handler.hpp"

namespace fairlead::server {
namespace asio = boost::asio;

void watch_for_cancellation(ContextState& state, asio::cancellation_state waiting) {
  state.is_cancelled = [waiting] { return waiting.cancelled() != asio::cancellation_type::none; };
}

Task<void> run_cancellable(ContextState& state, Task<void> work) {
  const auto executor = co_await asio::this_coro::executor;
  const auto signal = std::make_shared<asio::cancellation_signal>();
  const auto start = [&state, &work, executor, signal](auto handler) {
    auto slot = asio::get_associated_cancellation_slot(handler);
    if (slot.is_connected()) {
      slot.assign([&state, signal](asio::cancellation_type type) {
        state.cancelled = true;
        if (state.loop_proxy != nullptr) state.loop_proxy->cancel();
        signal->emit(type);
      });
    }
    auto finish = [handler = std::move(handler), slot](std::exception_ptr failure) mutable {
      if (slot.is_connected()) slot.clear();
      std::move(handler)(failure);
    };
    asio::co_spawn(executor, std::move(work), asio::bind_cancellation_slot(signal->slot(), std::move(finish)));
  };
  co_await asio::async_initiate<const asio::use_awaitable_t<>, void(std::exception_ptr)>(start, asio::use_awaitable);
}

}  // namespace fairlead::server

#pragma once

#include <fairlead/base/event_loop.hpp>
#include <fairlead/base/result.hpp>
#include <fairlead/base/task.hpp>
#include <fairlead/http/listener.hpp>
#include <memory>
#include <string>
#include <string_view>

#include "base/promise.hpp"

namespace fairlead::auth {

/// A redirect URI on this machine.
struct CallbackAddress {
  std::string host = {};   ///< `127.0.0.1`, `localhost` or `::1`.
  std::uint16_t port = 0;  ///< 0 for any.
  std::string path = {};

  /// `invalid` unless it is an http URL on loopback without a query.
  static Result<CallbackAddress> parse(std::string_view url);
  std::string url() const;
};

/// What the browser came back with. Only a request with the state of the sign-in counts; all others are refused.
class CallbackInbox {
 public:
  explicit CallbackInbox(CallbackAddress address) : address_(std::move(address)) {}

  const CallbackAddress& address() const { return address_; }
  void set_port(std::uint16_t port) { address_.port = port; }
  void expect(std::string state) { state_ = std::move(state); }
  /// Takes the query of a request. False if it does not belong to the sign-in, or came twice.
  bool accept(std::string_view query);
  bool has_answer() const { return returned_.is_set(); }
  /// The URL that the browser was redirected to.
  Task<Result<std::string>> wait();

 private:
  CallbackAddress address_;
  std::string state_;
  Promise<std::string> returned_;
};

/// Waits at a loopback address, on IPv4 and IPv6, for the return of a browser.
class CallbackListener {
 public:
  /// Binds the port, or a free one. Fails if another process uses it on either family.
  static Result<std::unique_ptr<CallbackListener>> open(const EventLoop& loop, CallbackAddress address);

  const std::shared_ptr<CallbackInbox>& inbox() const { return inbox_; }
  /// Sends the page that is being sent, and stops listening.
  Task<void> close();

 private:
  Result<void> bind(const EventLoop& loop, CallbackAddress address);

  std::shared_ptr<CallbackInbox> inbox_;
  std::unique_ptr<http::Listener> first_, second_;
};

}  // namespace fairlead::auth

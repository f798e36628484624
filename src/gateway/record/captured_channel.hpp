#pragma once

#include <fairlead/session/service.hpp>
#include <list>

#include "base/async_event.hpp"
#include "base/promise.hpp"
#include "gateway/record/record_line.hpp"

namespace fairlead::gateway {

/// A request or notification of a server that was not compared yet.
struct CapturedMessage {
  LineKind kind = LineKind::server_notification;
  std::string method = {};
  json::Payload params = {};
  std::shared_ptr<Promise<Result<session::Reply>>> answer = {};  ///< Set for requests.
};

/// Captures requests and notifications of a server, for a call or a session.
class CapturedChannel final : public session::PeerChannel, public session::Service {
 public:
  /// `changed` is notified for each message; it outlives this object.
  explicit CapturedChannel(AsyncEvent& event) : event_(event) {}

  Task<Result<session::Reply>> request(std::string method, json::Payload params) override {
    const auto answer = std::make_shared<Promise<Result<session::Reply>>>();
    capture(
        {.kind = LineKind::server_call, .method = std::move(method), .params = std::move(params), .answer = answer});
    auto reply = co_await answer->wait();
    if (!reply) co_return fail(ErrorKind::cancelled, "the call has ended");
    co_return std::move(*reply);
  }
  Task<Result<void>> notify(std::string method, json::Payload params) override {
    capture({.kind = LineKind::server_notification, .method = std::move(method), .params = std::move(params)});
    return Result<void>();
  }

  Task<Result<session::Reply>> call(session::Call& call) override { return request(call.method, call.params); }
  Task<void> notify(session::Notification& notice) override {
    capture({.kind = LineKind::server_notification, .method = notice.method, .params = notice.params});
    return {};
  }

  std::list<CapturedMessage> messages = {};

 private:
  void capture(CapturedMessage message) {
    messages.push_back(std::move(message));
    event_.notify();
  }

  AsyncEvent& event_;
};

}  // namespace fairlead::gateway

#pragma once

#include <fairlead/base/blocking_pool.hpp>
#include <fairlead/client/options.hpp>

namespace fairlead::client {

/// Handles requests of the server with the handlers of ClientOptions, and dispatches its notifications.
class ClientRequestHandler final : public session::Service {
 public:
  explicit ClientRequestHandler(const ClientOptions& options);

  /// The capabilities to declare: one for each handler that is set.
  protocol::ClientCapabilities capabilities() const;

  /// Answers a request that came as a message or as an input request inside a result.
  Task<Result<json::Payload>> handle_request(std::string method, json::Payload params);

  Task<Result<session::Reply>> call(session::Call& call) override;
  Task<void> notify(session::Notification& notification) override;

  std::vector<protocol::Root> roots;
  /// Called first for every notification.
  std::function<void(const session::Notification&)> before_notification = {};
  /// Called when the server acknowledges a subscription, with the part that it accepted.
  std::function<void(const jsonrpc::Id&, const protocol::SubscriptionFilter&)> on_acknowledged = {};

 private:
  Task<Result<json::Payload>> create_message(json::Payload params);
  Task<Result<json::Payload>> elicit(json::Payload params);
  Task<Result<json::Payload>> elicit_form(protocol::ElicitFormParams form);
  Task<Result<json::Payload>> elicit_url(protocol::ElicitUrlParams page);
  void acknowledge(const json::Payload& params);

  const ClientOptions& options_;
  BlockingPool pool_{4, 64};
};

}  // namespace fairlead::client

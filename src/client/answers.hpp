#pragma once

#include <fairlead/base/blocking_pool.hpp>
#include <fairlead/client/options.hpp>
#include <functional>
#include <string>
#include <vector>

namespace fairlead::client {

/// Our side of the conversation: answers what the server asks, and passes on what it tells.
class Answers final : public session::Service {
 public:
  explicit Answers(const ClientOptions& options);

  /// What we can do for a server.
  protocol::ClientCapabilities capabilities() const;

  /// To a question in either form: a request of its own, or one inside a result.
  Task<Result<json::Payload>> answer(std::string method, json::Payload params);

  Task<Result<session::Reply>> call(session::Call& call) override;
  Task<void> notify(session::Notice& notice) override;

  std::vector<protocol::Root> roots;
  /// Hears every notice before anybody else.
  std::function<void(const session::Notice&)> on_any = {};
  /// Hears which subscription a server has taken up, and what of it.
  std::function<void(const jsonrpc::Id&, const protocol::SubscriptionFilter&)> on_acknowledged = {};

 private:
  Task<Result<json::Payload>> sample(json::Payload params);
  Task<Result<json::Payload>> elicit(json::Payload params);
  Task<Result<json::Payload>> fill(protocol::ElicitFormParams form);
  Task<Result<json::Payload>> visit(protocol::ElicitUrlParams page);
  void acknowledge(const json::Payload& params);

  const ClientOptions& options_;
  BlockingPool pool_{4, 64};
};

}  // namespace fairlead::client

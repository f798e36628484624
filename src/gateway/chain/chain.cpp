#include <fairlead/gateway/chain.hpp>

#include <fairlead/jsonrpc/message.hpp>
#include <ranges>

#include "gateway/chain/middleware_link.hpp"

namespace fairlead::gateway {
namespace {

/// The end of a chain without a server.
class UnterminatedChain final : public Service {
 public:
  Task<Result<session::Reply>> call(session::Call&) override {
    return refuse("no server at the end of this chain: add one with then(server)", jsonrpc::code::internal_error);
  }
  Task<void> notify(session::Notification&) override { return {}; }
};

}  // namespace

Chain Chain::then(std::shared_ptr<Middleware> middleware) const {
  Chain longer = *this;
  longer.middleware_.push_back(std::move(middleware));
  return longer;
}

Chain Chain::then(const Chain& more) const {
  Chain longer = *this;
  longer.middleware_.insert(longer.middleware_.end(), more.middleware_.begin(), more.middleware_.end());
  return longer;
}

std::shared_ptr<Service> Chain::then(std::shared_ptr<Service> server) const {
  auto front = std::move(server);
  for (const auto& middleware : middleware_ | std::views::reverse)
    front = link_middleware(middleware, std::move(front));
  return front;
}

std::shared_ptr<Service> Chain::then(Service& server) const {
  return then(std::shared_ptr<Service>(std::shared_ptr<void>(), &server));
}

std::shared_ptr<Service> Chain::as_service() const {
  return then(std::shared_ptr<Service>(std::make_shared<UnterminatedChain>()));
}

std::vector<std::string> Chain::wanted_headers() const {
  std::vector<std::string> all;
  for (const auto& middleware : middleware_) {
    for (auto& name : middleware->wanted_headers()) all.push_back(std::move(name));
  }
  return all;
}

}  // namespace fairlead::gateway

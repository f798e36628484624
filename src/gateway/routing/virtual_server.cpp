#include "gateway/routing/virtual_server.hpp"

#include <fairlead/base/timer_wheel.hpp>
#include <utility>

namespace fairlead::gateway {
namespace {

session::SessionOptions session_options(const std::string& name, Duration server_request_timeout) {
  session::SessionOptions options;
  options.name = name;
  options.nested_request_timeout = server_request_timeout;
  return options;
}

AggregatorOptions with_single_pass_through(AggregatorOptions options) {
  options.pass_through_single = true;
  return options;
}

std::shared_ptr<session::Service> observe_service(session::Service& front,
                                                  std::shared_ptr<const ObserverList> observers, const EventLoop& loop,
                                                  const session::Service& backends) {
  if (!observers) return chain().then(front);
  const ObservationPoint post{.hop = Hop::front, .backends = &backends};
  return chain()
      .then(std::make_shared<ObservingMiddleware>(std::move(observers), loop.timers.clock(), post))
      .then(front);
}

}  // namespace

VirtualServer::VirtualServer(EventLoop loop, std::string name, protocol::Implementation info, AggregatorOptions options,
                             const EraAdapterOptions& era, std::shared_ptr<const ObserverList> observers,
                             std::shared_ptr<TapHub> tap)
    : name_(std::move(name)),
      info_(std::move(info)),
      tasks_(loop.executor, loop.log, name_),
      aggregator_(loop, tasks_, {}, with_single_pass_through(std::move(options))),
      initialize_([this](const session::Call& call) { return describe(call); }, aggregator_),
      era_(loop, chain_, era),
      debug_log_(era_, loop.log, name_),
      observed_(observe_service(debug_log_, std::move(observers), loop, chain_)),
      tap_(*observed_, chain_, tap ? std::move(tap) : std::make_shared<TapHub>(loop), name_),
      sessions_(tap_, session_options(name_, era.server_request_timeout)) {
  set_chain(chain());
}

void VirtualServer::set_servers(std::vector<BackendSlot> slots) {
  single_backend_ = slots.size() == 1 ? slots.front().backend : nullptr;
  aggregator_.replace(std::move(slots));
}

void VirtualServer::set_chain(const Chain& chain) {
  chain_.set(chain.then(static_cast<session::Service&>(initialize_)));
}

Task<Result<client::ServerDescription>> VirtualServer::describe(const session::Call& call) {
  const auto only = single_backend_;
  if (only) co_return co_await only->describe_for(call);
  if (call.context.revision) aggregator_.expect_revision(*call.context.revision);
  auto all = co_await aggregator_.combined_description();
  if (all) all->info = info_;
  co_return all;
}

Task<void> VirtualServer::stop() {
  co_await era_.stop();
  tasks_.cancel();
  co_await tasks_.join();
}

std::shared_ptr<http::Handler> handler_owning(std::shared_ptr<VirtualServer> server,
                                              std::shared_ptr<http::Handler> handler) {
  struct Kept {
    std::shared_ptr<VirtualServer> server;  // Destroyed after the handler, which refers to it.
    std::shared_ptr<http::Handler> handler;
  };
  const auto kept = std::make_shared<Kept>(Kept{.server = std::move(server), .handler = std::move(handler)});
  return {kept, kept->handler.get()};
}

}  // namespace fairlead::gateway

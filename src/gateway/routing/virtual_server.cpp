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

template <class T, class... Args>
std::shared_ptr<T> or_new(std::shared_ptr<T> given, const Args&... args) {
  return given ? std::move(given) : std::make_shared<T>(args...);
}

}  // namespace

VirtualServer::VirtualServer(EventLoop loop, std::string name, AggregatorOptions options, const EraAdapterOptions& era,
                             std::shared_ptr<const ObserverList> observers, std::shared_ptr<TapHub> tap)
    : name_(std::move(name)),
      tasks_(loop.executor, loop.log, name_),
      aggregator_(loop, tasks_, {}, with_single_pass_through(std::move(options))),
      era_(loop, aggregator_, era),
      tap_(era_, loop, name_, or_new(std::move(observers)), or_new(std::move(tap), loop)),
      sessions_(tap_, session_options(name_, era.server_request_timeout)) {}

void VirtualServer::set_servers(std::vector<BackendSlot> slots) {
  aggregator_.replace(std::move(slots));
}

void VirtualServer::set_chain(const Chain& chain) {
  era_.set_chain(chain.then(static_cast<session::Service&>(aggregator_)));
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

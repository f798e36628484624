#pragma once

#include <utility>

#include "gateway/model/forwarding_service.hpp"
#include "gateway/observe/observing_middleware.hpp"

namespace fairlead::gateway {

/// Reports the calls of clients to the observers (`Hop::front`).
class ObservingService final : public ForwardingService {
 public:
  /// `clock` and `next` outlive it. `next` also looks up the owner of a target.
  ObservingService(std::shared_ptr<const ObserverList> observers, const Clock& clock, session::Service& next)
      : ForwardingService(next), observing_(std::move(observers), clock, {.hop = Hop::front, .backends = &next}) {}

  Task<Result<session::Reply>> call(session::Call& call) override { return observing_.call(call, *target()); }

 private:
  ObservingMiddleware observing_;
};

/// Reports the calls of a server to the observers (`Hop::server`).
class ObservedBackend final : public ForwardingBackend {
 public:
  /// `clock` outlives it.
  ObservedBackend(std::shared_ptr<const ObserverList> observers, const Clock& clock, std::shared_ptr<Backend> backend)
      : ForwardingBackend(std::move(backend)),
        observing_(std::move(observers), clock, {.hop = Hop::server, .server = target()->name()}) {}

  Task<Result<session::Reply>> call(session::Call& call) override { return observing_.call(call, *target()); }

 private:
  ObservingMiddleware observing_;
};

}  // namespace fairlead::gateway

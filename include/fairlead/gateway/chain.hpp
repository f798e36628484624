#pragma once

#include <cstddef>
#include <fairlead/gateway/middleware.hpp>
#include <fairlead/gateway/transformers.hpp>

namespace fairlead::gateway {

/// A sequence of middleware. The one that is added first is outermost: it sees a request first and its reply last.
///
/// An immutable value: each `then` returns a longer chain. A chain that ends in a server is a service.
class Chain {
 public:
  Chain then(std::shared_ptr<Middleware> middleware) const;
  Chain then(const Chain& more) const;

  template <std::derived_from<Middleware> M>
  Chain then(M middleware) const {
    return then(std::shared_ptr<Middleware>(std::make_shared<M>(std::move(middleware))));
  }

  template <RequestTransformer F>
  Chain then(F request) const {
    return then(transforming({}, request_transformer(std::move(request))));
  }
  template <MetadataTransformer M, RequestTransformer R>
  Chain then(M metadata, R request) const {
    return then(transforming(metadata_transformer(std::move(metadata)), request_transformer(std::move(request))));
  }
  template <MetadataTransformer M>
  Chain then(M metadata, std::nullptr_t) const {
    return then(transforming(metadata_transformer(std::move(metadata)), {}));
  }
  template <RequestTransformer R>
  Chain then(std::nullptr_t, R request) const {
    return then(transforming({}, request_transformer(std::move(request))));
  }

  /// Ends the chain in a server. A server that is passed by reference must outlive the result.
  std::shared_ptr<session::Service> then(std::shared_ptr<session::Service> server) const;
  std::shared_ptr<session::Service> then(session::Service& server) const;

  /// The chain without a server: requests that reach its end fail with an error that says so.
  std::shared_ptr<session::Service> as_service() const;

  /// Outermost first.
  const std::vector<std::shared_ptr<Middleware>>& steps() const { return middleware_; }

  /// The client headers that any of the middleware needs (`Middleware::wanted_headers`).
  std::vector<std::string> wanted_headers() const;

 private:
  std::vector<std::shared_ptr<Middleware>> middleware_;
};

/// An empty chain.
inline Chain chain() {
  return {};
}

}  // namespace fairlead::gateway

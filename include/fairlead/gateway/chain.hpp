#pragma once

#include <concepts>
#include <cstddef>
#include <fairlead/gateway/middleware.hpp>
#include <fairlead/gateway/transformers.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace fairlead::gateway {

/// Middleware in a row: what is added first is outermost, so it sees a request first and its reply last.
///
/// A value that never changes: each `then` returns a longer chain and leaves this one as it was, to be used again.
/// Ends in a server, which makes a service of it.
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

  /// The end: whatever answers. Given by reference, it outlives what this returns.
  std::shared_ptr<session::Service> then(std::shared_ptr<session::Service> server) const;
  std::shared_ptr<session::Service> then(session::Service& server) const;

  /// The chain as it is, without a server: what gets through to its end is refused, and the error says why.
  std::shared_ptr<session::Service> without_server() const;

  /// The first is outermost.
  const std::vector<std::shared_ptr<Middleware>>& steps() const { return middleware_; }

  /// What all of them want to see (`Middleware::wanted_headers`).
  std::vector<std::string> wanted_headers() const;

 private:
  std::vector<std::shared_ptr<Middleware>> middleware_;
};

/// The beginning of every chain.
inline Chain chain() {
  return {};
}

}  // namespace fairlead::gateway

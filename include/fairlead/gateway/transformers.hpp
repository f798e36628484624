#pragma once

#include <concepts>
#include <fairlead/gateway/middleware.hpp>
#include <functional>
#include <type_traits>

/// Functions as middleware. Each gets the next service and decides whether and how often to call it.
namespace fairlead::gateway {

/// `Middleware::call` as a function. A coroutine lambda may capture: it lives as long as the chain.
using Transformer = std::function<Task<Result<session::Reply>>(session::Service& next, session::Call& call)>;

/// A reply instead of the server's, or nothing to pass the request on.
using ShortCircuit = std::optional<Result<session::Reply>>;

/// Changes the metadata in a result. `method` is the request: `tools/list`, `initialize`.
using MetadataChange = std::function<Result<json::Payload>(std::string_view method, json::Payload metadata)>;

/// Whether the result describes the server: initialize, discover and lists.
bool is_metadata(std::string_view method);

/// Passes metadata requests to the first function and all others to the second; an empty function passes requests on.
std::shared_ptr<Middleware> transforming(Transformer metadata, Transformer request);

Transformer metadata_changer(MetadataChange change);
Transformer short_circuiting(std::function<ShortCircuit(session::Call&)> look);

template <class F>
concept Transforms = std::is_invocable_r_v<Task<Result<session::Reply>>, F&, session::Service&, session::Call&>;

template <class F>
concept InspectsRequests =
    std::is_invocable_r_v<ShortCircuit, F&, session::Call&> ||
    (std::invocable<F&, session::Call&> && std::is_void_v<std::invoke_result_t<F&, session::Call&>>);

template <class F>
concept ChangesMetadata = std::is_invocable_r_v<Result<json::Payload>, F&, json::Payload> ||
                          std::is_invocable_r_v<Result<json::Payload>, F&, std::string_view, json::Payload>;

/// `(Service& next, Call& call) -> Task<Result<Reply>>`, or `(Call&)`, which may return a `ShortCircuit`.
template <class F>
concept RequestTransformer = Transforms<F> || InspectsRequests<F>;

/// `(Service& next, Call& call) -> Task<Result<Reply>>`, or `(json::Payload) -> json::Payload`, optionally with the
/// method as its first parameter.
template <class F>
concept MetadataTransformer = Transforms<F> || ChangesMetadata<F>;

template <RequestTransformer F>
Transformer request_transformer(F function) {
  if constexpr (Transforms<F>) {
    return function;
  } else {
    return short_circuiting([function = std::move(function)](session::Call& call) mutable -> ShortCircuit {
      if constexpr (std::is_void_v<std::invoke_result_t<F&, session::Call&>>) {
        function(call);
        return std::nullopt;
      } else {
        return function(call);
      }
    });
  }
}

template <MetadataTransformer F>
Transformer metadata_transformer(F function) {
  if constexpr (Transforms<F>) {
    return function;
  } else if constexpr (std::invocable<F&, json::Payload>) {
    return metadata_changer([function = std::move(function)](std::string_view, json::Payload metadata) mutable {
      return Result<json::Payload>(function(std::move(metadata)));
    });
  } else {
    return metadata_changer(std::move(function));
  }
}

}  // namespace fairlead::gateway

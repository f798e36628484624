#pragma once

#include <concepts>
#include <fairlead/gateway/middleware.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

/// Functions as middleware. Each gets what comes next and decides whether and how often to call it.
namespace fairlead::gateway {

/// What `Middleware::call` does, as a function. A coroutine lambda may capture: it is kept as long as the chain.
using Transformer = std::function<Task<Result<session::Reply>>(session::Service& next, session::Call& call)>;

/// An answer in the server's place, or nothing to let the request pass.
using EarlyAnswer = std::optional<Result<session::Reply>>;

/// Metadata in, metadata out. `method` says which: `tools/list`, `initialize`.
using MetadataChange = std::function<Result<json::Payload>(std::string_view method, json::Payload metadata)>;

/// Whether a method's result tells what a server is and has: introductions and lists.
bool is_metadata(std::string_view method);

/// Shows metadata to the one and all other requests to the other; what is empty lets pass.
std::shared_ptr<Middleware> transforming(Transformer metadata, Transformer request);

Transformer changing_metadata(MetadataChange change);
Transformer answering_early(std::function<EarlyAnswer(session::Call&)> look);

template <class F>
concept Transforms = std::is_invocable_r_v<Task<Result<session::Reply>>, F&, session::Service&, session::Call&>;

template <class F>
concept LooksAtRequests =
    std::is_invocable_r_v<EarlyAnswer, F&, session::Call&> ||
    (std::invocable<F&, session::Call&> && std::is_void_v<std::invoke_result_t<F&, session::Call&>>);

template <class F>
concept ChangesMetadata = std::is_invocable_r_v<Result<json::Payload>, F&, json::Payload> ||
                          std::is_invocable_r_v<Result<json::Payload>, F&, std::string_view, json::Payload>;

/// `(Service& next, Call& call) -> Task<Result<Reply>>`, or plainly `(Call&)`, which may return an `EarlyAnswer`.
template <class F>
concept RequestTransformer = Transforms<F> || LooksAtRequests<F>;

/// The former, or plainly `(json::Payload) -> json::Payload`, with the method before it if wanted.
template <class F>
concept MetadataTransformer = Transforms<F> || ChangesMetadata<F>;

template <RequestTransformer F>
Transformer request_transformer(F function) {
  if constexpr (Transforms<F>) {
    return function;
  } else {
    return answering_early([function = std::move(function)](session::Call& call) mutable -> EarlyAnswer {
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
    return changing_metadata([function = std::move(function)](std::string_view, json::Payload metadata) mutable {
      return Result<json::Payload>(function(std::move(metadata)));
    });
  } else {
    return changing_metadata(std::move(function));
  }
}

}  // namespace fairlead::gateway

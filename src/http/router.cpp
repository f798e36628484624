#include <fairlead/http/router.hpp>

#include <algorithm>

#include "http/error_response.hpp"

namespace fairlead::http {
namespace {

Task<void> nothing() {
  co_return;
}

}  // namespace

void Router::add(std::string path, std::shared_ptr<Handler> handler) {
  routes_.emplace_back(std::move(path), std::move(handler));
}

Handler* Router::find(std::string_view path) const {
  for (const auto& [known, handler] : routes_) {
    if (known == path) return handler.get();
  }
  return nullptr;
}

std::optional<Response> Router::answer_now(Request& request) {
  if (auto* handler = find(request.path)) return handler->answer_now(request);
  return error_response(404, "There is nothing at this path.");
}

Task<void> Router::serve(Exchange& exchange) {
  // For unknown paths `answer_now` has already responded.
  auto* handler = find(exchange.request().path);
  return handler == nullptr ? nothing() : handler->serve(exchange);
}

std::optional<std::size_t> Router::preferred_worker(const Request& request) const {
  const auto* handler = find(request.path);
  return handler == nullptr ? std::nullopt : handler->preferred_worker(request);
}

Task<void> Router::close() {
  for (auto route = routes_.begin(); route != routes_.end(); ++route) {
    const auto same = [&](const auto& other) { return other.second == route->second; };
    if (std::find_if(routes_.begin(), route, same) == route) co_await route->second->close();
  }
}

}  // namespace fairlead::http

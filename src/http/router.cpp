#include <fairlead/http/router.hpp>

#include <algorithm>

#include "http/error_response.hpp"

namespace fairlead::http {

void Router::add(std::string path, std::shared_ptr<Handler> handler) {
  routes_.emplace_back(std::move(path), std::move(handler));
}

Handler* Router::find(std::string_view path) const {
  for (const auto& [known, handler] : routes_) {
    if (known == path) return handler.get();
  }
  return nullptr;
}

Task<Response> Router::handle(Request& request) {
  if (auto* handler = find(request.path)) return handler->handle(request);
  return error_response(404, "There is nothing at this path.");
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

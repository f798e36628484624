#include "gateway/doors.hpp"

#include <utility>

namespace fairlead::gateway {
namespace {

http::Response nothing_here() {
  return {.status = 404, .content_type = "text/plain", .body = "there is nothing at this path\n"};
}

}  // namespace

void Doors::open(std::string prefix, std::shared_ptr<http::Handler> handler) {
  doors_.insert_or_assign(std::move(prefix), std::move(handler));
}

std::shared_ptr<http::Handler> Doors::shut(std::string_view prefix) {
  const auto found = doors_.find(prefix);
  if (found == doors_.end()) return nullptr;
  auto handler = std::move(found->second);
  doors_.erase(found);
  return handler;
}

// The longest prefix that ends where a segment of the path does.
std::shared_ptr<http::Handler> Doors::find(std::string_view path) const {
  while (true) {
    if (const auto found = doors_.find(path); found != doors_.end()) return found->second;
    if (path.empty()) return nullptr;
    path = path.substr(0, path.rfind('/'));
  }
}

std::optional<http::Response> Doors::answer_now(http::Request& request) {
  const auto handler = find(request.path);
  return handler ? handler->answer_now(request) : nothing_here();
}

Task<void> Doors::serve(http::Exchange& exchange) {
  const auto handler = find(exchange.request().path);
  if (handler) co_return co_await handler->serve(exchange);
  auto missing = nothing_here();
  co_await exchange.respond(std::move(missing));
}

std::optional<std::size_t> Doors::home(const http::Request& request) const {
  const auto handler = find(request.path);
  return handler ? handler->home(request) : std::nullopt;
}

Task<void> Doors::close() {
  for (const auto& [prefix, handler] : std::exchange(doors_, {})) co_await handler->close();
}

}  // namespace fairlead::gateway

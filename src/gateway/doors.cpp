#include "gateway/doors.hpp"

#include <algorithm>
#include <utility>

namespace fairlead::gateway {
namespace {

http::Response nothing_here() {
  return {.status = 404, .content_type = "text/plain", .body = "there is nothing at this path\n"};
}

http::Response in_a_circle() {
  return {.status = 508,
          .content_type = "text/plain",
          .body = "this gateway is a server of its own: take it out of its configuration\n"};
}

}  // namespace

bool Doors::was_here(const http::Request& request) const {
  if (us_.empty()) return false;
  return std::ranges::any_of(request.headers, [&](const http::HeaderView& header) {
    return protocol::same_header(header.name, "Via") && header.value.find(us_) != std::string_view::npos;
  });
}

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
  if (was_here(request)) return in_a_circle();
  const auto handler = find(request.path);
  return handler ? handler->answer_now(request) : nothing_here();
}

Task<void> Doors::serve(http::Exchange& exchange) {
  const bool circular = was_here(exchange.request());
  const auto handler = circular ? nullptr : find(exchange.request().path);
  if (handler) co_return co_await handler->serve(exchange);
  auto refusal = circular ? in_a_circle() : nothing_here();
  co_await exchange.respond(std::move(refusal));
}

std::optional<std::size_t> Doors::home(const http::Request& request) const {
  const auto handler = find(request.path);
  return handler ? handler->home(request) : std::nullopt;
}

Task<void> Doors::close() {
  for (const auto& [prefix, handler] : std::exchange(doors_, {})) co_await handler->close();
}

}  // namespace fairlead::gateway

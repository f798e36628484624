#include "gateway/routing/path_router.hpp"

#include <algorithm>
#include <fairlead/base/non_copyable.hpp>
#include <utility>

namespace fairlead::gateway {
namespace {

http::Response not_found() {
  return {.status = 404, .content_type = "text/plain", .body = "not found\n"};
}

http::Response loop_detected() {
  return {.status = 508,
          .content_type = "text/plain",
          .body =
              "loop detected: this request has already passed through this gateway, which is its own server, "
              "directly or through others; remove one of them from the configuration\n"};
}

// More gateways in a row are taken for a loop.
constexpr std::size_t max_gateways = 16;

std::string_view without_blanks(std::string_view text) {
  const auto begin = std::min(text.find_first_not_of(" \t"), text.size());
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

// The Fairlead gateways in the `Via` headers; other proxies are ignored.
std::vector<std::string> gateways_in_via(const http::Request& request) {
  std::vector<std::string> all;
  if (!request.may_have_header("Via")) return all;
  for (const auto& header : request.headers) {
    if (!protocol::same_header(header.name, "Via")) continue;
    for (auto rest = std::string_view(header.value); !rest.empty();) {
      const auto comma = std::min(rest.find(','), rest.size());
      const auto one = without_blanks(rest.substr(0, comma));
      if (one.find(" fairlead-") != std::string_view::npos) all.emplace_back(one);
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
  }
  return all;
}

/// Counts a GET request until its end, and keeps its handler.
struct OpenStream : private NonCopyable {
  OpenStream(std::shared_ptr<http::Handler> of, std::size_t& count) : handler(std::move(of)), open(count) { ++open; }
  ~OpenStream() { --open; }

  std::shared_ptr<http::Handler> handler;
  std::size_t& open;
};

std::string join_via(const std::vector<std::string>& gateways) {
  std::string all;
  for (const auto& each : gateways) all += (all.empty() ? "" : ", ") + each;
  return all;
}

}  // namespace

bool PathRouter::is_loop(const std::vector<std::string>& gateways) const {
  if (instance_id_.empty()) return false;
  const auto is_us = [&](const std::string& each) { return each.find(instance_id_) != std::string::npos; };
  return gateways.size() > max_gateways || std::ranges::any_of(gateways, is_us);
}

void PathRouter::add(std::string prefix, std::shared_ptr<http::Handler> handler) {
  handlers_.insert_or_assign(std::move(prefix), std::move(handler));
}

std::shared_ptr<http::Handler> PathRouter::remove(std::string_view prefix) {
  const auto found = handlers_.find(prefix);
  if (found == handlers_.end()) return nullptr;
  auto handler = std::move(found->second);
  handlers_.erase(found);
  return handler;
}

// Finds the longest matching prefix that ends at a path segment.
PathRouter::Handlers::const_iterator PathRouter::find_prefix(std::string_view path) const {
  auto found = handlers_.find(path);
  while (found == handlers_.end() && !path.empty()) {
    const auto slash = path.rfind('/');
    path = slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
    found = handlers_.find(path);
  }
  return found;
}

std::shared_ptr<http::Handler> PathRouter::find(const http::Request& request) const {
  const auto found = find_prefix(request.path);
  if (found == handlers_.end()) return nullptr;
  const auto gateways = via_.handler_for ? gateways_in_via(request) : std::vector<std::string>();
  if (gateways.empty()) return found->second;
  auto via_handler = via_.handler_for(found->first, request.principal, join_via(gateways));
  return via_handler ? via_handler : found->second;
}

Task<http::Response> PathRouter::handle(http::Request& request) {
  if (is_loop(gateways_in_via(request))) return loop_detected();
  auto handler = find(request);
  if (!handler) return not_found();
  auto response = handler->handle(request);
  if (request.method == "GET") {
    request.dependencies = std::make_shared<OpenStream>(std::move(handler), streams_);
  } else {
    request.dependencies = std::move(handler);
  }
  return response;
}

std::optional<std::size_t> PathRouter::preferred_worker(const http::Request& request) const {
  // All handlers of a prefix use the same session ids. Does not create a handler: the request is not authenticated yet.
  const auto found = find_prefix(request.path);
  return found == handlers_.end() ? std::nullopt : found->second->preferred_worker(request);
}

Task<void> PathRouter::close() {
  for (const auto& [prefix, handler] : std::exchange(handlers_, {})) co_await handler->close();
  if (via_.close) co_await via_.close();
}

}  // namespace fairlead::gateway

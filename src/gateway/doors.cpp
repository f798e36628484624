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
          .body =
              "this request has come through this gateway before: it is a server of its own, directly or through "
              "others; take one of them out of the configuration\n"};
}

// Nobody means so many.
constexpr std::size_t most_gateways = 16;

std::string_view without_blanks(std::string_view text) {
  const auto begin = std::min(text.find_first_not_of(" \t"), text.size());
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

// The gateways of our kind that a request has come through. What proxies say of themselves tells us nothing.
std::vector<std::string> gateways_before(const http::Request& request) {
  std::vector<std::string> all;
  if (!request.may_have("Via")) return all;
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

std::string as_header(const std::vector<std::string>& gateways) {
  std::string all;
  for (const auto& each : gateways) all += (all.empty() ? "" : ", ") + each;
  return all;
}

/// Counts one more for as long as it lives.
class OpenStream {
 public:
  OpenStream(std::size_t& count, bool counts) : count_(count), by_(counts ? 1 : 0) { count_ += by_; }
  OpenStream(const OpenStream&) = delete;
  OpenStream& operator=(const OpenStream&) = delete;
  ~OpenStream() { count_ -= by_; }

 private:
  std::size_t& count_;
  std::size_t by_;
};

}  // namespace

bool Doors::was_here(const std::vector<std::string>& gateways) const {
  if (us_.empty()) return false;
  const auto is_us = [&](const std::string& each) { return each.find(us_) != std::string::npos; };
  return gateways.size() > most_gateways || std::ranges::any_of(gateways, is_us);
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
Doors::Handlers::const_iterator Doors::find_prefix(std::string_view path) const {
  auto found = doors_.find(path);
  while (found == doors_.end() && !path.empty()) {
    const auto slash = path.rfind('/');
    path = slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
    found = doors_.find(path);
  }
  return found;
}

std::shared_ptr<http::Handler> Doors::find(const http::Request& request) const {
  const auto found = find_prefix(request.path);
  if (found == doors_.end()) return nullptr;
  const auto gateways = via_.enter ? gateways_before(request) : std::vector<std::string>();
  if (gateways.empty()) return found->second;
  auto room = via_.enter(found->first, request.principal, as_header(gateways));
  return room ? room : found->second;
}

std::optional<http::Response> Doors::answer_now(http::Request& request) {
  if (was_here(gateways_before(request))) return in_a_circle();
  const auto handler = find(request);
  if (!handler) return nothing_here();
  auto answer = handler->answer_now(request);
  if (request.later) request.later->needs = handler;
  return answer;
}

Task<void> Doors::serve(http::Exchange& exchange) {
  const OpenStream stream(streams_, exchange.request().method == "GET");
  const bool circular = was_here(gateways_before(exchange.request()));
  const auto handler = circular ? nullptr : find(exchange.request());
  if (handler) co_return co_await handler->serve(exchange);
  auto refusal = circular ? in_a_circle() : nothing_here();
  co_await exchange.respond(std::move(refusal));
}

std::optional<std::size_t> Doors::home(const http::Request& request) const {
  // Of all that a prefix leads to the sessions are named alike; nothing is made for who has not been let in yet.
  const auto found = find_prefix(request.path);
  return found == doors_.end() ? std::nullopt : found->second->home(request);
}

Task<void> Doors::close() {
  for (const auto& [prefix, handler] : std::exchange(doors_, {})) co_await handler->close();
  if (via_.close) co_await via_.close();
}

}  // namespace fairlead::gateway

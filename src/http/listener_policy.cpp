#include "http/listener_policy.hpp"

#include <utility>

namespace fairlead::http {

std::optional<Response> ListenerPolicy::refuse_at_once(const Request& request) const {
  if (request.path.starts_with("/.well-known/")) {
    for (const auto& check : access_checks) {
      if (auto response = check->public_document(request)) return response;
    }
  }
  if (auto response = host_origin.refuse(request)) return response;
  // Before the access checks: browsers send preflights without credentials.
  return cors.answer_preflight(request);
}

Task<std::optional<Response>> ListenerPolicy::refuse_access(Request& request) const {
  for (std::size_t i = 0; i < access_checks.size(); ++i) {
    auto checking = access_checks[i]->refuse(request);
    if (!checking.is_ready()) return refuse_later(request, i + 1, std::move(checking));
    if (auto response = checking.take()) return response;
  }
  return std::nullopt;
}

Task<std::optional<Response>> ListenerPolicy::refuse_later(Request& request, std::size_t next,
                                                           Task<std::optional<Response>> first) const {
  // A local, because it must be destroyed before what the parameters refer to.
  auto checking = std::move(first);
  auto response = co_await std::move(checking);
  for (; !response && next < access_checks.size(); ++next) response = co_await access_checks[next]->refuse(request);
  co_return response;
}

}  // namespace fairlead::http

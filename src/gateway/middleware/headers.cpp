#include <fairlead/gateway/headers.hpp>

#include <algorithm>
#include <fairlead/protocol/meta_keys.hpp>
#include <fmt/format.h>

#include "gateway/middleware/builtin_middleware.hpp"
#include "gateway/middleware/glob.hpp"
#include "gateway/model/header_sets.hpp"
#include "http/char_class.hpp"

namespace fairlead::gateway {
namespace {

using session::Call;
using session::Reply;
using session::Service;
using Forwarded = std::vector<std::pair<std::string, std::string>>;

class InjectHeaders final : public Middleware {
 public:
  InjectHeaders(std::vector<std::string> callers, HeaderSets::Headers set, Forwarded forward,
                std::shared_ptr<HeaderSets> sets)
      : callers_(std::move(callers)), forward_(std::move(forward)), sets_(std::move(sets)) {
    if (!set.empty()) name_ = sets_->add(std::move(set));
  }
  InjectHeaders(const InjectHeaders&) = delete;
  InjectHeaders& operator=(const InjectHeaders&) = delete;
  ~InjectHeaders() override {
    if (!name_.empty()) sets_->remove(name_);
  }

  Task<Result<Reply>> call(Call& call, Service& next) override {
    const bool applies = callers_.empty() || any_matches(callers_, call.context.principal);
    auto forwarded = applies ? forwarded_from(call) : HeaderSets::Headers();
    const bool sets_some = applies && !name_.empty();
    if (!sets_some && forwarded.empty() && !requests_headers(call.params)) return next.call(call);
    auto set_names = sets_->requested_by(call.params);
    if (sets_some) set_names.push_back(name_);
    if (!forwarded.empty()) return call_with(call, next, std::move(set_names), std::move(forwarded));
    call.params = with_requested_headers(call.params, set_names);
    return next.call(call);
  }

  std::optional<Explanation> explain(Call& call, Service&) const override {
    const bool applies = callers_.empty() || any_matches(callers_, call.context.principal);
    if (!applies) return Explanation{.summary = "applies to other callers"};
    std::string summary = "adds headers if the server has a URL";
    for (const auto& [client_header, server_header] : forward_) {
      summary +=
          fmt::format("; forwards {}{}", client_header, client_header == server_header ? "" : " as " + server_header);
    }
    auto set_names = sets_->requested_by(call.params);
    if (!name_.empty()) set_names.push_back(name_);
    call.params = with_requested_headers(call.params, set_names);
    return Explanation{.summary = std::move(summary)};
  }

  std::vector<std::string> wanted_headers() const override {
    std::vector<std::string> all;
    for (const auto& [client_header, server_header] : forward_) all.push_back(client_header);
    return all;
  }

 private:
  HeaderSets::Headers forwarded_from(const Call& call) const {
    HeaderSets::Headers forwarded;
    if (!call.context.request_headers) return forwarded;
    for (const auto& [client_header, server_header] : forward_) {
      for (const auto& [name, value] : *call.context.request_headers) {
        const bool fits = !value.empty() && http::consists_of(value, http::char_class::field);
        if (fits && protocol::same_header(name, client_header)) put_header(forwarded, {server_header, value});
      }
    }
    return forwarded;
  }

  Task<Result<Reply>> call_with(Call& call, Service& next, std::vector<std::string> set_names,
                                HeaderSets::Headers forwarded) {
    const HeaderSets::ScopedHeaderSet scoped_set(sets_, std::move(forwarded));
    set_names.push_back(scoped_set.name());
    call.params = with_requested_headers(call.params, set_names);
    co_return co_await next.call(call);
  }

  std::vector<std::string> callers_;
  Forwarded forward_;
  std::shared_ptr<HeaderSets> sets_;
  std::string name_;  // Name of the fixed set; empty without one.
};

// Headers controlled by the protocols or bound to a connection. Trace headers are propagated separately.
bool is_reserved_header(std::string_view name) {
  constexpr std::string_view reserved[] = {"host",
                                           "content-length",
                                           "content-type",
                                           "content-encoding",
                                           "transfer-encoding",
                                           "te",
                                           "trailer",
                                           "connection",
                                           "keep-alive",
                                           "proxy-connection",
                                           "proxy-authenticate",
                                           "proxy-authorization",
                                           "accept",
                                           "accept-encoding",
                                           "upgrade",
                                           "http2-settings",
                                           "expect",
                                           "via",
                                           "last-event-id"};
  const auto is = [&](std::string_view other) { return protocol::same_header(name, other); };
  const auto begins = [&](std::string_view with) { return protocol::same_header(name.substr(0, with.size()), with); };
  return begins("mcp-") || begins("sec-websocket-") || std::ranges::any_of(reserved, is) ||
         std::ranges::any_of(protocol::meta::trace, is);
}

Result<void> check_name(const std::string& name) {
  if (!name.empty() && http::consists_of(name, http::char_class::token) && !is_reserved_header(name)) return {};
  return fail(ErrorKind::invalid, fmt::format("header '{}' cannot be set here", name));
}

Result<HeaderSets::Headers> checked_set(HeadersOptions& options) {
  HeaderSets::Headers checked;
  for (auto& [name, value] : options.set) {
    if (auto fits = check_name(name); !fits) return std::unexpected(std::move(fits.error()));
    if (!value.empty() && !http::consists_of(value, http::char_class::field)) {
      return fail(ErrorKind::invalid, fmt::format("{} contains a line break or another control character", name));
    }
    put_header(checked, {std::move(name), std::move(value)});
  }
  return checked;
}

// Parses `X-Team`, or `X-Client-Key:Authorization` for another name at the server.
std::pair<std::string, std::string> read_forward(const std::string& text) {
  const auto colon = text.find(':');
  return colon == std::string::npos ? std::pair(text, text) : std::pair(text.substr(0, colon), text.substr(colon + 1));
}

}  // namespace

Result<std::unique_ptr<Middleware>> headers(HeadersOptions options, std::shared_ptr<HeaderSets> sets) {
  auto set = checked_set(options);
  if (!set) return std::unexpected(std::move(set.error()));
  for (const auto& [client_header, server_header] : options.forward) {
    for (const auto& name : {client_header, server_header}) {
      if (auto fits = check_name(name); !fits) return std::unexpected(std::move(fits.error()));
    }
  }
  return std::make_unique<InjectHeaders>(std::move(options.callers), std::move(*set), std::move(options.forward),
                                         std::move(sets));
}

Registry::Entry headers_entry(std::shared_ptr<HeaderSets> sets) {
  return {.usage = "headers(caller=ann, X-Team=blue, forward=X-Client-Key:Authorization)",
          .summary = "Adds headers to requests to HTTP servers: fixed ones, and named headers of the client.",
          .make = [sets = std::move(sets)](MiddlewareArguments& arguments,
                                           EventLoop) -> Result<std::unique_ptr<Middleware>> {
            HeadersOptions options;
            options.callers = arguments.named("caller");
            for (const auto& each : arguments.named("forward")) options.forward.push_back(read_forward(each));
            options.set = arguments.pairs();
            if (options.set.empty() && options.forward.empty()) arguments.report_missing("a header");
            auto made = headers(std::move(options), sets);
            if (!made) arguments.report_error("header", made.error().message);
            return made;
          }};
}

}  // namespace fairlead::gateway

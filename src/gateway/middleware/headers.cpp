#include <fairlead/gateway/headers.hpp>

#include <algorithm>
#include <fairlead/protocol/meta_keys.hpp>
#include <fmt/format.h>

#include "gateway/middleware/builtin_middleware.hpp"
#include "gateway/middleware/glob.hpp"
#include "gateway/model/added_headers.hpp"
#include "http/char_class.hpp"

namespace fairlead::gateway {
namespace {

using Headers = std::vector<protocol::Header>;
using Forwarded = std::vector<std::pair<std::string, std::string>>;

class InjectHeaders final : public Middleware {
 public:
  InjectHeaders(std::vector<std::string> callers, Headers set, Forwarded forward)
      : callers_(std::move(callers)), forward_(std::move(forward)) {
    if (!set.empty()) set_ = std::make_shared<const session::AddedHeaders>(std::move(set));
  }

  Task<Result<Reply>> call(Call& call, Service& next) override {
    if (applies_to(call)) add_headers(call);
    return next.call(call);
  }

  std::optional<Explanation> explain(Call& call, Service&) const override {
    if (!applies_to(call)) return Explanation{.summary = "applies to other callers"};
    std::string summary = "adds headers if the server has a URL";
    for (const auto& [client_header, server_header] : forward_) {
      summary +=
          fmt::format("; forwards {}{}", client_header, client_header == server_header ? "" : " as " + server_header);
    }
    add_headers(call);
    return Explanation{.summary = std::move(summary)};
  }

  std::vector<std::string> wanted_headers() const override {
    std::vector<std::string> all;
    for (const auto& [client_header, server_header] : forward_) all.push_back(client_header);
    return all;
  }

 private:
  bool applies_to(const Call& call) const { return callers_.empty() || any_matches(callers_, call.context.principal); }

  void add_headers(Call& call) const {
    auto& added = call.context.added_headers;
    if (set_) added.push_back(set_);
    auto forwarded = forwarded_from(call);
    if (!forwarded.empty())
      added.push_back(std::make_shared<const session::AddedHeaders>(std::move(forwarded), /*from_client=*/true));
  }

  Headers forwarded_from(const Call& call) const {
    Headers forwarded;
    if (!call.context.request_headers) return forwarded;
    for (const auto& [client_header, server_header] : forward_) {
      for (const auto& [name, value] : *call.context.request_headers) {
        const bool fits = !value.empty() && http::consists_of(value, http::char_class::field);
        if (fits && protocol::same_header(name, client_header)) put_header(forwarded, {server_header, value});
      }
    }
    return forwarded;
  }

  std::vector<std::string> callers_;
  Forwarded forward_;
  std::shared_ptr<const session::AddedHeaders> set_;  // Null without fixed headers.
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

Result<Headers> checked_set(HeadersOptions& options) {
  Headers checked;
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

Result<std::unique_ptr<Middleware>> headers(HeadersOptions options) {
  auto set = checked_set(options);
  if (!set) return std::unexpected(std::move(set.error()));
  for (const auto& [client_header, server_header] : options.forward) {
    for (const auto& name : {client_header, server_header}) {
      if (auto fits = check_name(name); !fits) return std::unexpected(std::move(fits.error()));
    }
  }
  return std::make_unique<InjectHeaders>(std::move(options.callers), std::move(*set), std::move(options.forward));
}

Registry::Entry headers_entry() {
  return {.usage = "headers(caller=ann, X-Team=blue, forward=X-Client-Key:Authorization)",
          .summary = "Adds headers to requests to HTTP servers: fixed ones, and named headers of the client.",
          .make = [](MiddlewareArguments& arguments, EventLoop) -> Result<std::unique_ptr<Middleware>> {
            HeadersOptions options;
            options.callers = arguments.named("caller");
            for (const auto& each : arguments.named("forward")) options.forward.push_back(read_forward(each));
            options.set = arguments.pairs();
            if (options.set.empty() && options.forward.empty()) arguments.report_missing("a header");
            auto made = headers(std::move(options));
            if (!made) arguments.report_error("header", made.error().message);
            return made;
          }};
}

}  // namespace fairlead::gateway

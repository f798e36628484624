#include <fairlead/gateway/headers.hpp>

#include <algorithm>
#include <fairlead/protocol/meta_keys.hpp>
#include <fmt/format.h>

#include "gateway/middleware/entries.hpp"
#include "gateway/middleware/glob.hpp"
#include "gateway/upstream/header_sets.hpp"
#include "http/characters.hpp"

namespace fairlead::gateway {
namespace {

using session::Call;
using session::Reply;
using session::Service;
using Forwarded = std::vector<std::pair<std::string, std::string>>;

class InjectHeaders final : public Middleware {
 public:
  InjectHeaders(std::vector<std::string> who, HeaderSets::Headers set, Forwarded forward,
                std::shared_ptr<HeaderSets> sets)
      : who_(std::move(who)), forward_(std::move(forward)), sets_(std::move(sets)) {
    if (!set.empty()) name_ = sets_->add(std::move(set));
  }
  InjectHeaders(const InjectHeaders&) = delete;
  InjectHeaders& operator=(const InjectHeaders&) = delete;
  ~InjectHeaders() override {
    if (!name_.empty()) sets_->remove(name_);
  }

  Task<Result<Reply>> call(Call& call, Service& next) override {
    const bool is_meant = who_.empty() || any_matches(who_, call.context.principal);
    auto brought = is_meant ? brought_by(call) : HeaderSets::Headers();
    const bool sets_some = is_meant && !name_.empty();
    if (!sets_some && brought.empty() && !mentions_headers(call.params)) return next.call(call);
    auto asked = sets_->asked_by(call.params);
    if (sets_some) asked.push_back(name_);
    if (!brought.empty()) return call_with(call, next, std::move(asked), std::move(brought));
    call.params = asking_for(call.params, asked);
    return next.call(call);
  }

  std::optional<Explanation> explain(Call& call, Service&) const override {
    const bool is_meant = who_.empty() || any_matches(who_, call.context.principal);
    if (!is_meant) return Explanation{.says = "is meant for other callers"};
    std::string says = "has requests carry headers, if the server is at a URL";
    for (const auto& [theirs, ours] : forward_) {
      says += fmt::format("; forwards {}{}", theirs, theirs == ours ? "" : " as " + ours);
    }
    auto asked = sets_->asked_by(call.params);
    if (!name_.empty()) asked.push_back(name_);
    call.params = asking_for(call.params, asked);
    return Explanation{.says = std::move(says)};
  }

  std::vector<std::string> wanted_headers() const override {
    std::vector<std::string> all;
    for (const auto& [theirs, ours] : forward_) all.push_back(theirs);
    return all;
  }

 private:
  HeaderSets::Headers brought_by(const Call& call) const {
    HeaderSets::Headers brought;
    if (!call.context.luggage) return brought;
    for (const auto& [theirs, ours] : forward_) {
      for (const auto& [name, value] : *call.context.luggage) {
        const bool fits = !value.empty() && http::consists_of(value, http::character::field);
        if (fits && protocol::same_header(name, theirs)) put_header(brought, {ours, value});
      }
    }
    return brought;
  }

  Task<Result<Reply>> call_with(Call& call, Service& next, std::vector<std::string> asked,
                                HeaderSets::Headers brought) {
    const HeaderSets::Lent lent(sets_, std::move(brought));
    asked.push_back(lent.name());
    call.params = asking_for(call.params, asked);
    co_return co_await next.call(call);
  }

  std::vector<std::string> who_;
  Forwarded forward_;
  std::shared_ptr<HeaderSets> sets_;
  std::string name_;  // Empty if there is nothing but what callers bring.
};

// Those that the protocols themselves decide about, or that belong to one connection. Of a trace every request has its
// own, and it is passed on anyway.
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
  if (!name.empty() && http::consists_of(name, http::character::token) && !is_reserved_header(name)) return {};
  return fail(ErrorKind::invalid, fmt::format("'{}' is no header that can be set here", name));
}

Result<HeaderSets::Headers> checked_set(HeadersOptions& options) {
  HeaderSets::Headers checked;
  for (auto& [name, value] : options.set) {
    if (auto fits = check_name(name); !fits) return std::unexpected(std::move(fits.error()));
    if (!value.empty() && !http::consists_of(value, http::character::field)) {
      return fail(ErrorKind::invalid, fmt::format("{} holds a line break or another control character", name));
    }
    put_header(checked, {std::move(name), std::move(value)});
  }
  return checked;
}

// `X-Team`, or `X-Client-Key:Authorization` if the server calls it otherwise.
std::pair<std::string, std::string> read_forward(const std::string& text) {
  const auto colon = text.find(':');
  return colon == std::string::npos ? std::pair(text, text) : std::pair(text.substr(0, colon), text.substr(colon + 1));
}

}  // namespace

Result<std::unique_ptr<Middleware>> headers(HeadersOptions options, std::shared_ptr<HeaderSets> sets) {
  auto set = checked_set(options);
  if (!set) return std::unexpected(std::move(set.error()));
  for (const auto& [theirs, ours] : options.forward) {
    for (const auto& name : {theirs, ours}) {
      if (auto fits = check_name(name); !fits) return std::unexpected(std::move(fits.error()));
    }
  }
  return std::make_unique<InjectHeaders>(std::move(options.who), std::move(*set), std::move(options.forward),
                                         std::move(sets));
}

Registry::Entry headers_entry(std::shared_ptr<HeaderSets> sets) {
  return {.usage = "headers(who=ann, X-Team=blue, forward=X-Client-Key:Authorization)",
          .summary = "Has requests to HTTP servers carry headers: its own, and those of clients that it names.",
          .make = [sets = std::move(sets)](Arguments& arguments, Loop) -> Result<std::unique_ptr<Middleware>> {
            HeadersOptions options;
            options.who = arguments.named("who");
            for (const auto& each : arguments.named("forward")) options.forward.push_back(read_forward(each));
            options.set = arguments.pairs();
            if (options.set.empty() && options.forward.empty()) arguments.needs("a header");
            auto made = headers(std::move(options), sets);
            if (!made) arguments.wrong("header", made.error().message);
            return made;
          }};
}

}  // namespace fairlead::gateway

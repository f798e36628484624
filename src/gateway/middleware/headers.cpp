#include <fairlead/gateway/headers.hpp>

#include <algorithm>
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

class InjectHeaders final : public Middleware {
 public:
  InjectHeaders(std::vector<std::string> who, HeaderSets::Headers set, std::shared_ptr<HeaderSets> sets)
      : who_(std::move(who)), sets_(std::move(sets)), name_(sets_->add(std::move(set))) {}
  InjectHeaders(const InjectHeaders&) = delete;
  InjectHeaders& operator=(const InjectHeaders&) = delete;
  ~InjectHeaders() override { sets_->remove(name_); }

  Task<Result<Reply>> call(Call& call, Service& next) override {
    const bool is_meant = who_.empty() || any_matches(who_, call.context.principal);
    if (!is_meant && !mentions_headers(call.params)) return next.call(call);
    auto asked = sets_->asked_by(call.params);
    if (is_meant) asked.push_back(name_);
    call.params = asking_for(call.params, asked);
    return next.call(call);
  }

 private:
  std::vector<std::string> who_;
  std::shared_ptr<HeaderSets> sets_;
  std::string name_;
};

// Those that the protocols themselves decide about.
bool is_reserved_header(std::string_view name) {
  constexpr std::string_view reserved[] = {"host",       "content-length", "content-type", "transfer-encoding",
                                           "connection", "accept",         "upgrade",      "last-event-id"};
  std::string lower(name);
  std::ranges::transform(lower, lower.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return lower.starts_with("mcp-") || std::ranges::find(reserved, lower) != std::end(reserved);
}

}  // namespace

Result<std::unique_ptr<Middleware>> headers(HeadersOptions options, std::shared_ptr<HeaderSets> sets) {
  HeaderSets::Headers checked;
  for (auto& [name, value] : options.set) {
    if (name.empty() || !http::consists_of(name, http::character::token) || is_reserved_header(name)) {
      return fail(ErrorKind::invalid, fmt::format("'{}' is no header that can be set here", name));
    }
    if (!value.empty() && !http::consists_of(value, http::character::field)) {
      return fail(ErrorKind::invalid, fmt::format("{} holds a line break or another control character", name));
    }
    put_header(checked, {std::move(name), std::move(value)});
  }
  return std::make_unique<InjectHeaders>(std::move(options.who), std::move(checked), std::move(sets));
}

Registry::Entry headers_entry(std::shared_ptr<HeaderSets> sets) {
  return {.usage = "headers(who=ann, X-Team=blue)",
          .summary = "Has requests to HTTP servers carry headers, for all callers or for some.",
          .make = [sets = std::move(sets)](Arguments& arguments, Loop) -> Result<std::unique_ptr<Middleware>> {
            HeadersOptions options;
            options.who = arguments.named("who");
            options.set = arguments.pairs();
            if (options.set.empty()) arguments.needs("a header");
            auto made = headers(std::move(options), sets);
            if (!made) arguments.wrong("header", made.error().message);
            return made;
          }};
}

}  // namespace fairlead::gateway

#include <fairlead/gateway/transformers.hpp>

#include <algorithm>
#include <fairlead/protocol/model/methods.hpp>

#include "gateway/model/json_rewrite.hpp"

namespace fairlead::gateway {
namespace {

using session::Call;
using session::Reply;
using session::Service;

class Transforming final : public Middleware {
 public:
  Transforming(Transformer metadata, Transformer request)
      : metadata_(std::move(metadata)), request_(std::move(request)) {}

  Task<Result<Reply>> call(Call& call, Service& next) override {
    auto& transformer = is_metadata(call.method) ? metadata_ : request_;
    return transformer ? transformer(next, call) : next.call(call);
  }
  std::optional<Result<Reply>> answer_now(Call& call, Service& next) override {
    const auto& transformer = is_metadata(call.method) ? metadata_ : request_;
    return transformer ? std::nullopt : next.answer_now(call);
  }
  std::optional<Explanation> explain(Call& call, Service&) const override {
    if (!(is_metadata(call.method) ? metadata_ : request_))
      return Explanation{.summary = "handles other requests only"};
    return Explanation{Explanation::Effect::unknown, "is a C++ function, which may change or reject the call"};
  }

 private:
  Transformer metadata_;
  Transformer request_;
};

Task<Result<Reply>> changed(const MetadataChange& change, Service& next, Call& call) {
  const std::string method = call.method;
  auto reply = co_await next.call(call);
  if (!reply) co_return reply;
  auto metadata = change(method, std::move(reply->body));
  if (!metadata) co_return std::unexpected(std::move(metadata.error()));
  reply->body = std::move(*metadata);
  co_return reply;
}

}  // namespace

bool is_metadata(std::string_view method) {
  static constexpr std::string_view methods[] = {
      protocol::Initialize::method,  protocol::Discover::method,      protocol::ListTools::method,
      protocol::ListPrompts::method, protocol::ListResources::method, protocol::ListResourceTemplates::method};
  return std::ranges::find(methods, method) != std::end(methods);
}

std::shared_ptr<Middleware> transforming(Transformer metadata, Transformer request) {
  return std::make_shared<Transforming>(std::move(metadata), std::move(request));
}

Transformer metadata_changer(MetadataChange change) {
  return [change = std::move(change)](Service& next, Call& call) { return changed(change, next, call); };
}

Transformer short_circuiting(std::function<ShortCircuit(Call&)> look) {
  return [look = std::move(look)](Service& next, Call& call) {
    auto answer = look(call);
    return answer ? ready_reply(std::move(*answer)) : next.call(call);
  };
}

}  // namespace fairlead::gateway

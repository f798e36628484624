#include <fairlead/gateway/transformers.hpp>

#include <algorithm>
#include <fairlead/protocol/model/methods.hpp>

#include "base/change_result.hpp"

namespace fairlead::gateway {
namespace {

class Transforming final : public Middleware {
 public:
  Transforming(Transformer metadata, Transformer request)
      : metadata_(std::move(metadata)), request_(std::move(request)) {}

  Task<Result<Reply>> call(Call& call, Service& next) override {
    auto& transformer = is_metadata(call.method) ? metadata_ : request_;
    return transformer ? transformer(next, call) : next.call(call);
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

void change_metadata(const MetadataChange& change, const std::string& method, Result<Reply>& reply) {
  if (!reply) return;
  auto metadata = change(method, std::move(reply->body));
  if (metadata) {
    reply->body = std::move(*metadata);
  } else {
    reply = std::unexpected(std::move(metadata.error()));
  }
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
  return [change = std::move(change)](Service& next, Call& call) {
    return change_result(next.call(call), [&change, method = call.method](Result<Reply>& reply) {
      change_metadata(change, method, reply);
    });
  };
}

Transformer short_circuiting(std::function<ShortCircuit(Call&)> look) {
  return [look = std::move(look)](Service& next, Call& call) {
    auto answer = look(call);
    return answer ? std::move(*answer) : next.call(call);
  };
}

}  // namespace fairlead::gateway

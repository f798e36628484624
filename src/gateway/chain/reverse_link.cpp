#include <utility>

#include "gateway/chain/middleware_link.hpp"
#include "gateway/model/forwarding_service.hpp"

namespace fairlead::gateway {
namespace {

using session::PeerChannel;

/// The client's end of a request as a service, for a middleware to call.
class ChannelService final : public Service {
 public:
  explicit ChannelService(PeerChannel& back) : client_(back) {}

  Task<Result<Reply>> call(Call& call) override { return client_.request(call.method, call.params); }
  Task<void> notify(Notification& notice) override { co_await client_.notify(notice.method, notice.params); }

 private:
  PeerChannel& client_;
};

/// Replaces the peer channel of one call while the call is in flight.
class ReverseChannel final : public PeerChannel, NonCopyable {
 public:
  ReverseChannel(BidirectionalMiddleware& middleware, Call& call)
      : middleware_(middleware), call_(call), client_(*call.context.peer), client_service_(client_) {
    call_.context.peer = this;
  }
  ~ReverseChannel() override { call_.context.peer = &client_; }

  Task<Result<Reply>> request(std::string method, json::Payload params) override {
    Call request{.method = std::move(method), .params = std::move(params)};
    request.context.revision = call_.context.revision;
    request.context.caller = call_.context.caller;
    request.context.principal = call_.context.principal;
    request.context.session_key = call_.context.session_key;
    request.context.related_request = call_.context.id;
    co_return co_await middleware_.on_server_request(request, client_service_);
  }

  Task<Result<void>> notify(std::string method, json::Payload params) override {
    auto notice = notice_of(std::move(method), std::move(params));
    if (!middleware_.on_server_notification(notice)) return Result<void>();
    return client_.notify(std::move(notice.method), std::move(notice.params));
  }

  void release_stream() override { client_.release_stream(); }

 private:
  Notification notice_of(std::string method, json::Payload params) const {
    return {.method = std::move(method),
            .params = std::move(params),
            .revision = call_.context.revision,
            .related_request = call_.context.id,
            .session_key = call_.context.session_key,
            .principal = call_.context.principal};
  }

  BidirectionalMiddleware& middleware_;
  Call& call_;
  PeerChannel& client_;
  ChannelService client_service_;
};

/// The peer of a session, for messages of the server that belong to no request.
class ReversePeer final : public Service {
 public:
  ReversePeer(std::shared_ptr<Middleware> middleware, const session::SessionRef& session)
      : middleware_(std::move(middleware)),
        bidirectional_(*middleware_->as_bidirectional()),
        peer_(session.peer),
        key_(session.key),
        principal_(session.principal) {}

  Task<Result<Reply>> call(Call& call) override {
    call.context.session_key = key_;
    call.context.principal = principal_;
    call.context.related_request.reset();
    return bidirectional_.on_server_request(call, *peer_);
  }
  Task<void> notify(Notification& notice) override {
    notice.session_key = key_;
    notice.principal = principal_;
    notice.related_request.reset();
    return bidirectional_.on_server_notification(notice) ? peer_->notify(notice) : Task<void>();
  }

 private:
  std::shared_ptr<Middleware> middleware_;
  BidirectionalMiddleware& bidirectional_;
  session::PeerHandle peer_;
  std::uint64_t key_;
  std::string principal_;
};

/// May outlive the chain: a reload replaces the chain while sessions go on.
struct ReverseSession final : session::SessionHook {
  ReverseSession(const std::shared_ptr<Middleware>& middleware, const session::SessionRef& session)
      : peer(std::make_shared<ReversePeer>(middleware, session)) {}

  std::shared_ptr<ReversePeer> peer;  ///< Owns the middleware. Shared with the tasks that use it.
  std::unique_ptr<SessionHook> next;
};

class ReverseLink final : public ForwardingService {
 public:
  ReverseLink(std::shared_ptr<Middleware> middleware, std::shared_ptr<Service> next)
      : ForwardingService(std::move(next)),
        middleware_(std::move(middleware)),
        bidirectional_(*middleware_->as_bidirectional()) {}

  Task<Result<Reply>> call(Call& call) override {
    return call.context.peer != nullptr ? call_with_reverse_channel(call) : target()->call(call);
  }
  std::unique_ptr<session::SessionHook> on_session_open(session::SessionRef session) override {
    auto reverse = std::make_unique<ReverseSession>(middleware_, session);
    session.peer = reverse->peer;
    reverse->next = target()->on_session_open(std::move(session));
    return reverse;
  }

 private:
  Task<Result<Reply>> call_with_reverse_channel(Call& call) {
    const ReverseChannel back(bidirectional_, call);
    co_return co_await target()->call(call);
  }

  std::shared_ptr<Middleware> middleware_;
  BidirectionalMiddleware& bidirectional_;
};

}  // namespace

std::shared_ptr<Service> reverse_link(std::shared_ptr<Middleware> middleware, std::shared_ptr<Service> next) {
  return std::make_shared<ReverseLink>(std::move(middleware), std::move(next));
}

}  // namespace fairlead::gateway

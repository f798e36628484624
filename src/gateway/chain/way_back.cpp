#include <utility>

#include "gateway/chain/hop.hpp"
#include "gateway/origins.hpp"

namespace fairlead::gateway {
namespace {

using session::Backchannel;
using session::Call;
using session::Notice;
using session::Reply;
using session::Service;

/// A request's way back as a service, for a middleware to ask.
class Asker final : public Service {
 public:
  explicit Asker(Backchannel& back) : back_(back) {}

  Task<Result<Reply>> call(Call& call) override { return back_.ask(call.method, call.params); }
  Task<void> notify(Notice& notice) override { co_await back_.tell(notice.method, notice.params); }

 private:
  Backchannel& back_;
};

/// Stands in for the way back of one call while that is under way.
class BackHop final : public Backchannel {
 public:
  BackHop(TwoWayMiddleware& middleware, Call& call)
      : middleware_(middleware), call_(call), back_(*call.context.back), asker_(back_) {
    call_.context.back = this;
  }
  BackHop(const BackHop&) = delete;
  BackHop& operator=(const BackHop&) = delete;
  ~BackHop() override { call_.context.back = &back_; }

  Task<Result<Reply>> ask(std::string method, json::Payload params) override {
    Call question{.method = std::move(method), .params = std::move(params)};
    question.context.revision = call_.context.revision;
    question.context.caller = call_.context.caller;
    question.context.principal = call_.context.principal;
    question.context.conversation = call_.context.conversation;
    question.context.about = call_.context.id;
    co_return co_await middleware_.ask_back(question, asker_);
  }

  Task<Result<void>> tell(std::string method, json::Payload params) override {
    auto notice = notice_of(std::move(method), std::move(params));
    if (!middleware_.tell_back(notice)) return swallowed();
    return back_.tell(std::move(notice.method), std::move(notice.params));
  }

  bool tell_now(std::string_view method, const json::Payload& params) override {
    auto notice = notice_of(std::string(method), params);
    return !middleware_.tell_back(notice) || back_.tell_now(notice.method, notice.params);
  }

  void let_go() override { back_.let_go(); }

 private:
  Notice notice_of(std::string method, json::Payload params) const {
    return {.method = std::move(method),
            .params = std::move(params),
            .revision = call_.context.revision,
            .about = call_.context.id,
            .conversation = call_.context.conversation,
            .principal = call_.context.principal};
  }
  static Task<Result<void>> swallowed() { co_return Result<void>(); }

  TwoWayMiddleware& middleware_;
  Call& call_;
  Backchannel& back_;
  Asker asker_;
};

/// A conversation's peer, for what belongs to no request.
class PeerHop final : public Service {
 public:
  PeerHop(std::shared_ptr<Middleware> middleware, const session::Conversation& conversation)
      : middleware_(std::move(middleware)),
        way_(*middleware_->two_way()),
        peer_(conversation.peer),
        key_(conversation.key),
        principal_(conversation.principal) {}

  Task<Result<Reply>> call(Call& call) override {
    call.context.conversation = key_;
    call.context.principal = principal_;
    call.context.about.reset();
    return way_.ask_back(call, *peer_);
  }
  Task<void> notify(Notice& notice) override {
    notice.conversation = key_;
    notice.principal = principal_;
    notice.about.reset();
    return way_.tell_back(notice) ? peer_->notify(notice) : swallowed();
  }

 private:
  static Task<void> swallowed() { co_return; }

  std::shared_ptr<Middleware> middleware_;
  TwoWayMiddleware& way_;
  session::PeerHandle peer_;
  std::uint64_t key_;
  std::string principal_;
};

/// May outlive the chain, where that is replaced while conversations go on.
struct Attending final : session::Attendance {
  Attending(const std::shared_ptr<Middleware>& middleware, const session::Conversation& conversation)
      : peer(std::make_shared<PeerHop>(middleware, conversation)) {}

  std::shared_ptr<PeerHop> peer;  ///< Holds the middleware. Shared with the tasks that use it.
  std::unique_ptr<Attendance> rest;
};

class WayBack final : public Service, public Origins {
 public:
  WayBack(std::shared_ptr<Middleware> middleware, std::shared_ptr<Service> next)
      : middleware_(std::move(middleware)), way_(*middleware_->two_way()), next_(std::move(next)), origins_(*next_) {}

  Task<Result<Reply>> call(Call& call) override {
    return call.context.back != nullptr ? call_and_listen(call) : next_->call(call);
  }
  Task<void> notify(Notice& notice) override { return next_->notify(notice); }
  std::optional<Result<Reply>> answer_now(Call& call) override { return next_->answer_now(call); }
  std::unique_ptr<session::Attendance> attend(session::Conversation conversation) override {
    auto attending = std::make_unique<Attending>(middleware_, conversation);
    attending->rest = next_->attend({.key = conversation.key,
                                     .principal = std::move(conversation.principal),
                                     .peer = attending->peer,
                                     .executor = std::move(conversation.executor),
                                     .tasks = conversation.tasks,
                                     .hears_only = conversation.hears_only});
    return attending;
  }
  std::vector<protocol::HeaderParam> header_params(std::string_view tool, std::string_view principal) override {
    return next_->header_params(tool, principal);
  }
  const protocol::Implementation* self() const override { return next_->self(); }
  std::optional<std::string> origin_of(ListKind kind, std::string_view name) const override {
    return origins_(kind, name);
  }

 private:
  Task<Result<Reply>> call_and_listen(Call& call) {
    const BackHop back(way_, call);
    co_return co_await next_->call(call);
  }

  std::shared_ptr<Middleware> middleware_;
  TwoWayMiddleware& way_;
  std::shared_ptr<Service> next_;
  OriginsOf origins_;
};

}  // namespace

std::shared_ptr<Service> way_back(std::shared_ptr<Middleware> middleware, std::shared_ptr<Service> next) {
  return std::make_shared<WayBack>(std::move(middleware), std::move(next));
}

}  // namespace fairlead::gateway

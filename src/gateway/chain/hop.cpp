#include "gateway/chain/hop.hpp"

#include <utility>

#include "gateway/origins.hpp"

namespace fairlead::gateway {
namespace {

using session::Service;

class Link final : public Service, public Origins {
 public:
  Link(std::shared_ptr<Middleware> middleware, std::shared_ptr<Service> next)
      : middleware_(std::move(middleware)),
        next_(std::move(next)),
        signing_(dynamic_cast<const Signing*>(middleware_.get())),
        origins_(*next_) {}

  Task<Result<session::Reply>> call(session::Call& call) override { return middleware_->call(call, *next_); }
  Task<void> notify(session::Notice& notice) override { return middleware_->notify(notice, *next_); }
  std::optional<Result<session::Reply>> answer_now(session::Call& call) override {
    return middleware_->answer_now(call, *next_);
  }
  bool answers_now() const override { return next_->answers_now(); }
  std::unique_ptr<session::Attendance> attend(session::Conversation conversation) override {
    return middleware_->attend(std::move(conversation), *next_);
  }
  std::vector<protocol::HeaderParam> header_params(std::string_view tool, std::string_view principal) override {
    return middleware_->header_params(tool, principal, *next_);
  }
  const protocol::Implementation* self() const override { return signing_ ? signing_->self() : next_->self(); }
  std::optional<std::string> origin_of(ListKind kind, std::string_view name) const override {
    return origins_(kind, kind == ListKind::tools ? middleware_->inner_name(name) : std::string(name));
  }

 private:
  std::shared_ptr<Middleware> middleware_;
  std::shared_ptr<Service> next_;
  const Signing* signing_;
  OriginsOf origins_;
};

}  // namespace

std::shared_ptr<Service> hop(std::shared_ptr<Middleware> middleware, std::shared_ptr<Service> next) {
  if (middleware->two_way() != nullptr) next = way_back(middleware, std::move(next));
  return std::make_shared<Link>(std::move(middleware), std::move(next));
}

}  // namespace fairlead::gateway

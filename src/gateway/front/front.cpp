#include "gateway/front/front.hpp"

#include <fairlead/protocol/model/methods.hpp>
#include <utility>

#include "gateway/front/listening.hpp"

namespace fairlead::gateway {
namespace {

using session::Call;
using session::Reply;

}  // namespace

Front::Front(Loop loop, session::Service& next, FrontOptions options)
    : loop_(loop), next_(next), parking_(loop, next, options.parking) {}

Front::~Front() = default;

Task<void> Front::stop() {
  return parking_.stop();
}

Task<Result<Reply>> Front::call(Call& call) {
  const bool is_signed = call.context.revision->lifecycle == protocol::Lifecycle::stateless;
  if (is_signed && next_.self() == nullptr && call.method != protocol::Discover::method) return signed_call(call);
  if (call.method == protocol::Listen::method) return listen(loop_, call, next_);
  return parking_.takes(call) ? parking_.call(call) : next_.call(call);
}

// Results of the newest revision are signed, so that there must be a name to sign with.
Task<Result<Reply>> Front::signed_call(Call& call) {
  Call question{.method = std::string(protocol::Discover::method), .context = call.context};
  auto found = co_await next_.call(question);
  if (!found) co_return std::unexpected(std::move(found.error()));
  if (next_.self() == nullptr) co_return fail(ErrorKind::malformed, "the server behind the gateway has no name");
  co_return co_await this->call(call);
}

Task<void> Front::notify(session::Notice& notice) {
  return next_.notify(notice);
}

std::unique_ptr<session::Attendance> Front::attend(session::Conversation conversation) {
  return next_.attend(std::move(conversation));
}

std::vector<protocol::HeaderParam> Front::header_params(std::string_view tool, std::string_view principal) {
  return next_.header_params(tool, principal);
}

const protocol::Implementation* Front::self() const {
  return next_.self();
}

}  // namespace fairlead::gateway

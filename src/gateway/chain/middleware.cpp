#include <fairlead/gateway/middleware.hpp>

#include <utility>

namespace fairlead::gateway {

using session::Call;
using session::Reply;
using session::Service;

Task<Result<Reply>> Middleware::call(Call& call, Service& next) {
  return next.call(call);
}

Task<void> Middleware::notify(session::Notice& notice, Service& next) {
  return next.notify(notice);
}

std::optional<Result<Reply>> Middleware::answer_now(Call&, Service&) {
  return std::nullopt;
}

std::vector<protocol::HeaderParam> Middleware::header_params(std::string_view tool, std::string_view principal,
                                                             Service& next) {
  return next.header_params(tool, principal);
}

std::string Middleware::inner_name(std::string_view tool) const {
  return std::string(tool);
}

std::string Middleware::outer_name(std::string_view tool) const {
  return std::string(tool);
}

std::optional<Explanation> Middleware::explain(Call&, Service&) const {
  return std::nullopt;
}

std::unique_ptr<session::Attendance> Middleware::attend(session::Conversation conversation, Service& next) {
  return next.attend(std::move(conversation));
}

Task<Result<Reply>> TwoWayMiddleware::ask_back(Call& question, Service& client) {
  return client.call(question);
}

bool TwoWayMiddleware::tell_back(session::Notice&) {
  return true;
}

std::unexpected<Error> refuse(std::string message, std::int64_t code) {
  return std::unexpected(Error{.kind = ErrorKind::refused, .message = std::move(message), .code = code});
}

}  // namespace fairlead::gateway

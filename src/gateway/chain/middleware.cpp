#include <fairlead/gateway/middleware.hpp>

namespace fairlead::gateway {

Task<Result<Reply>> Middleware::call(Call& call, Service& next) {
  return next.call(call);
}

Task<void> Middleware::notify(session::Notification& notice, Service& next) {
  return next.notify(notice);
}

std::vector<protocol::HeaderParam> Middleware::header_params(std::string_view tool, std::string_view principal,
                                                             Service& next) {
  return next.header_params(tool, principal);
}

std::string Middleware::upstream_name(std::string_view tool) const {
  return std::string(tool);
}

std::string Middleware::client_name(std::string_view tool) const {
  return std::string(tool);
}

std::optional<Explanation> Middleware::explain(Call&, Service&) const {
  return std::nullopt;
}

std::unique_ptr<session::SessionHook> Middleware::on_session_open(session::SessionRef session, Service& next) {
  return next.on_session_open(std::move(session));
}

Task<Result<Reply>> BidirectionalMiddleware::on_server_request(Call& request, Service& client) {
  return client.call(request);
}

bool BidirectionalMiddleware::on_server_notification(session::Notification&) {
  return true;
}

std::unexpected<Error> refuse(std::string message, std::int64_t code) {
  return std::unexpected(Error{.kind = ErrorKind::refused, .message = std::move(message), .code = code});
}

}  // namespace fairlead::gateway

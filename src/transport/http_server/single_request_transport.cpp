#include "transport/http_server/single_request_transport.hpp"

#include <utility>

#include "transport/http_server/jsonrpc_response.hpp"

namespace fairlead::transport {
namespace {

Task<void> answer(http::Exchange& exchange, ServerSession& session, SingleRequestTransport& transport,
                  StreamStart start) {
  session.on_message(jsonrpc::Message(transport.take_request()));
  co_await write_response(exchange, transport.channel(), std::move(start));
  session.close();
}

}  // namespace

Task<Result<void>> SingleRequestTransport::send(Outgoing outgoing) {
  while (!closed_ && !answered_) {
    if (send_now(outgoing)) co_return Result<void>();
    co_await channel_->writable();
  }
  co_return fail(ErrorKind::closed, "the exchange has ended");
}

bool SingleRequestTransport::send_now(Outgoing& outgoing) {
  if (closed_ || answered_ || channel_->full()) return false;
  if (is_answer(outgoing.message)) {
    answered_ = true;
    on_response(std::move(outgoing.message));
  } else {
    on_notification(outgoing.message);
  }
  return true;
}

Task<void> serve_single_request(http::Exchange& exchange, SessionFactory& factory, PeerInfo peer,
                                SingleRequestTransport& transport, StreamStart start) {
  const auto session = factory.open(exchange.loop(), transport, std::move(peer));
  auto work = answer(exchange, *session, transport, std::move(start));
  co_await run_session(*session, std::move(work));
}

void StatelessRequestTransport::on_response(jsonrpc::Message answer) {
  if (!channel()->streaming()) return channel()->answer(stateless_response(answer));
  channel()->write_message(jsonrpc::write(answer));
  channel()->end();
}

void StatelessRequestTransport::on_notification(const jsonrpc::Message& message) {
  channel()->write_message(jsonrpc::write(message));
}

}  // namespace fairlead::transport

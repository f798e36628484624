#include "transport/http_server/one_shot.hpp"

#include <utility>

#include "transport/http_server/rpc_answer.hpp"

namespace fairlead::transport {
namespace {

Task<void> answer(http::Exchange& exchange, Hosted& hosted, OneShot& shot, StreamStart start) {
  hosted.take(jsonrpc::Message(shot.take_request()));
  co_await pump(exchange, shot.lane(), std::move(start));
  hosted.close();
}

}  // namespace

Task<Result<void>> OneShot::send(Outgoing outgoing) {
  while (!closed_ && !answered_) {
    if (send_now(outgoing)) co_return Result<void>();
    co_await lane_->room();
  }
  co_return fail(ErrorKind::closed, "the exchange is over");
}

bool OneShot::send_now(Outgoing& outgoing) {
  if (closed_ || answered_ || lane_->full()) return false;
  if (is_answer(outgoing.message)) {
    answered_ = true;
    finish(std::move(outgoing.message));
  } else {
    tell(outgoing.message);
  }
  return true;
}

Task<void> serve_once(http::Exchange& exchange, Host& host, Guest guest, OneShot& shot, StreamStart start) {
  const auto hosted = host.open(exchange.loop(), shot, std::move(guest));
  auto work = answer(exchange, *hosted, shot, std::move(start));
  co_await converse(*hosted, std::move(work));
}

void StatelessShot::finish(jsonrpc::Message answer) {
  if (!lane()->streaming()) return lane()->answer(stateless_answer(answer));
  lane()->say_message(jsonrpc::write(answer));
  lane()->end();
}

void StatelessShot::tell(const jsonrpc::Message& message) {
  lane()->say_message(jsonrpc::write(message));
}

}  // namespace fairlead::transport

#include <array>
#include <boost/asio/post.hpp>
#include <fmt/format.h>
#include <utility>

#include "http/connection.hpp"
#include "http/refusal.hpp"
#include "http/wire_log.hpp"
#include "http/write_pieces.hpp"

namespace fairlead::http {
namespace asio = boost::asio;

namespace {

constexpr std::size_t worth_sending = 64 * 1024;

}  // namespace

Delivery Connection::delivery(BodyKind body, bool keep_alive) {
  Delivery how{.body = body, .keep_alive = keep_alive, .modern = reader_->modern()};
  if (listener_->rules().cors.enabled()) how.origin = reader_->request().header("Origin").value_or("");
  return how;
}

void Connection::take(std::string_view bytes) {
  if (!reader_) reader_ = listener_->borrow_reader();
  while (true) {
    switch (reader_->feed(bytes)) {
      case RequestReader::Step::more: return settle();
      case RequestReader::Step::fault: return refuse(reader_->fault());
      case RequestReader::Step::body_next:
        if (!admit()) return;
        break;
      case RequestReader::Step::wants_continue: listener_->output() += "HTTP/1.1 100 Continue\r\n\r\n"; break;
      case RequestReader::Step::whole:
        if (!answer(bytes, false)) return;
        break;
    }
  }
}

// All that is there has been answered.
void Connection::settle() {
  const auto stage = reader_->stage();
  if (stage == RequestReader::Stage::idle) listener_->give_back(std::exchange(reader_, nullptr));
  if (stage == RequestReader::Stage::head) {
    // The whole head has one time limit: more of it is no progress.
    if (phase_ != Phase::head) enter(Phase::head);
  } else {
    enter(stage == RequestReader::Stage::body ? Phase::body : Phase::idle);
  }
  next_ = Next::read;
  if (flush({})) read_on();
}

void Connection::refuse(const HttpFault& fault) {
  // Not `dismiss`: of a request that cannot be read nothing is known, its method included.
  const auto response = refusal(fault.status, fault.why);
  log(listener_->loop().log, LogLevel::debug, wire::server,
      [&] { return fmt::format("< a request from {} is refused with {}: {}", remote_, fault.status, fault.why); });
  append_head(listener_->output(), response, delivery(BodyKind::sized, false), listener_->rules().cors,
              listener_->date());
  next_ = Next::end;
  if (flush(response.body)) proceed();
}

// The last answer on this connection: what is left of the request is not read.
void Connection::dismiss(Response response) {
  append_whole(listener_->output(), response, false);
  next_ = Next::end;
  if (flush(std::move(response.body))) proceed();
}

// Before the body, which may be large: whoever is not let in has none of it kept in memory. False if it ends here.
bool Connection::admit() {
  auto response = refused(reader_->request());
  if (response) dismiss(std::move(*response));
  return admitted_ = !response;
}

std::optional<Response> Connection::refused(Request& request) {
  request.remote = remote_;
  request.secure = stream_.secure();
  request.principal = subject_;
  try {
    return listener_->rules().refuse(request);
  } catch (...) {
    report(std::current_exception());
    return refusal(500, "The server failed. Its log says why.");
  }
}

// True if the next request may be looked at.
bool Connection::answer(std::string_view rest, bool arrived) {
  auto& request = reader_->request();
  phase_ = Phase::idle;
  if (!arrived) wire::received(listener_->loop().log, request);
  auto response = answer_at_once(request, arrived);
  if (response) return put(std::move(*response), rest);
  hold(rest, destination_ ? Next::depart : Next::serve);
  return false;
}

// Nothing if the request has to be served, or belongs to another worker.
std::optional<Response> Connection::answer_at_once(Request& request, bool arrived) {
  const bool admitted = std::exchange(admitted_, false);
  if (!arrived && !admitted) {
    if (auto response = refused(request)) return response;
  }
  try {
    if (!arrived) {
      destination_ = listener_->elsewhere(listener_->handler().home(request));
      if (destination_) return std::nullopt;
    }
    return listener_->handler().answer_now(request);
  } catch (...) {
    report(std::current_exception());
    return refusal(500, "The server failed. Its log says why.");
  }
}

void Connection::append_whole(std::string& out, Response& response, bool stay) {
  const auto begin = out.size();
  append_head(out, response, delivery(BodyKind::sized, stay), listener_->rules().cors, listener_->date());
  wire::sent(listener_->loop().log, wire::server, std::string_view(out).substr(begin), response.body);
  if (!may_have_body(response.status) || reader_->request().method == "HEAD") response.body.clear();
  if (response.body.size() <= worth_joining) out += std::exchange(response.body, {});
}

bool Connection::put(Response response, std::string_view rest) {
  auto& output = listener_->output();
  const bool stay = stays();
  append_whole(output, response, stay);
  reader_->next();
  const bool gather = !response.body.empty();
  next_ = stay ? Next::read : Next::end;
  if (stay && !gather && output.size() < worth_sending) return true;
  if (!flush(std::move(response.body))) {
    if (phase_ == Phase::writing) pending_ = rest;
    return false;
  }
  if (stay) return true;
  end();
  return false;
}

// Until what was answered before has left.
void Connection::hold(std::string_view rest, Next next) {
  pending_ = rest;
  reader_->keep();
  next_ = next;
  if (flush({})) proceed();
}

bool Connection::flush(std::string body) {
  auto& output = listener_->output();
  const bool sent = send(output, std::move(body));
  output.clear();
  return sent;
}

// True if everything has left. If not, `proceed` comes once it has, or nothing any more.
bool Connection::send(std::string_view head, std::string body) {
  std::array<std::string_view, 2> pieces{head, body};
  const auto sent = write_pieces(stream_, pieces);
  if (sent && *sent) return true;
  if (!sent) {
    close();
    return false;
  }
  auto rest = std::make_unique<Unsent>();
  rest->sent = body.size() - pieces[1].size();
  rest->head = pieces[0];
  rest->body = std::move(body);
  unsent_ = std::move(rest);
  enter(Phase::writing);
  write_on();
  return false;
}

void Connection::write_on() {
  stream_.when_writable([self = shared_from_this()](bool ready) {
    if (!ready || self->phase_ != Phase::writing) return;
    auto& unsent = *self->unsent_;
    std::array<std::string_view, 2> pieces{unsent.head, std::string_view(unsent.body).substr(unsent.sent)};
    const auto before = pieces[0].size() + pieces[1].size();
    const auto sent = write_pieces(self->stream_, pieces);
    if (!sent) return self->close();
    if (*sent) {
      self->unsent_.reset();
      return self->proceed();
    }
    if (pieces[0].size() + pieces[1].size() < before) self->since_ = self->listener_->now();
    unsent.sent = unsent.body.size() - pieces[1].size();
    unsent.head = std::string(pieces[0]);
    self->write_on();
  });
}

void Connection::proceed() {
  switch (next_) {
    case Next::serve: return serve();
    case Next::depart: return depart();
    case Next::end: return end();
    case Next::read: return resume();
  }
}

void Connection::resume() {
  phase_ = Phase::idle;
  const auto rest = std::exchange(pending_, {});
  take(rest);
}

}  // namespace fairlead::http

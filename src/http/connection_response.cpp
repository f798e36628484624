#include <array>
#include <boost/asio/post.hpp>
#include <fairlead/http/identity.hpp>
#include <fmt/format.h>
#include <utility>

#include "http/connection.hpp"
#include "http/error_response.hpp"
#include "http/traffic_log.hpp"
#include "http/vectored_write.hpp"

namespace fairlead::http {
namespace asio = boost::asio;

namespace {

constexpr std::size_t flush_threshold = 64 * 1024;

}  // namespace

ResponseFraming Connection::response_framing(BodyKind body, bool keep_alive) {
  ResponseFraming how{.body = body, .keep_alive = keep_alive, .http11 = reader_->is_http11()};
  if (const auto& extra = reader_->request().response_header) how.extra = &*extra;
  if (listener_->policy().cors.enabled()) how.origin = reader_->request().header("Origin").value_or("");
  return how;
}

void Connection::consume(std::string_view bytes) {
  if (!reader_) reader_ = listener_->acquire_reader();
  while (true) {
    switch (reader_->feed(bytes)) {
      case RequestReader::Step::more: return await_more_input();
      case RequestReader::Step::fault: return refuse(reader_->fault());
      case RequestReader::Step::body_next:
        if (!admit(bytes)) return;
        break;
      case RequestReader::Step::wants_continue: listener_->output() += "HTTP/1.1 100 Continue\r\n\r\n"; break;
      case RequestReader::Step::whole:
        if (!answer(bytes, false)) return;
        break;
    }
  }
}

// All received bytes were handled.
void Connection::await_more_input() {
  const auto stage = reader_->stage();
  if (stage == RequestReader::Stage::idle) listener_->release_reader(std::exchange(reader_, nullptr));
  if (stage == RequestReader::Stage::head) {
    // One timeout for the whole head: further bytes do not restart it.
    if (phase_ != Phase::head) enter(Phase::head);
  } else {
    enter(stage == RequestReader::Stage::body ? Phase::body : Phase::idle);
  }
  next_ = Next::read;
  if (flush({})) read_on();
}

void Connection::refuse(const HttpParseError& fault) {
  // Not `respond_and_close`: the method of an unparsable request is unknown.
  auto response = error_response(fault.status, fault.why);
  log(listener_->loop().log, LogLevel::debug, wire::server,
      [&] { return fmt::format("< a request from {} is refused with {}: {}", remote_, fault.status, fault.why); });
  append_head(listener_->output(), response, response_framing(BodyKind::sized, false), listener_->policy().cors,
              listener_->date());
  next_ = Next::end;
  if (flush(std::move(response.body))) proceed();
}

// The last response on this connection: the rest of the request is not read.
void Connection::respond_and_close(Response response) {
  append_whole(listener_->output(), response, false);
  next_ = Next::end;
  if (flush(std::move(response.body))) proceed();
}

// Runs the access checks before the body is read, so that a rejected client cannot use memory. False if the request was
// rejected, or if a check waits.
bool Connection::admit(std::string_view rest) {
  auto& request = reader_->request();
  auto response = refused_at_once(request);
  if (!response && !listener_->policy().access_checks.empty()) {
    auto checking = refused(request);
    if (!checking.is_ready()) {
      body_waits_ = true;
      defer(rest, start_handler(admit_later(std::move(checking))));
      return false;
    }
    response = checking.take();
  }
  if (response) respond_and_close(std::move(*response));
  return admitted_ = !response;
}

Task<Response> Connection::admit_later(Task<std::optional<Response>> checking) {
  auto refused = co_await std::move(checking);
  Response response{.status = admitted_status};
  if (refused) response = std::move(*refused);
  co_return response;
}

// Posted: a check may end inside code of another connection, which uses the shared buffers.
void Connection::read_body() {
  body_waits_ = false;
  admitted_ = true;
  asio::post(listener_->context(), [self = shared_from_this()] {
    if (self->phase_ == Phase::serving) self->resume();
  });
}

std::optional<Response> Connection::refused_at_once(Request& request) {
  request.remote = remote_;
  request.secure = stream_.secure();
  request.identity = certificate_;
  if (certificate_) request.principal = certificate_->principal;
  return listener_->policy().refuse_at_once(request);
}

Task<std::optional<Response>> Connection::refused(Request& request) {
  try {
    return listener_->policy().refuse_access(request);
  } catch (...) {
    return internal_error(std::current_exception());
  }
}

// True if the next request may be parsed.
bool Connection::answer(std::string_view rest, bool arrived) {
  auto& request = reader_->request();
  phase_ = Phase::idle;
  if (!arrived) wire::received(listener_->loop().log, request);
  auto response = response_at_once(request);
  if (response && !response->stream) return queue_response(std::move(*response), rest);
  defer(rest, std::move(response));
  return false;
}

// Returns nothing if the handler or an access check waits, or the request needs another worker.
std::optional<Response> Connection::response_at_once(Request& request) {
  if (!std::exchange(admitted_, false)) {
    if (auto response = refused_at_once(request)) return response;
    if (!listener_->policy().access_checks.empty()) {
      auto checking = refused(request);
      if (!checking.is_ready()) {
        // The other worker starts the check again.
        destination_ = listener_->other_worker(request);
        if (destination_) return std::nullopt;
        return start_handler(handle_later(shared_from_this(), std::move(checking)));
      }
      if (auto response = checking.take()) return response;
    }
  }
  try {
    destination_ = listener_->other_worker(request);
    admitted_ = destination_ != nullptr;
    if (destination_) return std::nullopt;
    auto task = listener_->handler().handle(request);
    if (task.is_ready()) return task.take();
    return start_handler(std::move(task));
  } catch (...) {
    return internal_error(std::current_exception());
  }
}

Task<Response> Connection::handle_later(std::shared_ptr<Connection> self, Task<std::optional<Response>> checking) {
  // A local, because it must be destroyed before `self`, whose request it uses.
  auto check = std::move(checking);
  auto refused = co_await std::move(check);
  if (refused) co_return std::move(*refused);
  co_return co_await self->listener_->handler().handle(self->reader_->request());
}

void Connection::append_whole(std::string& out, Response& response, bool stay) {
  const auto begin = out.size();
  append_head(out, response, response_framing(BodyKind::sized, stay), listener_->policy().cors, listener_->date());
  wire::sent(listener_->loop().log, wire::server, std::string_view(out).substr(begin), response.body);
  if (!may_have_body(response.status) || reader_->request().method == "HEAD") response.body.clear();
  if (response.body.size() > max_joined_body) return;
  out += response.body;
  response.body.clear();
}

bool Connection::queue_response(Response&& response, std::string_view rest) {
  auto& output = listener_->output();
  const bool stay = keeps_alive();
  append_whole(output, response, stay);
  reader_->next();
  const bool gather = !response.body.empty();
  next_ = stay ? Next::read : Next::end;
  if (stay && !gather && output.size() < flush_threshold) return true;
  if (!flush(std::move(response.body))) {
    if (phase_ == Phase::writing) pending_ = rest;
    return false;
  }
  if (stay) return true;
  end();
  return false;
}

// Waits until previous responses were written.
void Connection::defer(std::string_view rest, std::optional<Response> response) {
  if (!rest.empty()) pending_ = rest;
  reader_->own_head();
  next_ = destination_ ? Next::hand_off : Next::serve;
  if (flush({})) return proceed(std::move(response));
  if (phase_ == Phase::writing) unsent_->next = std::move(response);
}

bool Connection::flush(std::string&& body) {
  auto& output = listener_->output();
  if (output.empty() && body.empty()) return true;
  const bool sent = send(output, std::move(body));
  output.clear();
  return sent;
}

// True if everything was written. Otherwise `proceed` is called later, unless the connection breaks.
bool Connection::send(std::string_view head, std::string&& body) {
  std::array<std::string_view, 2> pieces{head, body};
  const auto sent = write_vectored(stream_, pieces);
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
    const auto sent = write_vectored(self->stream_, pieces);
    if (!sent) return self->close();
    if (*sent) return self->proceed(std::move(std::exchange(self->unsent_, nullptr)->next));
    if (pieces[0].size() + pieces[1].size() < before) self->since_ = self->listener_->now();
    unsent.sent = unsent.body.size() - pieces[1].size();
    unsent.head = std::string(pieces[0]);
    self->write_on();
  });
}

void Connection::proceed(std::optional<Response> response) {
  switch (next_) {
    case Next::serve: return serve(std::move(response));
    case Next::hand_off: return hand_off();
    case Next::end: return end();
    case Next::read: return resume();
  }
}

void Connection::resume() {
  phase_ = Phase::idle;
  const auto rest = std::exchange(pending_, {});
  consume(rest);
}

}  // namespace fairlead::http

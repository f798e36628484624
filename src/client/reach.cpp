#include <fairlead/base/diagnosis.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <utility>

#include "client/connection_state.hpp"
#include "client/greeting.hpp"

namespace fairlead::client {
namespace {

session::SessionOptions session_options() {
  session::SessionOptions options;
  options.side = session::Side::client;
  options.detect_dialect = false;
  options.name = "client";
  return options;
}

// A server of this process, at its end of the line.
Task<void> serve_locally(Loop loop, std::shared_ptr<Link> link) {
  session::SessionOptions options;
  options.name = "server";
  options.drain = {};  // Its handlers run for this client alone.
  session::Session far(loop, *link->line.far_end, *link->line.local, std::move(options));
  co_await far.run();
}

Task<void> run_link(std::shared_ptr<ConnectionState> state, std::shared_ptr<Link> link) {
  if (link->line.local) state->scope.spawn(serve_locally(state->loop, link));
  co_await link->session.run();
  if (link->line.child) co_await link->line.child->shutdown();
}

// A child that is silent, or whose pipes broke, may have said why on stderr.
Error explained(Error error, const Line& line) {
  if (!line.child || (error.diagnosis && error.diagnosis->command)) return error;
  const auto step = error.diagnosis ? error.diagnosis->step.value_or("") : "";
  if (error.kind == ErrorKind::timeout && !step.empty()) error.message = "no answer to " + step + " in time";
  return with_diagnosis(std::move(error), line.child->diagnosis());
}

ClientOptions with_identity(ClientOptions options) {
  if (options.self.version.empty()) options.self.version = FAIRLEAD_VERSION;
  return options;
}

}  // namespace

ConnectionState::ConnectionState(Loop on, Endpoint where, ClientOptions chosen, TaskScope& owner)
    : loop(on),
      endpoint(std::move(where)),
      options(with_identity(std::move(chosen))),
      scope(owner),
      answers(options),
      subscriptions(*this),
      cache(loop.timers.clock()),
      era_(options.era) {
  answers.on_any = [this](const session::Notice& notice) { cache.take_notice(notice.method, notice.params); };
}

Task<Result<std::shared_ptr<Link>>> ConnectionState::reach() {
  while (true) {
    if (closed_) co_return fail(ErrorKind::closed, "the connection was closed");
    if (auto link = open_link()) co_return link;
    if (link_ && link_->ready && !options.reconnect) co_return fail(ErrorKind::closed, "the server has hung up");
    if (!opening_) co_return co_await open();
    const auto opened = std::make_shared<Promise<bool>>();
    waiting_.push_back(opened);
    const bool woken = co_await opened->wait(false);
    if (!woken) co_return fail(ErrorKind::cancelled, "cancelled while the server was being reached");
  }
}

Task<Result<std::shared_ptr<Link>>> ConnectionState::open() {
  // However opening ends, those who wait for it look again, and nothing half-open stays behind.
  struct Opening {
    explicit Opening(ConnectionState& opened) : state(opened) { state.opening_ = true; }
    Opening(const Opening&) = delete;
    Opening& operator=(const Opening&) = delete;
    ~Opening() {
      state.opening_ = false;
      if (state.link_ && !state.link_->ready) state.link_->session.close();
      for (const auto& waiter : std::exchange(state.waiting_, {})) waiter->set(true);
    }
    ConnectionState& state;
  } const opening(*this);

  auto opened = co_await open_in(era_);
  const bool too_much = !opened && opened.error().kind == ErrorKind::closed && era_ == Era::automatic && !closed_;
  // Some servers of the handshake era exit on a first request that they do not know, others take it for their opening.
  if (too_much && options.revision.empty()) {
    // Two processes of one server may want the same port or file.
    const auto probed = link_;
    if (probed && probed->line.child) co_await probed->line.child->wait();
    opened = co_await open_in(Era::handshake_first);
  }
  if (!opened && may_speak_http_sse()) {
    http_sse_ = true;
    auto older = co_await open_in(Era::handshake);
    http_sse_ = older.has_value();
    if (older) opened = std::move(older);
  }
  if (!opened) co_return opened;
  if (server.revision->lifecycle == protocol::Lifecycle::handshake) era_ = Era::handshake;
  co_return opened;
}

// The first transport over HTTP had another address to post to; a server that has only that turns our POST down.
bool ConnectionState::may_speak_http_sse() const {
  const auto* tried = link_ ? link_->line.streamable : nullptr;
  return tried && tried->refused_opening() != 0 && !closed_;
}

Task<Result<std::shared_ptr<Link>>> ConnectionState::open_in(Era era) {
  LineOptions line_options{.scope = scope, .http = options.http, .http_sse = http_sse_};
  auto line = co_await open_line(loop, endpoint, std::move(line_options));
  if (!line) co_return std::unexpected(std::move(line.error()));
  // Whoever closes waits for what runs in the scope, and nothing may start in it afterwards.
  if (closed_) co_return fail(ErrorKind::closed, "the connection was closed while the server was being reached");
  const auto opened = std::make_shared<Link>(loop, std::move(*line), answers, session_options());
  opened->on_lost = options.on_lost;
  link_ = opened;
  scope.spawn(run_link(shared_from_this(), opened));
  const bool over_http = opened->line.streamable != nullptr;
  auto introduced = co_await greet(opened->session, options, answers.capabilities(), era, over_http);
  if (!introduced) {
    opened->session.close();
    co_return std::unexpected(explained(std::move(introduced.error()), opened->line));
  }
  server = std::move(*introduced);
  schemas.forget();
  cache.clear();
  if (auto settled = co_await settle_in(*opened); !settled) co_return std::unexpected(std::move(settled.error()));
  opened->ready = true;
  subscriptions.renew(opened);
  co_return opened;
}

Task<Result<void>> ConnectionState::settle_in(Link& opened) {
  if (!log_level) co_return Result<void>();
  const auto& revision = *server.revision;
  if (revision.request_log_level) {
    protocol::Caller self{.revision = std::string(revision.name),
                          .capabilities = answers.capabilities(),
                          .info = options.self,
                          .log_level = log_level};
    opened.session.adopt(revision, std::move(self));
    co_return Result<void>();
  }
  protocol::SetLevelParams params{.level = *log_level};
  auto call = make_call(std::string(protocol::SetLevel::method), json::to_payload(params), CallOptions());
  auto told = co_await opened.session.peer().call(call);
  if (!told) co_return std::unexpected(std::move(told.error()));
  co_return Result<void>();
}

void ConnectionState::retire(const std::shared_ptr<Link>& link) {
  if (std::exchange(link->retired, true)) return;
  std::erase_if(retired_, [](const auto& old) { return old.expired(); });
  retired_.push_back(link);
}

std::shared_ptr<Link> ConnectionState::open_link() const {
  const bool is_open = link_ && link_->ready && !link_->retired && !link_->session.is_over();
  return is_open ? link_ : nullptr;
}

void ConnectionState::hang_up() noexcept {
  if (const auto link = open_link()) link->session.close();
}

void ConnectionState::close() noexcept {
  closed_ = true;
  for (const auto& old : std::exchange(retired_, {})) {
    if (const auto link = old.lock()) link->session.close();
  }
  if (link_) link_->session.close();
}

}  // namespace fairlead::client

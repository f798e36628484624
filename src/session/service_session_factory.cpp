#include <fairlead/session/service_session_factory.hpp>

#include <utility>

#include "session/stateless_request.hpp"

namespace fairlead::session {
namespace {

class SessionAdapter final : public transport::ServerSession {
 public:
  SessionAdapter(EventLoop loop, transport::Transport& transport, Service& service, SessionOptions options,
                 std::atomic<std::size_t>& count)
      : session_(loop, transport, service, std::move(options)), count_(count) {
    count_.fetch_add(1, std::memory_order_relaxed);
  }
  SessionAdapter(const SessionAdapter&) = delete;
  SessionAdapter& operator=(const SessionAdapter&) = delete;
  ~SessionAdapter() override { count_.fetch_sub(1, std::memory_order_relaxed); }

  // The error of one session does not affect the others.
  Task<void> run() override { co_await session_.run(); }
  void open() override { session_.open(); }
  void on_message(transport::Received&& received) override { session_.on_message(std::move(received)); }
  Task<void> end() override { return session_.end(); }
  bool is_backlogged() const override { return session_.is_backlogged(); }
  Task<void> backlog_cleared() override { return session_.backlog_cleared(); }
  void set_caller(std::shared_ptr<const http::Identity> identity,
                  std::shared_ptr<const std::string> access_token) override {
    session_.set_caller(std::move(identity), std::move(access_token));
  }
  const protocol::Revision* revision() const override { return session_.revision(); }
  void shutdown_gracefully() noexcept override { session_.shutdown_gracefully(); }
  void close() noexcept override { session_.close(); }

 private:
  Session session_;
  std::atomic<std::size_t>& count_;
};

SessionOptions with_no_handshake(SessionOptions options) {
  options.handshake = HandshakePolicy::none;
  return options;
}

}  // namespace

ServiceSessionFactory::ServiceSessionFactory(Service& service, SessionOptions options)
    : service_(service), options_(std::move(options)), without_handshake_(with_no_handshake(options_)) {}

std::unique_ptr<transport::ServerSession> ServiceSessionFactory::open(EventLoop loop, transport::Transport& transport,
                                                                      transport::PeerInfo peer) {
  auto options = peer.tool_calls_only ? without_handshake_ : options_;
  options.principal = std::move(peer.principal);
  options.identity = std::move(peer.identity);
  options.access_token = std::move(peer.access_token);
  options.request_headers = std::move(peer.request_headers);
  if (!peer.name.empty()) options.name = std::move(peer.name);
  return std::make_unique<SessionAdapter>(loop, transport, service_, std::move(options), active_sessions_);
}

Task<jsonrpc::Message> ServiceSessionFactory::respond(EventLoop loop, jsonrpc::Request request,
                                                      transport::PeerInfo peer,
                                                      transport::NotificationSink& notifications) {
  const auto& options = peer.tool_calls_only ? without_handshake_ : options_;
  return respond_stateless(std::make_unique<StatelessRequest>(loop, service_, options, notifications, active_sessions_),
                           request, peer);
}

std::vector<protocol::HeaderParam> ServiceSessionFactory::header_params(std::string_view tool,
                                                                        std::string_view principal) {
  return service_.header_params(tool, principal);
}

}  // namespace fairlead::session

#include <fairlead/session/host.hpp>

#include <utility>

#include "session/answering.hpp"

namespace fairlead::session {
namespace {

class HostedSession final : public transport::Hosted {
 public:
  HostedSession(Loop loop, transport::Transport& transport, Service& service, SessionOptions options,
                std::atomic<std::size_t>& count)
      : session_(loop, transport, service, std::move(options)), count_(count) {
    count_.fetch_add(1, std::memory_order_relaxed);
  }
  HostedSession(const HostedSession&) = delete;
  HostedSession& operator=(const HostedSession&) = delete;
  ~HostedSession() override { count_.fetch_sub(1, std::memory_order_relaxed); }

  // How a conversation with one guest failed is of interest to nobody else.
  Task<void> run() override { co_await session_.run(); }
  void open() override { session_.open(); }
  void take(transport::Received&& received) override { session_.take(std::move(received)); }
  Task<void> end() override { return session_.end(); }
  bool is_behind() const override { return session_.is_behind(); }
  Task<void> caught_up() override { return session_.caught_up(); }
  std::optional<jsonrpc::Message> answer_now(jsonrpc::Request& request) override {
    return session_.answer_now(request);
  }
  const protocol::Revision* revision() const override { return session_.revision(); }
  void finish() noexcept override { session_.finish(); }
  void close() noexcept override { session_.close(); }

 private:
  Session session_;
  std::atomic<std::size_t>& count_;
};

SessionOptions free_of_handshake(SessionOptions options) {
  options.lifecycle = Lifecycle::none;
  return options;
}

}  // namespace

SessionHost::SessionHost(Service& service, LogSink& log, SessionOptions options)
    : service_(service), log_(log), options_(std::move(options)), without_handshake_(free_of_handshake(options_)) {}

std::unique_ptr<transport::Hosted> SessionHost::open(Loop loop, transport::Transport& transport,
                                                     transport::Guest guest) {
  auto options = guest.tool_calls_only ? without_handshake_ : options_;
  options.principal = std::move(guest.principal);
  options.luggage = std::move(guest.luggage);
  if (!guest.name.empty()) options.name = std::move(guest.name);
  return std::make_unique<HostedSession>(loop, transport, service_, std::move(options), conversations_);
}

std::optional<jsonrpc::Message> SessionHost::answer_now(jsonrpc::Request& request, const transport::Guest& guest) {
  if (!service_.answers_now()) return std::nullopt;
  Era era(guest.tool_calls_only ? without_handshake_ : options_);
  Call call;
  if (auto refused = admit(era, request, call)) return refused;
  call.context.principal = guest.principal;
  if (!call.context.luggage) call.context.luggage = guest.luggage;
  auto now = answered_now(service_, call, {log_, options_.name});
  if (!now) {
    give_back(request, call);
    return std::nullopt;
  }
  return answer(request.id, call, std::move(*now), service_, era.dialect());
}

std::vector<protocol::HeaderParam> SessionHost::header_params(std::string_view tool, std::string_view principal) {
  return service_.header_params(tool, principal);
}

}  // namespace fairlead::session

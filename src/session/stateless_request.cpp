#include "session/stateless_request.hpp"

#include <utility>

namespace fairlead::session {
namespace {

/// The client as hooks see it. It receives only the notifications of its own request.
class UnreachableClient final : public Service {
 public:
  Task<Result<Reply>> call(Call&) override {
    return fail(ErrorKind::invalid, "the client sent a single request and cannot be called");
  }
  Task<void> notify(Notification&) override { return {}; }
};

Task<jsonrpc::Message> respond_later(std::unique_ptr<StatelessRequest> handling, Task<Result<Reply>> replying) {
  // A local, which is destroyed before the call that it uses: GCC 12 destroys parameters in their order.
  auto task = std::move(replying);
  Result<Reply> reply;
  try {
    reply = co_await std::move(task);
  } catch (...) {
    reply = std::unexpected(error_from_exception(std::current_exception(), handling->call, handling->error_log()));
  }
  handling->tasks.cancel();
  {
    // Waits for the tasks even if stopped: they use the hook.
    const auto shield = co_await this_task::shield;
    co_await handling->tasks.join();
  }
  co_return handling->response(std::move(reply));
}

}  // namespace

StatelessRequest::StatelessRequest(const EventLoop& on, Service& target, const SessionOptions& options,
                                   transport::NotificationSink& sink, std::atomic<std::size_t>& active)
    : loop(on),
      service(target),
      negotiator(options),
      notifications(sink),
      count(active),
      name(options.name),
      tasks(loop.executor, loop.log, options.name) {
  count.fetch_add(1, std::memory_order_relaxed);
}

Task<Result<Reply>> StatelessRequest::request(std::string, json::Payload) {
  return fail(ErrorKind::invalid, call.context.revision->server_initiated_requests
                                      ? "the client sent a single request and cannot be called"
                                      : "in this revision servers ask for input in their results and send no requests");
}

Task<Result<void>> StatelessRequest::notify(std::string method, json::Payload params) {
  return notifications.send({std::move(method), std::move(params)});
}

jsonrpc::Message StatelessRequest::response(Result<Reply>&& reply) const {
  return make_response(*call.context.id, call, std::move(reply), service, negotiator.dialect());
}

Task<jsonrpc::Message> respond_stateless(std::unique_ptr<StatelessRequest> handling, jsonrpc::Request& request,
                                         transport::PeerInfo& peer) {
  static UnreachableClient client;
  auto& call = handling->call;
  if (auto refused = admit_request(handling->negotiator, request, call)) return std::move(*refused);
  call.context.session_key = new_session_key();
  call.context.peer = handling.get();
  if (!call.context.request_headers) call.context.request_headers = std::move(peer.request_headers);
  handling->hook = handling->service.on_session_open({.key = call.context.session_key,
                                                      .principal = peer.principal,
                                                      .peer = client,
                                                      .tasks = handling->tasks,
                                                      .single_request = true});
  call.context.principal = std::move(peer.principal);
  call.context.identity = std::move(peer.identity);
  call.context.access_token = std::move(peer.access_token);
  auto replying = call_service(handling->service, call, handling->error_log());
  if (replying.is_ready() && handling->tasks.count() == 0) return handling->response(replying.take());
  return respond_later(std::move(handling), std::move(replying));
}

}  // namespace fairlead::session

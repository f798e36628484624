#include "gateway/era/suspended_calls.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/base/log.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/model/input.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fairlead/protocol/protocol_error.hpp>
#include <stdexcept>

#include "base/async_event.hpp"
#include "base/promise.hpp"
#include "base/scope_exit.hpp"
#include "gateway/model/fair_share.hpp"
#include "gateway/model/request_target.hpp"

namespace fairlead::gateway {
namespace asio = boost::asio;

namespace {

using protocol::ProtocolError;
using session::Call;
using session::Reply;

// `ProtocolError::internal` would hide the text from the client.
std::unexpected<Error> limit_failure(std::string message) {
  return std::unexpected(
      Error{.kind = ErrorKind::refused, .message = std::move(message), .code = jsonrpc::code::internal_error});
}

protocol::SealBinding binding(const Call& call) {
  return {.principal = call.context.principal, .method = call.method, .arguments = call.params.text()};
}

protocol::StateSeal random_seal() {
  auto seal = protocol::StateSeal::random();
  if (!seal) throw std::runtime_error(seal.error().message);
  return std::move(*seal);
}

struct RetryParams {
  std::optional<protocol::InputResponses> inputResponses = {};  // NOLINT(readability-identifier-naming)
  std::optional<std::string> requestState = {};                 // NOLINT(readability-identifier-naming)
};

/// Content of the sealed state.
struct ResumeToken {
  std::uint64_t call = 0;
  std::uint64_t round = 0;
};

struct PendingInput {
  std::string method;
  json::Payload params;
  Promise<Result<Reply>> answer = {};
};

}  // namespace

/// A call that may outlive its request. Requests of the server go to the client request that is currently attached.
struct SuspendedCall final : session::PeerChannel, std::enable_shared_from_this<SuspendedCall> {
  SuspendedCall(EventLoop loop, const Call& request, std::uint64_t number)
      : id(number), call(request), changed(loop.executor), expiry_timer(loop.timers, [this] { task.cancel(); }) {
    call.context.peer = this;
    call.context.peer_closed = {};
  }

  Task<Result<Reply>> request(std::string method, json::Payload params) override {
    const auto self = shared_from_this();
    if (method != protocol::Elicit::method && method != protocol::CreateMessage::method &&
        method != protocol::ListRoots::method) {
      co_return refuse(ProtocolError::unknown_method, "the client does not support this request");
    }
    const auto key = std::to_string(++last_input);
    if (params.empty()) params = json::Payload::trusted("{}");
    const auto input = std::make_shared<PendingInput>(PendingInput{std::move(method), std::move(params)});
    open.emplace(key, input);
    changed.notify();
    auto answer = co_await input->answer.wait();
    open.erase(key);
    if (!answer) co_return fail(ErrorKind::cancelled, "the call has ended");
    co_return std::move(*answer);
  }

  Task<Result<void>> notify(std::string method, json::Payload params) override {
    return client == nullptr ? Result<void>() : client->notify(std::move(method), std::move(params));
  }

  const std::uint64_t id;
  Call call;
  std::map<std::string, std::shared_ptr<PendingInput>> open = {};
  std::uint64_t last_input = 0;
  std::uint64_t round = 0;
  PeerChannel* client = nullptr;  ///< Null while the call is suspended.
  std::optional<Result<Reply>> outcome = {};
  AsyncEvent changed;
  Timer expiry_timer;
  TaskScope::Handle task = {};
};

namespace {

bool has_open_inputs(const SuspendedCall& suspended) {
  return std::ranges::any_of(suspended.open, [](const auto& each) { return !each.second->answer.is_set(); });
}

}  // namespace

SuspendedCalls::SuspendedCalls(EventLoop loop, SuspendedCallOptions options)
    : loop_(loop), options_(options), seal_(random_seal()), scope_(loop.executor, loop.log, "suspended calls") {}

SuspendedCalls::~SuspendedCalls() = default;

Task<void> SuspendedCalls::stop() {
  scope_.cancel();
  co_await scope_.join();
}

bool SuspendedCalls::handles(const Call& call, const BackendLookup& backends) const {
  const auto* revision = call.context.revision;
  const bool by_result = revision != nullptr && !revision->server_initiated_requests &&
                         revision->may_require_input.contains(call.method) && call.context.peer != nullptr;
  if (!by_result) return false;
  if (!json::member_of(call.params, "requestState").empty()) return true;
  const auto& declared = call.context.caller->capabilities;
  if (!declared.elicitation && !declared.sampling && !declared.roots) return false;
  const auto target = target_of(call);
  return !target || backends.may_send_requests(target->kind, target->named.name);
}

Task<Result<Reply>> SuspendedCalls::call(Call& call, session::Service& next) {
  auto retry = json::decode<RetryParams>(call.params);
  if (!retry) co_return refuse(ProtocolError::invalid_params, retry.error().message);
  if (!retry->requestState) co_return co_await begin(call, next);
  auto reason = protocol::SealError::none;
  auto opened = seal_.open(*retry->requestState, binding(call), &reason);
  // Not a state of the gateway: the server handles it.
  if (reason == protocol::SealError::malformed || reason == protocol::SealError::unknown_key) {
    co_return co_await begin(call, next);
  }
  if (!opened) co_return std::unexpected(std::move(opened.error()));
  const auto token = json::decode<ResumeToken>(*opened);
  const auto found = token ? calls_.find(token->call) : calls_.end();
  if (found == calls_.end() || found->second->round != token->round || found->second->client != nullptr) {
    co_return refuse(ProtocolError::invalid_params, "the suspended call has ended or was already answered: call again");
  }
  const auto suspended = found->second;
  suspended->call.context.progress_token = call.context.progress_token;
  // Before the responses, which resume the call.
  suspended->client = call.context.peer;
  for (auto& [key, response] : retry->inputResponses.value_or(protocol::InputResponses())) {
    const auto input = suspended->open.find(key);
    if (input != suspended->open.end()) input->second->answer.set(Reply{.body = std::move(response)});
  }
  co_return co_await wait_for_outcome(suspended, call);
}

Task<Result<Reply>> SuspendedCalls::begin(Call& call, session::Service& next) {
  const auto suspended = std::make_shared<SuspendedCall>(loop_, call, ++last_);
  suspended->client = call.context.peer;
  calls_.emplace(suspended->id, suspended);
  suspended->task = scope_.spawn(run(suspended, next));
  if (!suspended->task) {
    calls_.erase(suspended->id);
    co_return fail(ErrorKind::closed, "the gateway is stopping");
  }
  co_return co_await wait_for_outcome(suspended, call);
}

Task<void> SuspendedCalls::run(std::shared_ptr<SuspendedCall> suspended, session::Service& next) {
  // Reports the outcome and removes the call, however this task ends.
  const ScopeExit finish([&] {
    if (!suspended->outcome) suspended->outcome.emplace(fail(ErrorKind::cancelled, "the call was cancelled"));
    calls_.erase(suspended->id);
    suspended->changed.notify();
  });
  suspended->outcome.emplace(co_await next.call(suspended->call));
}

Task<Result<Reply>> SuspendedCalls::wait_for_outcome(std::shared_ptr<SuspendedCall> suspended, Call& call) {
  suspended->client = call.context.peer;
  const ScopeExit detach([&] { suspended->client = nullptr; });
  suspended->expiry_timer.disarm();
  bool batched = false;
  while (!suspended->outcome) {
    const auto stop = co_await this_task::stop_token;
    if (stop.stop_requested()) {
      suspended->task.cancel();
      co_return fail(ErrorKind::cancelled, "cancelled by the caller");
    }
    if (!has_open_inputs(*suspended)) {
      co_await suspended->changed.wait();
    } else if (batched) {
      co_return suspend(*suspended, call);
    } else {
      // Collects requests that the server sends at the same time in one round.
      batched = true;
      co_await asio::post(loop_.executor, use_task);
    }
  }
  co_return std::move(*suspended->outcome);
}

Result<Reply> SuspendedCalls::suspend(SuspendedCall& suspended, const Call& call) {
  const auto detached = std::ranges::count_if(calls_, [](const auto& each) { return each.second->client == nullptr; });
  if (std::cmp_greater_equal(detached, options_.max_calls)) {
    suspended.task.cancel();
    return limit_failure("too many calls wait for input of their clients; try again later");
  }
  const auto& principal = call.context.principal;
  const auto own = std::ranges::count_if(calls_, [&](const auto& each) {
    return each.second->client == nullptr && each.second->call.context.principal == principal;
  });
  if (!principal.empty() && std::cmp_greater_equal(own, fair_share(options_.max_calls))) {
    suspended.task.cancel();
    return limit_failure(
        "too many of your calls wait for your input, which is the share of one caller; answer some first");
  }
  protocol::InputRequiredResult result;
  auto& requests = result.inputRequests.emplace();
  for (const auto& [key, input] : suspended.open) {
    if (!input->answer.is_set()) requests.emplace(key, protocol::InputRequest{input->method, input->params});
  }
  const ResumeToken token{.call = suspended.id, .round = ++suspended.round};
  result.requestState = seal_.seal(json::encode(token), binding(call));
  suspended.expiry_timer.arm(Deadline::in(options_.timeout, loop_.timers.clock()));
  return Reply{.body = json::to_payload(result), .kind = protocol::ResultKind::input_required};
}

}  // namespace fairlead::gateway

#include "gateway/front/parking.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fairlead/base/log.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/protocol/fault.hpp>
#include <fairlead/protocol/model/input.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/bell.hpp"
#include "base/promise.hpp"
#include "gateway/share.hpp"

namespace fairlead::gateway {
namespace asio = boost::asio;

namespace {

using protocol::Fault;
using session::Call;
using session::Reply;

std::unexpected<Error> turn_down(Fault fault, std::string message) {
  return std::unexpected(protocol::fault_error(fault, std::move(message)));
}

protocol::SealBinding binding(const Call& call) {
  return {.principal = call.context.principal, .method = call.method, .arguments = call.params.text()};
}

protocol::StateSeal fresh_seal() {
  auto seal = protocol::StateSeal::random();
  if (!seal) throw std::runtime_error(seal.error().message);
  return std::move(*seal);
}

struct Carried {
  std::optional<protocol::InputResponses> inputResponses = {};  // NOLINT(readability-identifier-naming)
  std::optional<std::string> requestState = {};                 // NOLINT(readability-identifier-naming)
};

/// What is sealed.
struct Ticket {
  std::uint64_t call = 0;
  std::uint64_t round = 0;
};

struct Question {
  std::string method;
  json::Payload params;
  Promise<Result<Reply>> answer = {};
};

}  // namespace

/// A call that may outlive the request that brought it. Its own way back leads to whichever request stands for it now.
struct Parked final : session::Backchannel, std::enable_shared_from_this<Parked> {
  Parked(Loop loop, const Call& asked, std::uint64_t number)
      : id(number), call(asked), changed(loop.executor), expiry(loop.timers, [this] { task.cancel(); }) {
    call.context.back = this;
    call.context.over = {};
  }

  Task<Result<Reply>> ask(std::string method, json::Payload params) override {
    const auto self = shared_from_this();
    if (method != protocol::Elicit::method && method != protocol::CreateMessage::method &&
        method != protocol::ListRoots::method) {
      co_return turn_down(Fault::unknown_method, "this client cannot be asked that");
    }
    const auto key = std::to_string(++last_question);
    if (params.empty()) params = json::Payload::trusted("{}");
    const auto question = std::make_shared<Question>(Question{std::move(method), std::move(params)});
    open.emplace(key, question);
    changed.ring();
    Result<Reply> given_up = fail(ErrorKind::cancelled, "nobody waits for the answer any more");
    auto answer = co_await question->answer.wait(std::move(given_up));
    open.erase(key);
    co_return answer;
  }

  Task<Result<void>> tell(std::string method, json::Payload params) override {
    if (outer == nullptr) co_return Result<void>();
    co_return co_await outer->tell(std::move(method), std::move(params));
  }
  bool tell_now(std::string_view method, const json::Payload& params) override {
    return outer != nullptr && outer->tell_now(method, params);
  }

  const std::uint64_t id;
  Call call;
  std::map<std::string, std::shared_ptr<Question>> open = {};
  std::uint64_t last_question = 0;
  std::uint64_t round = 0;
  Backchannel* outer = nullptr;  ///< Null while the caller is away.
  std::optional<Result<Reply>> outcome = {};
  Bell changed;
  Timer expiry;
  TaskScope::Handle task = {};
};

namespace {

bool has_questions(const Parked& parked) {
  return std::ranges::any_of(parked.open, [](const auto& each) { return !each.second->answer.is_set(); });
}

}  // namespace

Parking::Parking(Loop loop, session::Service& next, ParkingOptions options)
    : loop_(loop), next_(next), options_(options), seal_(fresh_seal()), scope_(loop.executor, loop.log, "parking") {}

Parking::~Parking() = default;

Task<void> Parking::stop() {
  scope_.cancel();
  co_await scope_.join();
}

bool Parking::takes(const Call& call) const {
  const auto* revision = call.context.revision;
  return revision != nullptr && !revision->server_asks && revision->may_ask_back.contains(call.method) &&
         call.context.back != nullptr;
}

Task<Result<Reply>> Parking::call(Call& call) {
  auto carried = json::decode<Carried>(call.params);
  if (!carried) co_return turn_down(Fault::invalid_params, carried.error().message);
  if (!carried->requestState) co_return co_await begin(call);
  auto reason = protocol::SealFault::none;
  auto opened = seal_.open(*carried->requestState, binding(call), &reason);
  // Not one of ours: the server's behind us, which knows what to think of it.
  if (reason == protocol::SealFault::malformed || reason == protocol::SealFault::unknown_key) {
    co_return co_await begin(call);
  }
  if (!opened) co_return std::unexpected(std::move(opened.error()));
  const auto ticket = json::decode<Ticket>(*opened);
  const auto found = ticket ? parked_.find(ticket->call) : parked_.end();
  if (found == parked_.end() || found->second->round != ticket->round || found->second->outer != nullptr) {
    co_return turn_down(Fault::invalid_params,
                        "the call that this answers is over or was answered already: call again");
  }
  const auto parked = found->second;
  parked->call.context.progress_token = call.context.progress_token;
  for (auto& [key, response] : carried->inputResponses.value_or(protocol::InputResponses())) {
    const auto question = parked->open.find(key);
    if (question != parked->open.end()) question->second->answer.set(Reply{.body = std::move(response)});
  }
  co_return co_await attend(parked, call);
}

Task<Result<Reply>> Parking::begin(Call& call) {
  const auto parked = std::make_shared<Parked>(loop_, call, ++last_);
  parked->outer = call.context.back;
  parked_.emplace(parked->id, parked);
  parked->task = scope_.spawn(run(parked));
  if (!parked->task) {
    parked_.erase(parked->id);
    co_return fail(ErrorKind::closed, "the gateway is stopping");
  }
  co_return co_await attend(parked, call);
}

Task<void> Parking::run(std::shared_ptr<Parked> parked) {
  // However it ends: whoever stands for it is told, and nothing of it stays.
  struct AtTheEnd {
    AtTheEnd(Parking& in, Parked& call) : parking(in), parked(call) {}
    AtTheEnd(const AtTheEnd&) = delete;
    AtTheEnd& operator=(const AtTheEnd&) = delete;
    ~AtTheEnd() {
      if (!parked.outcome) parked.outcome.emplace(fail(ErrorKind::cancelled, "the call was given up"));
      parking.parked_.erase(parked.id);
      parked.changed.ring();
    }
    Parking& parking;
    Parked& parked;
  } const at_the_end(*this, *parked);
  parked->outcome.emplace(co_await next_.call(parked->call));
}

Task<Result<Reply>> Parking::attend(std::shared_ptr<Parked> parked, Call& call) {
  struct StandingThere {
    StandingThere(Parked& of, session::Backchannel* back) : parked(of) { parked.outer = back; }
    StandingThere(const StandingThere&) = delete;
    StandingThere& operator=(const StandingThere&) = delete;
    ~StandingThere() { parked.outer = nullptr; }
    Parked& parked;
  } const standing(*parked, call.context.back);
  parked->expiry.disarm();
  bool gathered = false;
  while (!parked->outcome) {
    const auto waiting = co_await asio::this_coro::cancellation_state;
    if (waiting.cancelled() != asio::cancellation_type::none) {
      parked->task.cancel();
      co_return fail(ErrorKind::cancelled, "cancelled by the caller");
    }
    if (!has_questions(*parked)) {
      co_await parked->changed.wait();
    } else if (gathered) {
      co_return park(*parked, call);
    } else {
      // A server that asks several things at once gets one round for them.
      gathered = true;
      co_await asio::post(loop_.executor, asio::use_awaitable);
    }
  }
  co_return std::move(*parked->outcome);
}

Result<Reply> Parking::park(Parked& parked, const Call& call) {
  const auto away = std::ranges::count_if(parked_, [](const auto& each) { return each.second->outer == nullptr; });
  if (std::cmp_greater_equal(away, options_.places)) {
    parked.task.cancel();
    // `Fault::internal` would keep the text from the client.
    return std::unexpected(Error{.kind = ErrorKind::refused,
                                 .message = "too many calls wait for answers of their callers; try again later",
                                 .code = jsonrpc::code::internal_error});
  }
  const auto& principal = call.context.principal;
  const auto own = std::ranges::count_if(parked_, [&](const auto& each) {
    return each.second->outer == nullptr && each.second->call.context.principal == principal;
  });
  if (!principal.empty() && std::cmp_greater_equal(own, share_of_one(options_.places))) {
    parked.task.cancel();
    return turn_down(
        Fault::internal,
        "too many of your calls wait for your answers, which is the share of one caller; answer some first");
  }
  protocol::InputRequiredResult result;
  auto& requests = result.inputRequests.emplace();
  for (const auto& [key, question] : parked.open) {
    if (!question->answer.is_set()) requests.emplace(key, protocol::InputRequest{question->method, question->params});
  }
  const Ticket ticket{.call = parked.id, .round = ++parked.round};
  result.requestState = seal_.seal(json::encode(ticket), binding(call));
  parked.expiry.arm(Deadline::in(options_.patience, loop_.timers.clock()));
  return Reply{.body = json::to_payload(result), .kind = protocol::ResultKind::input_required};
}

}  // namespace fairlead::gateway

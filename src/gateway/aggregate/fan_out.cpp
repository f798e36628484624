#include <fairlead/base/task_scope.hpp>
#include <fairlead/base/with_deadline.hpp>
#include <utility>

#include "gateway/aggregate/aggregator.hpp"

namespace fairlead::gateway {
namespace {

using protocol::ProtocolError;
using session::Notification;

Task<void> call_one(const BackendSet& backends, std::shared_ptr<BackendCatalog> one, Call call, Result<Reply>* answer) {
  const auto until = Deadline::in(backends.options().list_timeout, backends.loop().timers.clock());
  *answer = co_await with_deadline(backends.loop().timers, until, one->backend().call(call));
}

Task<void> notify_one(std::shared_ptr<BackendCatalog> one, Notification notice) {
  co_await one->backend().notify(notice);
}

BackendSet::Catalogs backends_with_logging(const BackendSet& backends) {
  BackendSet::Catalogs those;
  for (const auto& each : backends.all()) {
    const auto* can = each->capabilities();
    if (can && can->logging) those.push_back(each);
  }
  return those;
}

}  // namespace

Task<Result<Reply>> Aggregator::set_level(Call& call) {
  std::vector<ListKind> kinds(1, ListKind::tools);
  auto fetched = co_await backends_.fetch_lists(std::move(kinds), BackendSet::WaitFor::uninitialized);
  if (!fetched) co_return std::unexpected(std::move(fetched.error()));
  const auto those = backends_with_logging(backends_);
  if (those.empty()) co_return refuse(ProtocolError::unknown_method, "", call.method);
  std::vector<Result<Reply>> answers(those.size(), fail(ErrorKind::cancelled, "cancelled"));
  const auto call_each = [&](TaskScope& scope) {
    for (std::size_t i = 0; i < those.size(); ++i) scope.spawn(call_one(backends_, those[i], call, &answers[i]));
    return Task<void>();
  };
  co_await with_scope(backends_.loop().log, "aggregate", call_each);
  for (auto& answer : answers) {
    if (answer) co_return std::move(answer);
  }
  co_return std::move(answers.front());
}

Task<void> Aggregator::notify(Notification& notice) {
  const auto all = backends_.all();
  const auto notify_each = [&](TaskScope& scope) {
    for (const auto& one : all) scope.spawn(notify_one(one, notice));
    return Task<void>();
  };
  co_await with_scope(backends_.loop().log, "aggregate", notify_each);
}

// Tries the backends in order until one knows the method.
Task<Result<Reply>> Aggregator::call_first_supporting(Call& call) {
  const auto all = backends_.all();
  for (const auto& each : all) {
    if (each->backend().last_description() == nullptr) {
      const auto until = Deadline::in(backends_.options().list_timeout, backends_.loop().timers.clock());
      const auto reached = co_await with_deadline(backends_.loop().timers, until, each->backend().describe());
      if (!reached) continue;
    }
    auto reply = co_await each->backend().call(call);
    if (reply || !is_unknown_method(reply.error())) co_return reply;
  }
  co_return refuse(ProtocolError::unknown_method, "", call.method);
}

}  // namespace fairlead::gateway

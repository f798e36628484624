#include <fairlead/base/task_scope.hpp>
#include <fairlead/base/with_deadline.hpp>
#include <utility>

#include "gateway/merge/merge.hpp"

namespace fairlead::gateway {
namespace {

using protocol::Fault;
using session::Call;
using session::Notice;
using session::Reply;

using Answers = std::vector<Result<Reply>>;

Task<void> ask_one(const Roster& roster, std::shared_ptr<Catalogue> one, Call call, Result<Reply>* answer) {
  const auto until = Deadline::in(roster.options().deadline, roster.loop().timers.clock());
  *answer = co_await with_deadline(roster.loop().timers, until, one->member().call(call));
}

Task<void> ask_each(const Roster& roster, TaskScope& scope, const Roster::Catalogues& those, const Call& call,
                    Answers& answers) {
  for (std::size_t i = 0; i < those.size(); ++i) scope.spawn(ask_one(roster, those[i], call, &answers[i]));
  co_return;
}

Task<void> tell_one(std::shared_ptr<Catalogue> one, Notice notice) {
  co_await one->member().notify(notice);
}

Task<void> tell_each(TaskScope& scope, const Roster::Catalogues& all, const Notice& notice) {
  for (const auto& one : all) scope.spawn(tell_one(one, notice));
  co_return;
}

// Methods of the official extensions.
bool is_of_an_extension(std::string_view method) {
  return method.starts_with("skills/") || method.starts_with("ui/") || method == "resources/directory/read";
}

Roster::Catalogues those_who_log(const Roster& roster) {
  Roster::Catalogues those;
  for (const auto& each : roster.all()) {
    const auto* can = each->capabilities();
    if (can && can->logging) those.push_back(each);
  }
  return those;
}

}  // namespace

Task<Result<Reply>> Merge::set_level(Call& call) {
  std::vector<ListKind> kinds(1, ListKind::tools);
  auto gathered = co_await roster_.gather(std::move(kinds), Roster::Want::strangers);
  if (!gathered) co_return std::unexpected(std::move(gathered.error()));
  const auto those = those_who_log(roster_);
  if (those.empty()) co_return refuse(Fault::unknown_method, "", call.method);
  Answers answers(those.size(), fail(ErrorKind::cancelled, "cancelled"));
  const auto each = [&](TaskScope& scope) { return ask_each(roster_, scope, those, call, answers); };
  co_await with_scope(roster_.loop().log, "merge", each);
  for (auto& answer : answers) {
    if (answer) co_return std::move(answer);
  }
  co_return std::move(answers.front());
}

Task<void> Merge::notify(Notice& notice) {
  const auto all = roster_.all();
  const auto each = [&](TaskScope& scope) { return tell_each(scope, all, notice); };
  co_await with_scope(roster_.loop().log, "merge", each);
}

// In order, until somebody knows the method: who does not has done nothing. What names an item of one server, by a rule
// of an extension's own, would be answered for another's.
Task<Result<Reply>> Merge::call_whoever_knows(Call& call) {
  if (is_of_an_extension(call.method)) {
    co_return refuse(Fault::unknown_method,
                     "this gateway does not know which of its servers it is for; ask one of them at its own path, "
                     "/s/<name>",
                     call.method);
  }
  const auto all = roster_.all();
  for (const auto& each : all) {
    if (each->member().known() == nullptr) {
      const auto until = Deadline::in(roster_.options().deadline, roster_.loop().timers.clock());
      const auto reached = co_await with_deadline(roster_.loop().timers, until, each->member().describe());
      if (!reached) continue;
    }
    auto reply = co_await each->member().call(call);
    if (reply || !says_unknown_method(reply.error())) co_return reply;
  }
  co_return refuse(Fault::unknown_method, "", call.method);
}

}  // namespace fairlead::gateway

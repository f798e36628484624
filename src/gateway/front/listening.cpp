#include "gateway/front/listening.hpp"

#include <algorithm>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/protocol/fault.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fairlead/protocol/subscription.hpp>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>

#include "base/bell.hpp"

namespace fairlead::gateway {
namespace {

using protocol::Fault;
using protocol::SubscriptionFilter;
using session::Call;
using session::Reply;

/// The stream of one subscription, as the chain sees it: a client that is told things.
class Stream final : public session::Service {
 public:
  Stream(Call& call, SubscriptionFilter filter) : call_(call), filter_(std::move(filter)) {}

  Task<Result<Reply>> call(Call& asked) override {
    co_return std::unexpected(protocol::fault_error(Fault::unknown_method, "nobody answers here", asked.method));
  }

  Task<void> notify(session::Notice& notice) override {
    if (!wants(notice)) co_return;
    auto params = protocol::mark_subscription(notice.params, *call_.context.id);
    co_await call_.context.back->tell(notice.method, std::move(params));
  }

 private:
  bool wants(const session::Notice& notice) const {
    const auto is = [&](const auto method) { return notice.method == method; };
    if (is(protocol::ToolListChanged::method)) return filter_.toolsListChanged.value_or(false);
    if (is(protocol::PromptListChanged::method)) return filter_.promptsListChanged.value_or(false);
    if (is(protocol::ResourceListChanged::method)) return filter_.resourcesListChanged.value_or(false);
    // The chain tells of resources that were followed, and of no others.
    return is(protocol::ResourceUpdated::method);
  }

  Call& call_;
  SubscriptionFilter filter_;
};

std::optional<bool> both(const std::optional<bool>& asked, bool offered) {
  return asked.value_or(false) && offered ? std::optional(true) : std::nullopt;
}

template <class Capability>
bool announces(const std::optional<Capability>& capability) {
  return capability && capability->listChanged.value_or(false);
}

SubscriptionFilter of_lists(const SubscriptionFilter& asked, const protocol::ServerCapabilities& offered) {
  SubscriptionFilter filter;
  filter.toolsListChanged = both(asked.toolsListChanged, announces(offered.tools));
  filter.promptsListChanged = both(asked.promptsListChanged, announces(offered.prompts));
  filter.resourcesListChanged = both(asked.resourcesListChanged, announces(offered.resources));
  return filter;
}

Task<Result<Reply>> about_resource(session::Service& next, const Call& listening, std::uint64_t key,
                                   std::string_view method, std::string uri) {
  protocol::ResourceUriParams params;
  params.uri = std::move(uri);
  Call call{.method = std::string(method), .params = json::to_payload(params), .context = listening.context};
  call.context.conversation = key;
  call.context.back = nullptr;
  co_return co_await next.call(call);
}

/// All that one stream needs while it is open.
struct Listening {
  Loop loop;
  Call& call;
  session::Service& next;
  SubscriptionFilter asked;
  SubscriptionFilter filter;
  std::uint64_t key = session::new_conversation_key();
  // Both outlive the tasks that tell the client something: those may still be under way when the client hangs up.
  std::optional<Stream> stream = {};
  std::unique_ptr<session::Attendance> attendance = {};  ///< What is followed goes with it.
};

Task<void> follow(Listening& listening) {
  std::vector<std::string> followed;
  for (const auto& uri : listening.asked.resourceSubscriptions.value_or(std::vector<std::string>())) {
    auto subscribed =
        co_await about_resource(listening.next, listening.call, listening.key, protocol::Subscribe::method, uri);
    if (subscribed) followed.push_back(uri);
  }
  if (!followed.empty()) listening.filter.resourceSubscriptions = std::move(followed);
}

Task<void> until_over(Listening& listening) {
  Bell bell(listening.loop.executor);
  bool over = false;
  const std::stop_callback at_the_end(listening.call.context.over, [&] {
    over = true;
    bell.ring();
  });
  // Whoever cancels ends the wait too, and throws at the next.
  while (!over) co_await bell.wait();
}

Task<void> serve(Listening& listening, TaskScope& tasks) {
  listening.stream.emplace(listening.call, listening.filter);
  listening.attendance = listening.next.attend({.key = listening.key,
                                                .principal = listening.call.context.principal,
                                                .peer = *listening.stream,
                                                .executor = listening.loop.executor,
                                                .tasks = tasks,
                                                .hears_only = true});
  co_await follow(listening);
  protocol::SubscriptionsAcknowledgedParams acknowledged;
  acknowledged.notifications = listening.filter;
  auto first = protocol::mark_subscription(json::to_payload(acknowledged), *listening.call.context.id);
  auto told = co_await listening.call.context.back->tell(std::string(protocol::SubscriptionsAcknowledged::method),
                                                         std::move(first));
  if (told) co_await until_over(listening);
  tasks.cancel();
}

}  // namespace

Task<Result<Reply>> listen(Loop loop, Call& call, session::Service& next) {
  auto params = json::decode<protocol::SubscriptionsListenParams>(call.params);
  if (!params) co_return std::unexpected(protocol::fault_error(Fault::invalid_params, params.error().message));
  if (call.context.back == nullptr || !call.context.id) {
    co_return std::unexpected(protocol::fault_error(Fault::invalid_request, "there is no stream to listen on"));
  }
  Call question{.method = std::string(protocol::Discover::method), .context = call.context};
  auto found = co_await next.call(question);
  if (!found) co_return std::unexpected(std::move(found.error()));
  auto server = json::decode<protocol::DiscoverResult>(found->body);
  if (!server) co_return std::unexpected(std::move(server.error()));
  Listening listening{
      .loop = loop, .call = call, .next = next, .asked = std::move(params->notifications), .filter = {}};
  listening.filter = of_lists(listening.asked, server->capabilities);
  co_await with_scope(loop.log, "listen", [&listening](TaskScope& tasks) { return serve(listening, tasks); });
  co_return Reply{.body = protocol::mark_subscription({}, *call.context.id)};
}

}  // namespace fairlead::gateway

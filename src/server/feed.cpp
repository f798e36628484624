#include "server/feed.hpp"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

namespace fairlead::server {
namespace asio = boost::asio;

Feed::Feed(asio::any_io_executor executor, std::function<bool(const Change&)> wanted)
    : timer_(std::move(executor), asio::steady_timer::time_point::max()), wanted_(std::move(wanted)) {}

ChangeSubscription Feed::open(const std::shared_ptr<Observers>& observers) {
  const std::weak_ptr<Feed> weak = weak_from_this();
  const auto executor = timer_.get_executor();
  return observers->add(observers, [weak, executor](const Change& change) {
    asio::post(executor, [weak, change] {
      if (const auto feed = weak.lock()) feed->push(change);
    });
  });
}

void Feed::push(const Change& change) {
  const auto same = [&](const Change& other) { return other.what == change.what && other.uri == change.uri; };
  if (!wanted_(change) || std::ranges::any_of(waiting_, same)) return;
  waiting_.push_back(change);
  timer_.cancel();
}

Task<Result<Change>> Feed::next() {
  const auto self = shared_from_this();
  while (waiting_.empty()) {
    co_await timer_.async_wait(asio::as_tuple(asio::use_awaitable));
    const auto state = co_await asio::this_coro::cancellation_state;
    if (state.cancelled() != asio::cancellation_type::none) co_return fail(ErrorKind::cancelled, "nobody listens");
  }
  Change change = std::move(waiting_.front());
  waiting_.pop_front();
  co_return change;
}

session::Notice notice_of(const Change& change) {
  using What = Change::What;
  switch (change.what) {
    case What::tools: return {.method = std::string(protocol::ToolListChanged::method)};
    case What::resources: return {.method = std::string(protocol::ResourceListChanged::method)};
    case What::prompts: return {.method = std::string(protocol::PromptListChanged::method)};
    case What::resource_updated: break;
  }
  protocol::ResourceUriParams params;
  params.uri = change.uri;
  return {.method = std::string(protocol::ResourceUpdated::method), .params = json::to_payload(params)};
}

}  // namespace fairlead::server

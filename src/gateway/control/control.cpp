#include "gateway/control/control.hpp"

#include <fairlead/base/timer_wheel.hpp>
#include <fmt/format.h>
#include <unistd.h>
#include <utility>

#include "gateway/control/control_place.hpp"

namespace fairlead::gateway {
namespace {

using server::Arg;
using server::Context;

constexpr std::size_t largest_wish = std::size_t{64} * 1024;

using Filters =
    Arg<"filters", std::optional<std::vector<std::string>>, "Like tool:search or -status:ok; all must hold">;
using HowMany =
    Arg<"count", std::optional<std::uint64_t>, "How many messages to wait for; otherwise until it is cancelled">;
using Milliseconds = Arg<"milliseconds", std::optional<std::uint64_t>, "How long to listen">;

session::SessionOptions control_session() {
  session::SessionOptions options;
  options.name = "control";
  // Whoever has gone listens no more; and of what he does not read, little shall wait.
  options.drain = Duration{};
  options.max_queued = 16;
  return options;
}

json::Payload greeting() {
  return json::Payload::trusted(fmt::format(R"({{"listening":{}}})", ::getpid()));
}

json::Payload loss(std::size_t lines) {
  return json::Payload::trusted(fmt::format(R"({{"lost":{}}})", lines));
}

}  // namespace

Control::Control(Loop loop, ControlView view)
    : loop_(loop),
      view_(std::move(view)),
      started_(loop.timers.clock().now()),
      server_("fairlead-control", FAIRLEAD_VERSION),
      host_(server_, loop.log, control_session()) {
  server_.tool("status", "How the gateway and each of its servers is doing", [this] { return report(); });
  server_.tool("tap", "Tells what passes between clients and the gateway, as log messages, until it is cancelled",
               [this](Context& context, Filters filters, HowMany count, Milliseconds time) {
                 return tap(context, filters->value_or(std::vector<std::string>()), count->value_or(0),
                            std::chrono::milliseconds(time->value_or(0)));
               });
}

Result<void> Control::listen(const std::string& path) {
  auto place = path.empty() ? own_control_path(control_folders()) : Result<std::string>(path);
  if (!place) return std::unexpected(std::move(place.error()));
  transport::FramedOptions framing;
  framing.max_message = largest_wish;
  framing.name = "control";
  auto listener = transport::SocketListener::on_unix(loop_, *place, std::move(framing));
  if (!listener) return std::unexpected(std::move(listener.error()));
  listener_ = std::move(*listener);
  path_ = std::move(*place);
  return {};
}

Task<void> Control::serve(TaskScope& tasks) {
  while (auto accepted = co_await listener_->accept()) {
    tasks.spawn(serve_one(std::shared_ptr<transport::Transport>(std::move(*accepted))));
  }
}

Task<void> Control::serve_one(std::shared_ptr<transport::Transport> transport) {
  const auto hosted = host_.open(loop_, *transport, {.name = "control"});
  co_await hosted->run();
}

void Control::close() {
  if (listener_) listener_->close();
  // The path goes with it.
  listener_.reset();
}

GatewayReport Control::report() const {
  GatewayReport report{.version = FAIRLEAD_VERSION, .pid = ::getpid()};
  const std::chrono::duration<double> uptime = loop_.timers.clock().now() - started_;
  report.uptimeSeconds = uptime.count();
  report.listens = view_.listens;
  report.servers = view_.servers();
  for (auto& server : report.servers) {
    server.address = view_.tap->hiding().text(server.address);
    if (server.lastError) server.lastError = view_.tap->hiding().text(*server.lastError);
  }
  return report;
}

Task<Result<TapSummary>> Control::tap(Context& context, std::vector<std::string> filters, std::uint64_t count,
                                      Duration time) {
  auto filter = TapFilter::read(filters);
  if (!filter) co_return std::unexpected(std::move(filter.error()));
  const auto tapper = view_.tap->listen(std::move(*filter));
  bool over = false;
  Timer until(loop_.timers, [&] {
    over = true;
    tapper->bell().ring();
  });
  if (time > Duration{}) until.arm(Deadline::in(time, loop_.timers.clock()));
  auto hello = greeting();
  co_await context.log(protocol::LoggingLevel::info, std::move(hello), "tap");
  TapSummary told;
  while (!over && (count == 0 || told.lines < count)) {
    auto next = tapper->next();
    if (!next) {
      co_await tapper->bell().wait();
      continue;
    }
    told.lost += next->lost;
    if (next->lost != 0) {
      auto warning = loss(next->lost);
      co_await context.log(protocol::LoggingLevel::warning, std::move(warning), "tap");
    }
    ++told.lines;
    auto line = json::Payload::trusted(*next->text);
    co_await context.log(protocol::LoggingLevel::info, std::move(line), "tap");
  }
  told.lost += tapper->lost();
  co_return told;
}

}  // namespace fairlead::gateway

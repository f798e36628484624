#include "gateway/control/control_server.hpp"

#include <fairlead/base/timer_wheel.hpp>
#include <fmt/format.h>
#include <unistd.h>
#include <utility>

#include "gateway/control/control_socket_path.hpp"

namespace fairlead::gateway {
namespace {

using server::Arg;
using server::Context;

constexpr std::size_t max_request_bytes = std::size_t{64} * 1024;

using Filters =
    Arg<"filters", std::optional<std::vector<std::string>>, "Such as tool:search or -status:ok; all must match">;
using HowMany = Arg<"count", std::optional<std::uint64_t>, "Number of messages; default: until cancelled">;
using Milliseconds = Arg<"milliseconds", std::optional<std::uint64_t>, "Duration in milliseconds">;

session::SessionOptions control_session() {
  session::SessionOptions options;
  options.name = "control";
  // Clients that disconnect are not waited for, and slow readers have a short queue.
  options.drain_timeout = Duration{};
  options.max_queued = 16;
  return options;
}

json::Payload listening_message() {
  return json::Payload::trusted(fmt::format(R"({{"listening":{}}})", ::getpid()));
}

json::Payload lost_message(std::size_t lines) {
  return json::Payload::trusted(fmt::format(R"({{"lost":{}}})", lines));
}

}  // namespace

ControlServer::ControlServer(EventLoop loop, ControlSources view)
    : loop_(loop),
      sources_(std::move(view)),
      started_(loop.timers.clock().now()),
      server_("fairlead-control", FAIRLEAD_VERSION),
      host_(server_, control_session()) {
  server_.tool("status", "Status of the gateway and its servers", [this] { return report(); });
  server_.tool("tap", "Sends messages between clients and the gateway as log messages until cancelled",
               [this](Context& context, Filters filters, HowMany count, Milliseconds time) {
                 return tap(context, filters->value_or(std::vector<std::string>()), count->value_or(0),
                            std::chrono::milliseconds(time->value_or(0)));
               });
}

Result<void> ControlServer::listen(const std::string& path) {
  auto place = path.empty() ? own_control_path(control_folders()) : Result<std::string>(path);
  if (!place) return std::unexpected(std::move(place.error()));
  transport::FramedOptions framing;
  framing.max_message = max_request_bytes;
  framing.name = "control";
  auto listener = transport::SocketListener::on_unix(loop_, *place, std::move(framing));
  if (!listener) return std::unexpected(std::move(listener.error()));
  listener_ = std::move(*listener);
  path_ = std::move(*place);
  return {};
}

Task<void> ControlServer::serve(TaskScope& tasks) {
  while (auto accepted = co_await listener_->accept()) {
    tasks.spawn(serve_one(std::shared_ptr<transport::Transport>(std::move(*accepted))));
  }
}

Task<void> ControlServer::serve_one(std::shared_ptr<transport::Transport> transport) {
  const auto hosted = host_.open(loop_, *transport, {.name = "control"});
  co_await hosted->run();
}

void ControlServer::close() {
  if (listener_) listener_->close();
  // The listener removes its socket path.
  listener_.reset();
}

GatewayReport ControlServer::report() const {
  GatewayReport report{.version = FAIRLEAD_VERSION, .pid = ::getpid()};
  const std::chrono::duration<double> uptime = loop_.timers.clock().now() - started_;
  report.uptimeSeconds = uptime.count();
  report.listens = sources_.listens;
  report.servers = sources_.servers();
  for (auto& server : report.servers) {
    server.address = sources_.tap->redactor().text(server.address);
    if (server.lastError) server.lastError = sources_.tap->redactor().text(*server.lastError);
  }
  return report;
}

Task<Result<TapSummary>> ControlServer::tap(Context& context, std::vector<std::string> filters, std::uint64_t count,
                                            Duration time) {
  auto filter = TapFilter::read(filters);
  if (!filter) co_return std::unexpected(std::move(filter.error()));
  const auto subscriber = sources_.tap->subscribe(std::move(*filter));
  bool over = false;
  Timer until(loop_.timers, [&] {
    over = true;
    subscriber->event().notify();
  });
  if (time > Duration{}) until.arm(Deadline::in(time, loop_.timers.clock()));
  auto hello = listening_message();
  co_await context.log(protocol::LoggingLevel::info, std::move(hello), "tap");
  TapSummary summary;
  while (!over && (count == 0 || summary.lines < count)) {
    auto next = subscriber->next();
    if (!next) {
      co_await subscriber->event().wait();
      continue;
    }
    summary.lost += next->lost;
    if (next->lost != 0) {
      auto warning = lost_message(next->lost);
      co_await context.log(protocol::LoggingLevel::warning, std::move(warning), "tap");
    }
    ++summary.lines;
    auto line = json::Payload::trusted(*next->text);
    co_await context.log(protocol::LoggingLevel::info, std::move(line), "tap");
  }
  summary.lost += subscriber->lost();
  co_return summary;
}

}  // namespace fairlead::gateway

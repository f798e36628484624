#include <fairlead/server/http.hpp>

#include <fairlead/base/workers.hpp>
#include <fairlead/session/host.hpp>
#include <utility>

namespace fairlead::server {

struct HttpServing::State {
  State(session::Service& service, LogSink& log, HttpOptions chosen, const session::SessionOptions& sessions)
      : options(std::move(chosen)), host(service, log, sessions), workers(options.workers, log) {
    options.front.workers = workers.size();
    const auto make = [this](Loop loop, std::size_t worker) {
      return transport::make_http_front(loop, worker, host, options.front);
    };
    listener = std::make_unique<http::Listener>(workers, log, options.listen, make);
  }

  HttpOptions options;
  session::SessionHost host;
  Workers workers;
  std::unique_ptr<http::Listener> listener;
  bool running = false;
};

HttpServing::HttpServing(session::Service& service, LogSink& log, HttpOptions options,
                         const session::SessionOptions& sessions)
    : state_(std::make_unique<State>(service, log, std::move(options), sessions)) {}

HttpServing::HttpServing(session::Service& service, LogSink& log, HttpOptions options)
    : HttpServing(service, log, std::move(options), session::SessionOptions{}) {}

HttpServing::~HttpServing() {
  stop();
}

Result<void> HttpServing::start() {
  if (auto opened = state_->listener->open(); !opened) return opened;
  state_->workers.start();
  state_->running = true;
  return {};
}

std::string HttpServing::url() const {
  return state_->listener->url();
}

void HttpServing::stop() {
  if (!std::exchange(state_->running, false)) return;
  state_->listener->stop(state_->options.drain);
  state_->workers.stop();
}

}  // namespace fairlead::server

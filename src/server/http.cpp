#include <fairlead/server/http.hpp>

#include <fairlead/base/workers.hpp>
#include <fairlead/session/service_session_factory.hpp>
#include <utility>

namespace fairlead::server {

struct HttpServerState {
  HttpServerState(session::Service& served, LogSink& log, HttpOptions chosen, const session::SessionOptions& sessions)
      : service(served), options(std::move(chosen)), host(service, sessions), workers(options.workers, log) {
    options.mcp.workers = workers.size();
    const auto make = [this](EventLoop loop, std::size_t worker) {
      return transport::make_mcp_http_handler(loop, worker, host, options.mcp);
    };
    listener = std::make_unique<http::Listener>(workers, log, options.listen, make);
  }

  session::Service& service;
  HttpOptions options;
  session::ServiceSessionFactory host;
  Workers workers;
  std::unique_ptr<http::Listener> listener;
  bool running = false;
};

HttpServer::HttpServer(session::Service& service, LogSink& log, HttpOptions options,
                       const session::SessionOptions& sessions)
    : state_(std::make_unique<HttpServerState>(service, log, std::move(options), sessions)) {}

HttpServer::HttpServer(session::Service& service, LogSink& log, HttpOptions options)
    : HttpServer(service, log, std::move(options), session::SessionOptions{}) {}

HttpServer::~HttpServer() {
  stop();
}

Result<void> HttpServer::start() {
  if (auto opened = state_->listener->open(); !opened) return opened;
  state_->workers.start();
  state_->running = true;
  return {};
}

std::string HttpServer::url() const {
  return state_->listener->url();
}

void HttpServer::stop() {
  if (!std::exchange(state_->running, false)) return;
  const auto until = Deadline::in(state_->options.drain_timeout);
  state_->listener->stop(state_->options.drain_timeout);
  state_->service.finish_background_work(until.remaining());
  state_->workers.stop();
}

}  // namespace fairlead::server

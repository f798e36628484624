#include <fairlead/server/http.hpp>

#include <fairlead/base/workers.hpp>
#include <fairlead/session/service_session_factory.hpp>
#include <utility>

namespace fairlead::server {

struct HttpServerState {
  HttpServerState(session::Service& served, LogSink& log, HttpOptions chosen, const session::SessionOptions& sessions)
      : service(served), options(std::move(chosen)), host(service, sessions), workers(options.workers, log) {
    options.mcp.workers = workers.size();
    if (options.oauth) protect(log);
    const auto make = [this](EventLoop loop, std::size_t worker) {
      return transport::make_mcp_http_handler(loop, worker, host, options.mcp);
    };
    listener = std::make_unique<http::Listener>(workers, log, options.listen, make);
  }

  void protect(LogSink& log) {
    auto oauth = std::move(*options.oauth);
    if (oauth.log == nullptr) oauth.log = &log;
    oauth.open_paths = {options.mcp.paths.health, options.mcp.paths.ready};
    const auto authority = oauth.resource.find("://");
    if (authority != std::string::npos) {
      const auto rest = oauth.resource.substr(authority + 3);
      options.listen.host_origin.hosts.push_back(rest.substr(0, rest.find('/')));
    }
    auto check = auth::OAuthCheck::make(std::move(oauth));
    if (!check) return static_cast<void>(ready = std::unexpected(std::move(check.error())));
    options.listen.access_checks.push_back(std::move(*check));
    options.listen.authenticated = true;
  }

  session::Service& service;
  HttpOptions options;
  Result<void> ready;  // The error of options that cannot work.
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
  if (!state_->ready) return state_->ready;
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

#include <fairlead/transport/mcp_http_handler.hpp>

#include <fairlead/http/router.hpp>
#include <fairlead/transport/websocket_server.hpp>

#include "transport/http_server/content_negotiation.hpp"
#include "transport/http_server/jsonrpc_response.hpp"

namespace fairlead::transport {
namespace {

/// Liveness and readiness probes.
class HealthHandler final : public http::Handler {
 public:
  explicit HealthHandler(std::function<bool()> healthy) : is_healthy_(std::move(healthy)) {}

  Task<http::Response> handle(http::Request& request) override {
    if (request.method != "GET" && request.method != "HEAD") return method_not_allowed("GET, HEAD");
    const bool healthy = !is_healthy_ || is_healthy_();
    http::Response response{.status = static_cast<std::uint16_t>(healthy ? 200 : 503), .content_type = "text/plain"};
    response.headers.push_back({"Cache-Control", "no-store"});
    response.body = healthy ? "ok\n" : "not ready\n";
    return response;
  }

 private:
  std::function<bool()> is_healthy_;
};

/// One path for all transports, selected by the Accept header.
class SinglePathHandler final : public http::Handler {
 public:
  struct Handlers {
    std::shared_ptr<http::Handler> mcp, call, stream, socket;
  };
  explicit SinglePathHandler(Handlers handlers) : handlers_(std::move(handlers)) {}

  Task<http::Response> handle(http::Request& request) override { return choose(request).handle(request); }
  std::optional<std::size_t> preferred_worker(const http::Request& request) const override {
    return choose(request).preferred_worker(request);
  }
  Task<void> close() override { return handlers_.mcp->close(); }

 private:
  http::Handler& choose(const http::Request& request) const {
    if (request.method == "GET" && request.count("Upgrade") != 0) return *handlers_.socket;
    const bool json = accepts_explicitly(request, json_type);
    const bool events = accepts_explicitly(request, event_stream);
    if (request.method != "POST" || (json && events)) return *handlers_.mcp;
    return events ? *handlers_.stream : *handlers_.call;
  }

  Handlers handlers_;
};

class HandlerBuilder {
 public:
  HandlerBuilder(EventLoop loop, std::size_t worker, SessionFactory& factory, const McpHttpOptions& options)
      : loop_(loop), worker_(worker), factory_(factory), options_(options) {}

  std::unique_ptr<http::Handler> build() {
    const auto& paths = options_.paths;
    add(paths.mcp, options_.single_path ? single_path() : streamable());
    auto sse_options = options_.sse;
    sse_options.messages = paths.messages;
    sse_options.workers = options_.workers;
    const auto sse = std::make_shared<HttpSse>(loop_, worker_, factory_, std::move(sse_options));
    add(paths.sse, sse);
    add(paths.messages, sse);
    add(paths.rpc, tool(false));
    add(paths.rpc_stream, tool(true));
    add(paths.ws, socket());
    add(paths.health, std::make_shared<HealthHandler>(std::function<bool()>()));
    add(paths.ready, std::make_shared<HealthHandler>(options_.is_ready));
    return std::move(router_);
  }

 private:
  void add(const std::string& path, std::shared_ptr<http::Handler> handler) {
    if (!path.empty()) router_->add(path, std::move(handler));
  }

  std::shared_ptr<http::Handler> streamable() const {
    auto streamable_options = options_.streamable;
    streamable_options.workers = options_.workers;
    return std::make_shared<StreamableHttp>(loop_, worker_, factory_, streamable_options);
  }
  std::shared_ptr<http::Handler> tool(bool stream) const {
    auto tool_options = options_.tool;
    tool_options.stream = stream;
    return std::make_shared<ToolHttp>(loop_, factory_, tool_options);
  }
  std::shared_ptr<http::Handler> socket() const {
    return std::make_shared<WebSocketServer>(factory_, options_.websocket);
  }
  std::shared_ptr<http::Handler> single_path() const {
    return std::make_shared<SinglePathHandler>(SinglePathHandler::Handlers{
        .mcp = streamable(), .call = tool(false), .stream = tool(true), .socket = socket()});
  }

  EventLoop loop_;
  std::size_t worker_;
  SessionFactory& factory_;
  const McpHttpOptions& options_;
  std::unique_ptr<http::Router> router_ = std::make_unique<http::Router>();
};

}  // namespace

std::unique_ptr<http::Handler> make_mcp_http_handler(EventLoop loop, std::size_t worker, SessionFactory& factory,
                                                     const McpHttpOptions& options) {
  return HandlerBuilder(loop, worker, factory, options).build();
}

}  // namespace fairlead::transport

#include <fairlead/transport/http_front.hpp>

#include <fairlead/http/router.hpp>
#include <fairlead/transport/websocket_server.hpp>
#include <utility>

#include "transport/http_server/media.hpp"
#include "transport/http_server/rpc_answer.hpp"

namespace fairlead::transport {
namespace {

/// Says that we are there, or ready.
class Probe final : public http::Handler {
 public:
  explicit Probe(std::function<bool()> fine) : fine_(std::move(fine)) {}

  std::optional<http::Response> answer_now(http::Request& request) override {
    if (request.method != "GET" && request.method != "HEAD") return method_not_allowed("GET, HEAD");
    const bool fine = !fine_ || fine_();
    http::Response response{.status = static_cast<std::uint16_t>(fine ? 200 : 503), .content_type = "text/plain"};
    response.headers.push_back({"Cache-Control", "no-store"});
    response.body = fine ? "ok\n" : "not ready\n";
    return response;
  }
  Task<void> serve(http::Exchange& exchange) override {
    auto answer = answer_now(exchange.request());
    co_await exchange.respond(std::move(*answer));
  }

 private:
  std::function<bool()> fine_;
};

/// One address for all: what a request is for shows in what it accepts.
class SinglePath final : public http::Handler {
 public:
  struct Parts {
    std::shared_ptr<http::Handler> mcp, call, stream, socket;
  };
  explicit SinglePath(Parts parts) : parts_(std::move(parts)) {}

  std::optional<http::Response> answer_now(http::Request& request) override {
    return choose(request).answer_now(request);
  }
  Task<void> serve(http::Exchange& exchange) override { return choose(exchange.request()).serve(exchange); }
  std::optional<std::size_t> home(const http::Request& request) const override { return choose(request).home(request); }
  Task<void> close() override { return parts_.mcp->close(); }

 private:
  http::Handler& choose(const http::Request& request) const {
    if (request.method == "GET" && request.count("Upgrade") != 0) return *parts_.socket;
    const bool json = names(request, json_type);
    const bool events = names(request, event_stream);
    if (request.method != "POST" || (json && events)) return *parts_.mcp;
    return events ? *parts_.stream : *parts_.call;
  }

  Parts parts_;
};

class Builder {
 public:
  Builder(Loop loop, std::size_t worker, Host& host, const HttpFrontOptions& options)
      : loop_(loop), worker_(worker), host_(host), options_(options) {}

  std::unique_ptr<http::Handler> build() {
    const auto& paths = options_.paths;
    add(paths.mcp, options_.single_path ? single_path() : streamable());
    auto sse_options = options_.sse;
    sse_options.messages = paths.messages;
    sse_options.workers = options_.workers;
    const auto sse = std::make_shared<HttpSse>(loop_, worker_, host_, std::move(sse_options));
    add(paths.sse, sse);
    add(paths.messages, sse);
    add(paths.rpc, tool(false));
    add(paths.rpc_stream, tool(true));
    add(paths.ws, socket());
    add(paths.health, std::make_shared<Probe>(std::function<bool()>()));
    add(paths.ready, std::make_shared<Probe>(options_.is_ready));
    return std::move(router_);
  }

 private:
  void add(const std::string& path, std::shared_ptr<http::Handler> handler) {
    if (!path.empty()) router_->add(path, std::move(handler));
  }

  std::shared_ptr<http::Handler> streamable() const {
    auto streamable_options = options_.streamable;
    streamable_options.workers = options_.workers;
    return std::make_shared<StreamableHttp>(loop_, worker_, host_, streamable_options);
  }
  std::shared_ptr<http::Handler> tool(bool stream) const {
    auto tool_options = options_.tool;
    tool_options.stream = stream;
    return std::make_shared<ToolHttp>(host_, tool_options);
  }
  std::shared_ptr<http::Handler> socket() const { return std::make_shared<WebSocketServer>(host_, options_.websocket); }
  std::shared_ptr<http::Handler> single_path() const {
    return std::make_shared<SinglePath>(
        SinglePath::Parts{.mcp = streamable(), .call = tool(false), .stream = tool(true), .socket = socket()});
  }

  Loop loop_;
  std::size_t worker_;
  Host& host_;
  const HttpFrontOptions& options_;
  std::unique_ptr<http::Router> router_ = std::make_unique<http::Router>();
};

}  // namespace

std::unique_ptr<http::Handler> make_http_front(Loop loop, std::size_t worker, Host& host,
                                               const HttpFrontOptions& options) {
  return Builder(loop, worker, host, options).build();
}

}  // namespace fairlead::transport

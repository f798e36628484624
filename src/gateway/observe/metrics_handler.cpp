#include "gateway/observe/metrics_handler.hpp"

#include "gateway/observe/prometheus_text.hpp"

namespace fairlead::gateway {

Task<http::Response> MetricsHandler::handle(http::Request& request) {
  if (request.path != path_) {
    return http::Response{.status = 404, .content_type = "text/plain", .body = "not found\n"};
  }
  if (request.method != "GET" && request.method != "HEAD") {
    return http::Response{
        .status = 405, .content_type = "text/plain", .headers = {{"Allow", "GET, HEAD"}}, .body = "use GET\n"};
  }
  return http::Response{.content_type = PrometheusText::content_type, .body = text_()};
}

}  // namespace fairlead::gateway

#pragma once

#include <fairlead/http/handler.hpp>
#include <functional>
#include <utility>

namespace fairlead::gateway {

/// Serves the metrics text at one path.
class MetricsHandler final : public http::Handler {
 public:
  MetricsHandler(std::string path, std::function<std::string()> text)
      : path_(std::move(path)), text_(std::move(text)) {}

  Task<http::Response> handle(http::Request& request) override;

 private:
  std::string path_;
  std::function<std::string()> text_;
};

}  // namespace fairlead::gateway

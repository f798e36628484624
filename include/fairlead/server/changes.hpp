#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace fairlead::server {

enum class Kind : std::uint8_t { tool, resource, resource_template, prompt };

/// Something of interest to clients that listen.
struct Change {
  enum class What : std::uint8_t { tools, resources, prompts, resource_updated };

  What what;
  std::string uri = {};  ///< For `resource_updated`.
};

using OnChange = std::function<void(const Change&)>;

/// Keeps an observer registered for as long as it lives. May outlive the server.
class ChangeSubscription {
 public:
  ChangeSubscription() = default;
  explicit ChangeSubscription(std::shared_ptr<void> hold) : hold_(std::move(hold)) {}

 private:
  std::shared_ptr<void> hold_;
};

}  // namespace fairlead::server

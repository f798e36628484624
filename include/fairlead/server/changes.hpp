#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace fairlead::server {

enum class Kind : std::uint8_t { tool, resource, resource_template, prompt };

/// Something of interest to clients that listen: an entry came or went, or a resource has other contents.
struct Change {
  Kind kind;
  std::string name = {};  ///< As it is registered; for resources the URI or the template. Empty: any of this kind.
  bool contents = false;  ///< What the resource of this URI holds, not the list it is in.

  bool operator==(const Change&) const = default;
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

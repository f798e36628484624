#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace fairlead::server {

enum class EntryKind : std::uint8_t { tool, resource, resource_template, prompt };

/// A change that clients can be notified of: an entry was added or removed, or the contents of a resource changed.
struct Change {
  EntryKind kind;
  std::string name = {};          ///< Name at registration; for resources the URI or template. Empty: any of this kind.
  bool contents_changed = false;  ///< The contents of the resource changed, not the list of resources.

  bool operator==(const Change&) const = default;
};

using OnChange = std::function<void(const Change&)>;

/// Keeps an observer registered until it is destroyed. May outlive the server.
class ChangeSubscription {
 public:
  ChangeSubscription() = default;
  explicit ChangeSubscription(std::shared_ptr<void> registration) : registration_(std::move(registration)) {}

 private:
  std::shared_ptr<void> registration_;
};

}  // namespace fairlead::server

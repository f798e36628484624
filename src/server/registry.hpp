#pragma once

#include <fairlead/json/schema.hpp>
#include <fairlead/protocol/header_params.hpp>
#include <fairlead/protocol/uri_template.hpp>
#include <fairlead/server/server.hpp>
#include <functional>
#include <unordered_map>

namespace fairlead::server {

/// Entries with unique names, in the order of registration.
template <class Entry>
class OrderedRegistry {
 public:
  using Shared = std::shared_ptr<const Entry>;

  const std::vector<Shared>& entries() const { return order_; }
  bool empty() const { return order_.empty(); }

  Shared find(std::string_view name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : found->second;
  }

  bool add(std::string name, Entry entry) {
    const auto [slot, is_new] = by_name_.try_emplace(std::move(name), nullptr);
    if (!is_new) return false;
    slot->second = std::make_shared<const Entry>(std::move(entry));
    order_.push_back(slot->second);
    return true;
  }

  bool remove(std::string_view name) {
    const auto found = by_name_.find(name);
    if (found == by_name_.end()) return false;
    std::erase(order_, found->second);
    by_name_.erase(found);
    return true;
  }

 private:
  struct NameHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const { return std::hash<std::string_view>()(name); }
  };

  std::vector<Shared> order_;
  std::unordered_map<std::string, Shared, NameHash, std::equal_to<>> by_name_;
};

/// A tool with its compiled hand-written schemas.
struct RegisteredTool {
  ToolEntry entry;
  std::optional<json::Schema> input = {};
  std::optional<json::Schema> output = {};
  std::vector<protocol::HeaderParam> headers = {};

  const std::string& name() const { return entry.definition.name; }
};

struct RegisteredResource {
  ResourceEntry entry;
  std::optional<protocol::UriTemplate> uri_template = {};

  const std::string& name() const { return entry.key; }
};

struct RegisteredPrompt {
  PromptEntry entry;

  const std::string& name() const { return entry.definition.name; }
};

/// All registered entries. Copied on change; a request keeps the version that it started with.
struct Registry {
  OrderedRegistry<RegisteredTool> tools;
  OrderedRegistry<RegisteredResource> resources;
  OrderedRegistry<RegisteredResource> templates;
  OrderedRegistry<RegisteredPrompt> prompts;
  OrderedRegistry<CompletionEntry> completions;
};

}  // namespace fairlead::server

#pragma once

#include <fairlead/json/schema.hpp>
#include <fairlead/protocol/header_params.hpp>
#include <fairlead/protocol/uri_template.hpp>
#include <fairlead/server/server.hpp>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fairlead::server {

/// Entries in the order of registration, each under a name of its own.
template <class Entry>
class Catalogue {
 public:
  using Shared = std::shared_ptr<const Entry>;

  const std::vector<Shared>& entries() const { return order_; }
  bool empty() const { return order_.empty(); }

  Shared find(std::string_view name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : found->second;
  }

  bool add(std::string name, Entry entry) {
    const auto [place, fresh] = by_name_.try_emplace(std::move(name), nullptr);
    if (!fresh) return false;
    place->second = std::make_shared<const Entry>(std::move(entry));
    order_.push_back(place->second);
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
  std::vector<Shared> order_;
  std::map<std::string, Shared, std::less<>> by_name_;
};

/// A tool with its hand-written schemas compiled.
struct Tool {
  ToolEntry entry;
  std::optional<json::Schema> input = {};
  std::optional<json::Schema> output = {};
  std::vector<protocol::HeaderParam> headers = {};

  const std::string& name() const { return entry.definition.name; }
};

struct Resource {
  ResourceEntry entry;
  std::optional<protocol::UriTemplate> uri_template = {};

  const std::string& name() const { return entry.key; }
};

struct Prompt {
  PromptEntry entry;

  const std::string& name() const { return entry.definition.name; }
};

/// All that is registered. A request works with the one it found.
struct Registry {
  Catalogue<Tool> tools;
  Catalogue<Resource> resources;
  Catalogue<Resource> templates;
  Catalogue<Prompt> prompts;
  Catalogue<CompletionEntry> completions;
};

}  // namespace fairlead::server

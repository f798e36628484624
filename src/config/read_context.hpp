#pragma once

#include <span>

#include "config/diagnostics.hpp"
#include "config/node.hpp"
#include "config/variables.hpp"

namespace fairlead::config {

/// Access to the environment and to files while a configuration is read.
struct ReadOptions {
  Environment environment = process_environment();
  /// Reads an `env_file`. Empty: such files are refused.
  std::function<Result<std::string>(const std::string& path)> read_file = {};
};

/// What to do with keys that no field table has.
struct KeyRules {
  /// Returns what became of a key that older versions had, for the error; nothing for any other key. `scope` is the
  /// name of the map that holds the key; empty for the root.
  std::optional<std::string> (*retired)(std::string_view scope, std::string_view key) = nullptr;
  bool ignore_unknown = false;  ///< Warn of unknown keys instead of refusing them.
};

/// A value of the file that is read.
struct NodeRef {
  const Node& node;
  std::string path;      ///< Path as written: `mcpServers.git.endpoint`.
  std::string key_path;  ///< Canonical path: `servers.git.url`.

  NodeRef member(const Node& child) const { return member(child, child.key); }
  /// A member whose canonical name differs from its key.
  NodeRef member(const Node& child, std::string_view meaning) const {
    return {child, below(path, child.key), below(key_path, meaning)};
  }
  NodeRef item(std::size_t index) const;
};

/// State while one file is read: diagnostics and sources of values.
class ReadContext {
 public:
  /// All arguments but `file` outlive it. An empty `file` is the command line.
  ReadContext(std::string file, const ReadOptions& options, Diagnostics& diagnostics, Sources& sources,
              KeyRules rules = {})
      : file_(std::move(file)), options_(options), diagnostics_(diagnostics), sources_(sources), rules_(rules) {}

  Source source(const NodeRef& ref) const;
  SourceLocation origin(const NodeRef& ref) const;

  void error(const NodeRef& ref, std::string_view message) {
    diagnostics_.add(source(ref), ref.path, message);
    diagnostics_.mark_invalid(ref.key_path);
  }
  void warn(const NodeRef& ref, std::string_view message) { diagnostics_.warn(source(ref), ref.path, message); }
  void unknown_key(const NodeRef& ref, std::span<const std::string> known);

  /// Records the source of a value.
  void record_source(const NodeRef& ref, std::vector<std::string> variables = {});
  void forget(const std::string& key_path) { sources_.forget(key_path); }

  /// Returns the scalar with its variables expanded. Otherwise adds an error and returns nothing.
  std::optional<Expanded> text(const NodeRef& ref);
  std::optional<Expanded> text(const NodeRef& ref, std::string_view raw);
  /// Returns true if the value has the wanted kind or is null, which stands for an empty map or list. Otherwise adds an
  /// error.
  bool is(const NodeRef& ref, Node::Kind wanted);

  /// Resolves a path relative to the folder of this file.
  std::string beside(const std::string& path) const;
  const ReadOptions& options() const { return options_; }

 private:
  std::string file_;
  const ReadOptions& options_;
  Diagnostics& diagnostics_;
  Sources& sources_;
  KeyRules rules_;
};

}  // namespace fairlead::config

#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gateway/config/config.hpp"
#include "gateway/config/expand.hpp"
#include "gateway/config/node.hpp"
#include "gateway/config/problems.hpp"

namespace fairlead::gateway {

/// What a configuration reads of the world besides its own text.
struct ReadOptions {
  Environment environment = process_environment();
  /// For `env_file`. Without it there are no files.
  std::function<Result<std::string>(const std::string& path)> read_file = {};
};

/// A value of the file that is being read.
struct Place {
  const Node& node;
  std::string path;  ///< As it is written: `mcpServers.git.endpoint`.
  std::string slot;  ///< What it means: `servers.git.url`.

  Place member(const Node& child) const { return member(child, child.key); }
  /// A member that is called differently among us.
  Place member(const Node& child, std::string_view meaning) const {
    return {child, below(path, child.key), below(slot, meaning)};
  }
  Place item(std::size_t index) const;
};

/// The reading of one file: what is wrong with it, and where its values are.
class Reading {
 public:
  /// Everything but `file` outlives it. An empty `file` is the command line.
  Reading(std::string file, const ReadOptions& options, Problems& problems, Sources& sources)
      : file_(std::move(file)), options_(options), problems_(problems), sources_(sources) {}

  Source source(const Place& place) const;
  Origin origin(const Place& place) const;

  void wrong(const Place& place, std::string_view message) {
    problems_.add(source(place), place.path, message);
    problems_.spoil(place.slot);
  }
  void warn(const Place& place, std::string_view message) { problems_.warn(source(place), place.path, message); }
  void unknown(const Place& place, std::span<const std::string> known);

  /// Remembers where a value was taken from.
  void took(const Place& place, std::vector<std::string> variables = {});
  void forget(const std::string& slot) { sources_.forget(slot); }

  /// A single value, its variables filled in. Otherwise that is among the problems.
  std::optional<Expanded> text(const Place& place);
  std::optional<Expanded> text(const Place& place, std::string_view raw);
  /// Maps and lists may be left empty, which is null. Otherwise that is among the problems.
  bool is(const Place& place, Node::Kind wanted);

  /// A file's path as seen from the folder of this one.
  std::string beside(const std::string& path) const;
  const ReadOptions& options() const { return options_; }

 private:
  std::string file_;
  const ReadOptions& options_;
  Problems& problems_;
  Sources& sources_;
};

}  // namespace fairlead::gateway

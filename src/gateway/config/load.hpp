#pragma once

#include <fairlead/base/result.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gateway/config/config.hpp"
#include "gateway/config/reading.hpp"

namespace fairlead::gateway {

/// A configuration, and how it came about.
struct Loaded {
  GatewayConfig config = {};
  Sources sources = {};
  std::vector<std::string> warnings = {};
};

/// A file that is already read.
struct Document {
  std::string name;
  std::string text;
};

/// Files from first to last: what a later one says is stronger. An error lists everything that is wrong, a line each.
Result<Loaded> read_config(std::span<const Document> documents, const ReadOptions& options = {});

/// The same from disk.
Result<Loaded> load_config(std::span<const std::string> paths, const Environment& environment = process_environment());

/// A configuration as far as it could be read, and everything that is wrong with it.
struct Examined {
  Loaded loaded = {};
  std::vector<std::string> problems = {};  ///< A line each.
  std::vector<std::string> unsound = {};   ///< Servers with entries that are wrong, by name.
};

/// Reads files as `load_config` does, does not stop at what is wrong, and looks at the files and folders that the
/// configuration names.
Examined examine_config(std::span<const std::string> paths, const Environment& environment = process_environment());

/// A chain in one line: `http://:8000 | timeout(30s) | stdio:npx -y server`.
Result<Loaded> read_pipe(std::string_view line, const ReadOptions& options = {});

/// Whether a word of the command line is one.
bool is_pipe(std::string_view word);

/// Once more, after the command line has changed something.
Result<void> check_config(const Loaded& loaded);

/// The whole of a file.
Result<std::string> read_file(const std::string& path);

}  // namespace fairlead::gateway

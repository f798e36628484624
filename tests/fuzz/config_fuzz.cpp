#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fairlead/base/utf8.hpp>
#include <string>
#include <string_view>

#include "gateway/config/diff.hpp"
#include "gateway/config/edit.hpp"
#include "gateway/config/show_config.hpp"

// Each input is parsed as a configuration file and as a chain in pipe syntax. Files and environment are not read.
namespace {

using namespace fairlead;
using namespace fairlead::gateway;

void require(bool holds) {
  if (!holds) std::abort();
}

config::ReadOptions no_world() {
  config::ReadOptions options;
  options.environment = [](const std::string& name) {
    return name == "A" ? std::optional<std::string>("a | b) ${A}") : std::nullopt;
  };
  return options;
}

Result<LoadedConfig> read(const std::string& text) {
  const std::array<config::Document, 1> documents{{{"f", text}}};
  return read_config(documents, no_world());
}

// The printed configuration parses and has the same servers.
void show(const LoadedConfig& loaded) {
  const auto text = show_config(loaded);
  require(is_utf8(text));
  require(diff(loaded.config, loaded.config).none());
  const auto again = read(text);
  if (!again) return;
  const auto difference = diff(loaded.config, again->config);
  require(difference.added.empty() && difference.removed.empty());
}

void edit(const std::string& text) {
  const ServerConfig server{.name = "new one", .command = {"x", "\"y\" $"}};
  const auto added = add_server({"f", text}, server);
  if (!added) return;
  const auto removed = remove_server({"f", *added}, server.name);
  if (read(text) && read(*added)) require(read(*added)->config.find(server.name) != nullptr);
  if (removed && read(text) && read(*removed)) {
    require(read(text)->config.servers.size() == read(*removed)->config.servers.size());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string input(reinterpret_cast<const char*>(data), size);
  const auto loaded = read(input);
  require(loaded || !loaded.error().message.empty());
  if (loaded) show(*loaded);
  const auto line = read_pipe(input, no_world());
  require(line || !line.error().message.empty());
  if (line) show(*line);
  edit(input);
  return 0;
}

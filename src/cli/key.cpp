#include <algorithm>
#include <array>
#include <cstdint>
#include <fairlead/auth/keyring.hpp>
#include <fairlead/base/base64.hpp>
#include <fairlead/json/codec.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <optional>

#include "cli/announcement.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "gateway/config/load.hpp"
#include "gateway/config/replace_file.hpp"
#include "protocol/aead.hpp"

namespace fairlead::cli {
namespace {

constexpr auto key_examples = R"(  fairlead key ann
  fairlead key ann --keys keys.txt --url https://tools.example:8443/mcp
  fairlead --host 0.0.0.0 --keys keys.txt -- ./my-server
  pass show ann | fairlead key ann --stdin --keys keys.txt)";

struct KeyWords {
  std::string name = {}, file = {}, url = "http://127.0.0.1:8080/mcp";
  bool from_stdin = false, json = false;
};

/// The JSON document.
struct NewKey {
  std::string name, secret, sha256, line;
  std::optional<std::string> file = {};
};

int refuse_key(std::string_view why) {
  complain(fmt::format("fairlead key: {}; see fairlead key --help", why));
  return exit_code::usage;
}

bool is_key_name(std::string_view name) {
  const bool is_plain = name.find_first_of(" \t\r\n\v\f") == std::string_view::npos;
  return !name.empty() && is_plain && !name.starts_with('#');
}

/// 256 bits. The prefix tells people and scanners what it is.
Result<std::string> random_secret() {
  std::array<std::uint8_t, 32> bytes = {};
  if (!protocol::fill_random(bytes)) return fail(ErrorKind::refused, "this machine gives no random bytes");
  return "fl_" + base64_encode({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, Base64::url);
}

Result<std::string> secret_from_stdin() {
  std::string line;
  std::getline(std::cin, line);
  if (line.ends_with('\r')) line.pop_back();
  if (line.size() < 16) return fail(ErrorKind::invalid, "the secret on stdin must have 16 characters at least");
  const auto is_unfit = [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == 0x7F; };
  if (!std::ranges::any_of(line, is_unfit)) return line;
  return fail(ErrorKind::invalid, "the secret on stdin goes into a header: it must have no spaces");
}

/// Adds a line to a keys file; a new file is for its owner only.
Result<void> append_line(const std::string& path, const std::string& line) {
  std::string text;
  if (std::filesystem::exists(path)) {
    const auto keys = auth::read_keys(path);
    if (!keys) return fail(ErrorKind::refused, path + ": " + keys.error().message);
    auto read = gateway::read_file(path);
    if (!read) return fail(ErrorKind::refused, path + " " + read.error().message);
    text = *std::move(read);
  }
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  return gateway::replace_file(path, text + line + "\n");
}

// The secret alone goes to stdout, so that a script can take it.
int show_key(const NewKey& key, const KeyWords& words) {
  if (words.json) return print(json::encode(key) + "\n");
  if (key.file) {
    complain(fmt::format("Added to {}: {}", *key.file, key.line));
  } else {
    complain(
        fmt::format("Line for the keys file (--keys <file>, or listen.keys_file), a name and the SHA-256 of its "
                    "secret:\n  {}",
                    key.line));
  }
  if (words.from_stdin) return exit_code::done;
  complain(fmt::format("For the configuration of {}'s client:\n  {}", key.name,
                       client_snippet("fairlead", words.url, key.secret)));
  complain("The secret, shown this once; only its hash is kept:");
  return print(key.secret + "\n");
}

}  // namespace

int run_key(const Words& given) {
  Options options(
      "key <name> [options]",
      "Makes a secret for a client, and the line by which a keys file knows it: the name and the SHA-256 of "
      "the\nsecret. Clients send it as Authorization: Bearer <secret>, or as X-API-Key. The secret goes to "
      "stdout, the\nrest to stderr.",
      key_examples);
  KeyWords words;
  options.word("name", words.name, "whom the key is for; rules and logs know the client by it", true);
  options.text("--keys", words.file, "append the line to this file; a new one is for its owner only", "<file>");
  options.text("--url", words.url, "where the gateway is, for the client's configuration", "<url>");
  options.flag("--stdin", words.from_stdin, "take the secret from stdin instead of making one");
  options.flag("--json", words.json, "print one JSON document instead of text for people");
  if (const auto done = options.parse(given.own)) return *done;
  if (!given.child.empty()) return refuse_key("nothing follows --");
  if (!is_key_name(words.name)) return refuse_key("the name must be one word, and not begin with #");
  const auto secret = words.from_stdin ? secret_from_stdin() : random_secret();
  if (!secret) return refuse_key(secret.error().message);
  const auto hash = auth::hash_of(*secret);
  NewKey key{.name = words.name, .secret = *secret, .sha256 = hash, .line = words.name + " " + hash};
  if (!words.file.empty()) {
    key.file = words.file;
    if (const auto added = append_line(words.file, key.line); !added) {
      complain("fairlead key: " + added.error().message);
      return exit_code::failed;
    }
  }
  return show_key(key, words);
}

}  // namespace fairlead::cli

#include <algorithm>
#include <array>
#include <cstdint>
#include <fairlead/auth/api_keys.hpp>
#include <fairlead/auth/credential_store.hpp>
#include <fairlead/base/base64.hpp>
#include <fairlead/json/codec.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <optional>

#include "base/read_file.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/startup_banner.hpp"
#include "config/replace_file.hpp"
#include "crypto/random.hpp"

namespace fairlead::cli {
namespace {

constexpr auto key_examples = R"(  fairlead key ann
  fairlead key ann --keys keys.txt --url https://tools.example:8443/mcp
  fairlead --host 0.0.0.0 --keys keys.txt -- ./my-server
  pass show ann | fairlead key ann --stdin --keys keys.txt
  fairlead key --vault vault.key)";

struct KeyOptions {
  std::string name = {}, file = {}, vault = {}, url = "http://127.0.0.1:8080/mcp";
  bool from_stdin = false, json = false;
};

/// The JSON document.
struct NewKey {
  std::string name, secret, sha256, line;
  std::optional<std::string> file = {};
};

bool is_key_name(std::string_view name) {
  const bool is_plain = name.find_first_of(" \t\r\n\v\f") == std::string_view::npos;
  return !name.empty() && is_plain && !name.starts_with('#');
}

/// 256 random bits. The prefix identifies the secret for people and secret scanners.
Result<std::string> random_secret() {
  std::array<std::uint8_t, 32> bytes = {};
  if (!crypto::fill_random(bytes)) return fail(ErrorKind::refused, "the system random generator failed");
  return "fl_" + base64_encode({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, Base64::url);
}

Result<std::string> secret_from_stdin() {
  std::string line;
  std::getline(std::cin, line);
  if (line.ends_with('\r')) line.pop_back();
  if (line.size() < 16) return fail(ErrorKind::invalid, "the secret on stdin must have at least 16 characters");
  const auto is_unfit = [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == 0x7F; };
  if (!std::ranges::any_of(line, is_unfit)) return line;
  return fail(ErrorKind::invalid, "the secret on stdin must not contain spaces or control characters");
}

/// Adds a line to a keys file. A new file is readable by its owner only.
Result<void> append_line(const std::string& path, const std::string& line) {
  std::string text;
  if (std::filesystem::exists(path)) {
    const auto keys = auth::read_api_keys(path);
    if (!keys) return fail(ErrorKind::refused, path + ": " + keys.error().message);
    auto read = read_file(path);
    if (!read) return fail(ErrorKind::refused, path + " " + read.error().message);
    text = *std::move(read);
  }
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  return config::replace_file(path, text + line + "\n");
}

// Only the secret goes to stdout, so that scripts can read it.
int show_key(const NewKey& key, const KeyOptions& flags) {
  if (flags.json) return print(json::encode(key) + "\n");
  if (key.file) {
    print_stderr(fmt::format("Added to {}: {}", *key.file, key.line));
  } else {
    print_stderr(
        fmt::format("Line for the keys file (--keys <file> or listen.keys_file), the name and the SHA-256 of the "
                    "secret:\n  {}",
                    key.line));
  }
  if (flags.from_stdin) return exit_code::done;
  print_stderr(fmt::format("Client configuration for {}:\n  {}", key.name,
                           client_config_snippet("fairlead", flags.url, key.secret)));
  print_stderr("The secret (shown only now; the keys file has only its hash):");
  return print(key.secret + "\n");
}

// Not overwritten: the logins of the vault would be lost.
int make_vault_key(const KeyOptions& flags) {
  const bool has_other = !flags.name.empty() || !flags.file.empty() || flags.from_stdin || flags.json;
  if (has_other) return usage_error("key", "--vault makes the key of a vault and takes no other options");
  if (std::filesystem::exists(flags.vault)) {
    return report_error("key",
                        flags.vault + " exists; delete it to make a new key, which loses the logins of its vault",
                        exit_code::failed);
  }
  const auto made = config::replace_file(flags.vault, auth::new_vault_key());
  if (!made) return report_error("key", made.error().message, exit_code::failed);
  print_stderr(fmt::format("Made {}. In the configuration: vault: {{folder: <folder>, key_file: {}}}", flags.vault,
                           flags.vault));
  return exit_code::done;
}

int run_key(KeyOptions flags) {
  if (!flags.vault.empty()) return make_vault_key(flags);
  if (flags.name.empty()) return usage_error("key", "give the name of the client, or --vault <file>");
  if (!is_key_name(flags.name)) return usage_error("key", "the name must not contain spaces or start with #");
  const auto secret = flags.from_stdin ? secret_from_stdin() : random_secret();
  if (!secret) return usage_error("key", secret.error().message);
  const auto hash = auth::sha256_hex(*secret);
  NewKey key{.name = flags.name, .secret = *secret, .sha256 = hash, .line = flags.name + " " + hash};
  if (!flags.file.empty()) {
    key.file = flags.file;
    const auto added = append_line(flags.file, key.line);
    if (!added) return report_error("key", added.error().message, exit_code::failed);
  }
  return show_key(key, flags);
}

}  // namespace

RunCommand declare_key(Options& options) {
  auto flags = std::make_shared<KeyOptions>();
  options.describe("key <name> [options] | key --vault <file>",
                   "Creates a secret for a client and the line for a keys file: the name and the "
                   "SHA-256 of the secret. Clients\n"
                   "send it as Authorization: Bearer <secret> or as X-API-Key. The secret is "
                   "printed to stdout, the rest to stderr.",
                   key_examples);
  options.positional("name", flags->name, "the client's name (principal) in rules and logs", false);
  options.text("--keys", flags->file, "append the line to this file; a new file is readable by its owner only",
               "<file>");
  options.text("--vault", flags->vault,
               "make the key of the vault with the logins of callers, in a new file that only you can read", "<file>");
  options.text("--url", flags->url, "the gateway's URL, for the client configuration", "<url>");
  options.flag("--stdin", flags->from_stdin, "read the secret from stdin instead of creating one");
  options.flag("--json", flags->json, "print one JSON document instead of text");
  options.no_server_command();
  return [flags] { return run_key(*flags); };
}

}  // namespace fairlead::cli

#include "gateway/config/validate_files.hpp"

#include <cerrno>
#include <cstring>
#include <fairlead/auth/api_keys.hpp>
#include <fairlead/http/tls.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>

#include "gateway/config/config_checks.hpp"

namespace fairlead::gateway {
namespace {

class FileValidator : ConfigChecks {
 public:
  using ConfigChecks::ConfigChecks;

  void run() {
    if (config_.listen.http) check_listen(config_.listen);
    check_folder_of("listen.unix", config_.listen.unix_socket);
    check_folder_of("list_cache", config_.list_cache);
    is_there("vault.key_file", config_.vault.key_file);
    is_there("task_key", config_.task_key);
    if (config_.control != "off") check_folder_of("control", config_.control);
    each_server([this](const ServerConfig& server, const std::string& key_path) {
      if (!server.disabled) check_server(server, key_path);
    });
  }

 private:
  void check_listen(const ListenConfig& listen) {
    if (!listen.keys_file.empty()) {
      const auto keys = auth::read_api_keys(listen.keys_file);
      if (!keys) error("listen.keys_file", listen.keys_file + ": " + keys.error().message);
    }
    for (std::size_t i = 0; i < listen.oauth.issuers.size(); ++i) {
      is_there(fmt::format("listen.oauth.issuers[{}].jwks_file", i), listen.oauth.issuers[i].jwks_file);
    }
    is_there("listen.oauth.cacert", listen.oauth.cacert);
    const auto& tls = listen.tls;
    const bool cert = is_there("listen.tls.cert", tls.cert), key = is_there("listen.tls.key", tls.key);
    const bool client_ca = tls.client_ca.empty() || is_there("listen.tls.client_ca", tls.client_ca);
    if (!cert || !key || !client_ca) return;
    const auto loaded =
        http::TlsServer::load({.certificate_file = tls.cert, .key_file = tls.key, .client_ca_file = tls.client_ca});
    if (!loaded) error("listen.tls", loaded.error().message);
  }

  void check_server(const ServerConfig& server, const std::string& key_path) {
    if (!server.cwd.empty() && !std::filesystem::is_directory(server.cwd, ignored_)) {
      error(config::below(key_path, "cwd"), "no such directory: " + server.cwd);
    }
    const bool cacert = is_there(config::below(key_path, "cacert"), server.cacert);
    const bool cert = is_there(config::below(key_path, "cert"), server.cert),
               key = is_there(config::below(key_path, "key"), server.key);
    if (server.auth.oauth) check_auth(*server.auth.oauth, config::below(config::below(key_path, "auth"), "oauth"));
    if (!cacert && !(cert && key)) return;
    const auto loaded =
        http::TlsClient::load({.ca_file = server.cacert, .certificate_file = server.cert, .key_file = server.key});
    if (!loaded) error(config::below(key_path, server.cacert.empty() ? "cert" : "cacert"), loaded.error().message);
  }

  void check_auth(const OAuthConfig& oauth, const std::string& key_path) {
    is_there(config::below(key_path, "key_file"), oauth.key_file);
    is_there(config::below(key_path, "assertion_file"), oauth.assertion_file);
    is_there(config::below(config::below(key_path, "identity_provider"), "id_token_file"),
             oauth.identity_provider.id_token_file);
  }

  /// True if `file` is set and readable.
  bool is_there(const std::string& key_path, const std::string& file) {
    if (file.empty()) return false;
    if (std::ifstream(file).good()) return true;
    error(key_path, file + " cannot be read: " + std::strerror(errno));
    return false;
  }

  void check_folder_of(const std::string& key_path, const std::string& file) {
    if (file.empty()) return;
    const auto folder = std::filesystem::path(file).parent_path();
    if (folder.empty() || std::filesystem::is_directory(folder, ignored_)) return;
    error(key_path, "no such directory: " + folder.string());
  }

  std::error_code ignored_;
};

}  // namespace

void validate_files(const GatewayConfig& config, const config::Sources& sources, config::Diagnostics& diagnostics) {
  FileValidator(config, sources, diagnostics).run();
}

}  // namespace fairlead::gateway

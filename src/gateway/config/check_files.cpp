#include "gateway/config/check_files.hpp"

#include <cerrno>
#include <cstring>
#include <fairlead/auth/keyring.hpp>
#include <fairlead/http/tls.hpp>
#include <filesystem>
#include <fstream>

namespace fairlead::gateway {
namespace {

class FileCheck {
 public:
  FileCheck(const GatewayConfig& config, const Sources& sources, Problems& problems)
      : config_(config), sources_(sources), problems_(problems) {}

  void run() {
    if (config_.listen.http) check_listen(config_.listen);
    check_folder_of("listen.unix", config_.listen.unix_socket);
    check_folder_of("catalogue", config_.catalogue);
    if (config_.control != "off") check_folder_of("control", config_.control);
    for (const auto& server : config_.servers) {
      if (!server.disabled) check_server(server, below("servers", server.name));
    }
  }

 private:
  void wrong(const std::string& slot, std::string_view message) {
    if (problems_.is_spoilt(slot)) return;
    const auto* from = sources_.nearest(slot);
    const bool exact = from && sources_.find(slot) == from && !from->path.empty();
    problems_.add(from ? *from : Source{}, exact ? from->path : slot, message);
  }

  void check_listen(const ListenConfig& listen) {
    if (!listen.keys_file.empty()) {
      const auto keys = auth::read_keys(listen.keys_file);
      if (!keys) wrong("listen.keys_file", listen.keys_file + ": " + keys.error().message);
    }
    const auto& tls = listen.tls;
    const bool cert = is_there("listen.tls.cert", tls.cert), key = is_there("listen.tls.key", tls.key);
    const bool client_ca = tls.client_ca.empty() || is_there("listen.tls.client_ca", tls.client_ca);
    if (!cert || !key || !client_ca) return;
    const auto loaded =
        http::TlsServer::load({.certificate_file = tls.cert, .key_file = tls.key, .client_ca_file = tls.client_ca});
    if (!loaded) wrong("listen.tls", loaded.error().message);
  }

  void check_server(const ServerConfig& server, const std::string& slot) {
    if (!server.cwd.empty() && !std::filesystem::is_directory(server.cwd, ignored_)) {
      wrong(below(slot, "cwd"), "there is no folder " + server.cwd);
    }
    const bool cacert = is_there(below(slot, "cacert"), server.cacert);
    const bool cert = is_there(below(slot, "cert"), server.cert), key = is_there(below(slot, "key"), server.key);
    if (!cacert && !(cert && key)) return;
    const auto loaded =
        http::TlsClient::load({.ca_file = server.cacert, .certificate_file = server.cert, .key_file = server.key});
    if (!loaded) wrong(below(slot, server.cacert.empty() ? "cert" : "cacert"), loaded.error().message);
  }

  /// Whether a file is named and can be opened.
  bool is_there(const std::string& slot, const std::string& file) {
    if (file.empty()) return false;
    if (std::ifstream(file).good()) return true;
    wrong(slot, file + " cannot be read: " + std::strerror(errno));
    return false;
  }

  void check_folder_of(const std::string& slot, const std::string& file) {
    if (file.empty()) return;
    const auto folder = std::filesystem::path(file).parent_path();
    if (folder.empty() || std::filesystem::is_directory(folder, ignored_)) return;
    wrong(slot, "there is no folder " + folder.string() + " for this file");
  }

  const GatewayConfig& config_;
  const Sources& sources_;
  Problems& problems_;
  std::error_code ignored_;
};

}  // namespace

void check_files(const GatewayConfig& config, const Sources& sources, Problems& problems) {
  FileCheck(config, sources, problems).run();
}

}  // namespace fairlead::gateway

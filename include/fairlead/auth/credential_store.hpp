#pragma once

#include <array>
#include <cstdint>
#include <fairlead/base/clock.hpp>
#include <fairlead/base/event_loop.hpp>
#include <fairlead/base/result.hpp>
#include <fairlead/base/task.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fairlead::auth {

/// One login: the URL of the MCP server, and a name if there are several logins for it.
struct StoreKey {
  std::string server = {};
  std::string account = {};

  bool operator==(const StoreKey&) const = default;
};

/// A client registration at one issuer.
struct Registration {
  std::string client_id = {};
  std::string client_secret = {};
  std::string auth_method = {};   ///< token_endpoint_auth_method; empty if unknown.
  std::string redirect_uri = {};  ///< As sent in the registration.
  std::int64_t secret_expires_at = 0;
  std::string registration_access_token = {};
  std::string registration_client_uri = {};
};

/// A login as it is stored. All members but the times and addresses are secret.
struct Stored {
  std::string server = {};
  std::string account = {};
  std::string issuer = {};
  std::string resource = {};  ///< As sent in requests; empty for none.
  std::string token_endpoint = {};
  std::string revocation_endpoint = {};
  Registration client = {};
  std::string token_type = {};
  std::string access_token = {};
  std::string refresh_token = {};
  std::string id_token = {};
  std::string scope = {};
  std::int64_t expires_at = 0;  ///< Seconds since 1970; 0 if unknown.
  std::string dpop_key = {};    ///< PEM; empty without DPoP.
};

/// Released on destruction.
class StoreLock {
 public:
  virtual ~StoreLock() = default;
};

/// Keeps logins. Thread-safe.
class CredentialStore {
 public:
  virtual ~CredentialStore() = default;

  virtual Task<Result<std::optional<Stored>>> load(StoreKey key) = 0;
  virtual Task<Result<void>> save(StoreKey key, Stored login) = 0;
  virtual Task<Result<void>> remove(StoreKey key) = 0;
  virtual Task<Result<std::vector<Stored>>> list() = 0;
  /// Returns a function whose value changes whenever another process saves or removes the login; constant if the store
  /// has no other users. The function is called for every request.
  virtual std::function<std::uint64_t()> version_of(const StoreKey&) const {
    return [] { return std::uint64_t{0}; };
  }

  /// Locks one login against all other users of the store, also in other processes. `timeout` after `max_wait`.
  virtual Task<Result<std::unique_ptr<StoreLock>>> lock(EventLoop loop, StoreKey key, Duration max_wait) = 0;
};

/// `fairlead/credentials` in `$XDG_STATE_HOME` or `~/.local/state`.
std::string default_credential_folder();

/// Keeps logins for the life of the process.
std::shared_ptr<CredentialStore> memory_store();

/// Keeps each login in a file of `folder`, which is created with mode 0700; the files have mode 0600. Refuses a folder
/// that others can read or write.
std::shared_ptr<CredentialStore> file_store(std::string folder);

/// A file_store() whose content is encrypted and authenticated with the key in `key_file`, which only its owner may
/// read. Two vaults with the same key and folder share their logins.
Result<std::shared_ptr<CredentialStore>> vault_store(std::string folder, const std::string& key_file);

/// Reads the key of a vault. Fails if other users can read the file.
Result<std::array<std::uint8_t, 32>> read_vault_key(const std::string& path);

/// The content of a new key file for vault_store(). Throws if the system has no random bytes.
std::string new_vault_key();

/// Keeps logins with a helper program, such as a keyring. It is called as `<command> get|store|erase <name>`, where
/// `name` has 32 hex digits, or as `<command> list`, which prints names. `store` gets the login as JSON on stdin, `get`
/// prints it, or nothing. `folder` has one empty file per login, for locks.
std::shared_ptr<CredentialStore> command_store(std::vector<std::string> command,
                                               std::string folder = default_credential_folder());

}  // namespace fairlead::auth

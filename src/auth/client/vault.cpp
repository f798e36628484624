#include <algorithm>
#include <fairlead/auth/credential_store.hpp>
#include <fairlead/base/base64.hpp>
#include <fairlead/json/codec.hpp>
#include <sys/stat.h>

#include "base/read_file.hpp"
#include "crypto/aead.hpp"
#include "crypto/random.hpp"

namespace fairlead::auth {
namespace {

// The first word of a key file, and the associated data of what it encrypts.
constexpr std::string_view vault_format = "fairlead-vault-1";

/// Encrypts the logins of another store, which sees neither servers nor accounts.
class VaultStore final : public CredentialStore {
 public:
  VaultStore(std::shared_ptr<CredentialStore> inner, const crypto::AeadKey& key)
      : inner_(std::move(inner)), key_(key) {}

  Task<Result<std::optional<Stored>>> load(StoreKey key) override {
    auto sealed = co_await inner_->load(key);
    if (!sealed || !*sealed) co_return sealed;
    auto login = open(**sealed);
    if (!login) co_return std::unexpected(std::move(login.error()));
    // A file of another login that was copied to this name.
    if (login->server != key.server || login->account != key.account) co_return std::unexpected(damaged());
    co_return std::optional<Stored>(std::move(*login));
  }
  Task<Result<void>> save(StoreKey key, Stored login) override {
    login.server = key.server;
    login.account = key.account;
    Stored sealed{.access_token = base64_encode(crypto::encrypt(key_, json::encode(login), vault_format), Base64::url)};
    return inner_->save(std::move(key), std::move(sealed));
  }
  Task<Result<void>> remove(StoreKey key) override { return inner_->remove(std::move(key)); }
  Task<Result<std::vector<Stored>>> list() override {
    auto all = co_await inner_->list();
    if (!all) co_return all;
    std::vector<Stored> logins;
    for (const auto& sealed : *all) {
      if (auto login = open(sealed)) logins.push_back(std::move(*login));
    }
    co_return logins;
  }
  std::function<std::uint64_t()> version_of(const StoreKey& key) const override { return inner_->version_of(key); }
  Task<Result<std::unique_ptr<StoreLock>>> lock(EventLoop loop, StoreKey key, Duration max_wait) override {
    return inner_->lock(loop, std::move(key), max_wait);
  }

 private:
  static Error damaged() {
    return {.kind = ErrorKind::refused,
            .message =
                "a login of the vault cannot be decrypted: the key file is another one than before, or the "
                "file was changed; restore the key, or delete the folder of the vault and sign in again"};
  }
  Result<Stored> open(const Stored& sealed) const {
    const auto bytes = base64_decode(sealed.access_token, Base64::url);
    const auto text = bytes ? crypto::decrypt(key_, *bytes, vault_format) : std::nullopt;
    auto payload = text ? json::Payload::parse(*text) : Result<json::Payload>(std::unexpected(damaged()));
    if (!payload) return std::unexpected(damaged());
    return json::decode<Stored>(*payload);
  }

  std::shared_ptr<CredentialStore> inner_;
  crypto::AeadKey key_;
};

}  // namespace

Result<crypto::AeadKey> read_vault_key(const std::string& path) {
  struct stat found = {};
  if (::stat(path.c_str(), &found) == 0 && (found.st_mode & 077U) != 0) {
    return fail(ErrorKind::invalid, path + " can be read by other users; run: chmod 600 '" + path + "'");
  }
  auto text = read_file(path);
  if (!text) return fail(ErrorKind::invalid, path + " " + text.error().message);
  while (text->ends_with('\n')) text->pop_back();
  const auto space = text->find(' ');
  const auto bytes =
      space == std::string::npos ? Result<std::string>() : base64_decode(text->substr(space + 1), Base64::url);
  crypto::AeadKey key = {};
  if (!bytes || !text->starts_with(vault_format) || bytes->size() != key.size()) {
    return fail(ErrorKind::invalid, path + " is not a vault key; make one with: fairlead key --vault <file>");
  }
  std::ranges::copy(*bytes, key.begin());
  return key;
}

Result<std::shared_ptr<CredentialStore>> vault_store(std::string folder, const std::string& key_file) {
  const auto key = read_vault_key(key_file);
  if (!key) return std::unexpected(key.error());
  return std::make_shared<VaultStore>(file_store(std::move(folder)), *key);
}

std::string new_vault_key() {
  return std::string(vault_format) + " " + base64_encode(crypto::random_bytes(crypto::AeadKey().size()), Base64::url) +
         "\n";
}

}  // namespace fairlead::auth

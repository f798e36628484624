#include <fairlead/base/synchronized.hpp>
#include <map>
#include <set>

#include "auth/client/store_parts.hpp"

namespace fairlead::auth {
namespace {

class MemoryStore final : public CredentialStore, public std::enable_shared_from_this<MemoryStore> {
 public:
  Task<Result<std::optional<Stored>>> load(StoreKey key) override {
    return state_.with([&](State& state) -> Result<std::optional<Stored>> {
      const auto found = state.logins.find(name_of(key));
      return found == state.logins.end() ? std::nullopt : std::optional(found->second);
    });
  }
  Task<Result<void>> save(StoreKey key, Stored login) override {
    state_.with([&](State& state) { state.logins.insert_or_assign(name_of(key), std::move(login)); });
    return Result<void>();
  }
  Task<Result<void>> remove(StoreKey key) override {
    state_.with([&](State& state) { state.logins.erase(name_of(key)); });
    return Result<void>();
  }
  Task<Result<std::vector<Stored>>> list() override {
    return state_.with([](State& state) -> Result<std::vector<Stored>> {
      std::vector<Stored> all;
      for (const auto& [name, login] : state.logins) all.push_back(login);
      return all;
    });
  }
  Task<Result<std::unique_ptr<StoreLock>>> lock(EventLoop loop, StoreKey key, Duration max_wait) override {
    auto attempt = [self = shared_from_this(), name = name_of(key)]() -> Result<std::unique_ptr<StoreLock>> {
      const bool taken = self->state_.with([&](State& state) { return state.locked.insert(name).second; });
      if (!taken) return nullptr;
      return std::make_unique<Lock>(self, name);
    };
    return poll_lock(loop, max_wait, std::move(attempt));
  }

 private:
  struct State {
    std::map<std::string, Stored> logins;
    std::set<std::string> locked;
  };
  struct Lock final : StoreLock {
    Lock(std::shared_ptr<MemoryStore> of, std::string locked) : store(std::move(of)), name(std::move(locked)) {}
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;
    ~Lock() override {
      store->state_.with([&](State& state) { state.locked.erase(name); });
    }
    std::shared_ptr<MemoryStore> store;
    std::string name;
  };

  Synchronized<State> state_;
};

}  // namespace

std::shared_ptr<CredentialStore> memory_store() {
  return std::make_shared<MemoryStore>();
}

}  // namespace fairlead::auth

#pragma once

#include <fairlead/client/options.hpp>
#include <fairlead/session/service.hpp>
#include <functional>
#include <optional>

#include "gateway/origins.hpp"

namespace fairlead::gateway {

/// Says to a caller who a server is, and what it can do.
using Describe = std::function<Task<Result<client::ServerDescription>>(const session::Call&)>;

/// Stands before a server and introduces it to clients of every revision; all else passes.
class Introduction final : public session::Service, public Origins {
 public:
  /// `server` outlives it.
  Introduction(Describe describe, session::Service& server)
      : describe_(std::move(describe)), server_(server), origins_(server) {}

  Task<Result<session::Reply>> call(session::Call& call) override;
  Task<void> notify(session::Notice& notice) override { return server_.notify(notice); }
  std::unique_ptr<session::Attendance> attend(session::Conversation conversation) override {
    return server_.attend(std::move(conversation));
  }
  std::vector<protocol::HeaderParam> header_params(std::string_view tool, std::string_view principal) override {
    return server_.header_params(tool, principal);
  }
  std::optional<std::string> origin_of(ListKind kind, std::string_view name) const override {
    return origins_(kind, name);
  }
  /// Null before it was asked for the first time.
  const protocol::Implementation* self() const override { return self_ ? &*self_ : nullptr; }

 private:
  Task<Result<session::Reply>> introduce(session::Call& call);

  Describe describe_;
  session::Service& server_;
  OriginsOf origins_;
  std::optional<protocol::Implementation> self_ = {};
};

}  // namespace fairlead::gateway

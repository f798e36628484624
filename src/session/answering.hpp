#pragma once

#include <expected>
#include <fairlead/base/log.hpp>
#include <fairlead/jsonrpc/message.hpp>
#include <fairlead/session/service.hpp>
#include <optional>
#include <string_view>

#include "session/era.hpp"

/// How a request is answered, whatever conversation it belongs to.
namespace fairlead::session {

/// Makes a call of the request, its id and landmarks left behind; or says what to tell its sender at once.
std::optional<jsonrpc::Message> admit(Era& era, jsonrpc::Request& request, Call& call);

/// Makes a request that was admitted what it was before, so that it can be admitted once more.
void give_back(jsonrpc::Request& request, Call& call);

/// Who complains in the log, and where.
struct Reporter {
  LogSink& log;
  std::string_view name;
};

/// The error for a handler's exception, which is at hand. Its text stays in the log.
Error failure_of(const Call& call, Reporter reporter);

/// `Service::answer_now`, exceptions included.
std::optional<Result<Reply>> answered_now(Service& service, Call& call, Reporter reporter);

/// What was replied, as the call's revision and the dialect tell it.
jsonrpc::Message answer(const jsonrpc::Id& id, const Call& call, Result<Reply>&& reply, const Service& service,
                        protocol::Dialect dialect);
jsonrpc::Message refusal(const jsonrpc::Id& id, const Error& error, const Era& era);

}  // namespace fairlead::session

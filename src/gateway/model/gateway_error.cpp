#include "gateway/model/gateway_error.hpp"

#include <fairlead/gateway/middleware.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/json/writer.hpp>

namespace fairlead::gateway {
namespace {

bool has_data(const Error& error, std::string_view member, std::string_view json) {
  return error.kind == ErrorKind::refused && json::member_of(error.data, "source") == R"("gateway")" &&
         json::member_of(error.data, member) == json;
}

}  // namespace

std::unexpected<Error> rejected(std::string message, std::string_view reason, std::optional<Duration> wait) {
  std::string data;
  {
    json::ObjectWriter all(data);
    all.text("source", "gateway").text("reason", reason).text("outcome", "not made");
    if (wait) all.raw("retryAfterMs", std::to_string(std::chrono::ceil<std::chrono::milliseconds>(*wait).count()));
  }
  auto refusal = refuse(std::move(message));
  refusal.error().data = std::move(data);
  return refusal;
}

bool is_rejected(const Error& error) {
  return has_data(error, "outcome", R"("not made")");
}

bool is_transport_failure(const Error& error) {
  const bool is_transport = error.kind == ErrorKind::closed || error.kind == ErrorKind::malformed || is_timeout(error);
  return is_transport || has_data(error, "outcome", R"("unknown")") || has_data(error, "reason", R"("unreachable")");
}

bool is_timeout(const Error& error) {
  return error.kind == ErrorKind::timeout || has_data(error, "reason", R"("timeout")");
}

bool is_malformed(const Error& error) {
  return error.kind == ErrorKind::malformed || has_data(error, "reason", R"("malformed")");
}

std::optional<Duration> retry_after(const Error& error) {
  const auto wait = json::member_of(error.data, "retryAfterMs");
  const auto milliseconds = wait.empty() ? -1 : json::decode<std::int64_t>(wait).value_or(-1);
  return milliseconds < 0 ? std::nullopt : std::optional<Duration>(std::chrono::milliseconds(milliseconds));
}

}  // namespace fairlead::gateway

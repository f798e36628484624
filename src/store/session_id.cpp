#include <fairlead/store/session_id.hpp>

#include <charconv>
#include <fairlead/base/base64.hpp>

#include "crypto/random.hpp"

namespace fairlead::store {
namespace {

constexpr char mark = '.';

}  // namespace

std::string make_session_id(std::size_t worker) {
  return std::to_string(worker) + mark + base64_encode(crypto::random_bytes(16), Base64::url);
}

std::optional<std::size_t> worker_of(std::string_view session_id) {
  std::size_t worker = 0;
  const char* const end = session_id.data() + session_id.size();
  const auto [rest, error] = std::from_chars(session_id.data(), end, worker);
  if (error != std::errc{} || rest == end || *rest != mark) return std::nullopt;
  return worker;
}

}  // namespace fairlead::store

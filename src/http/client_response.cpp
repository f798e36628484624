#include <algorithm>
#include <charconv>
#include <fairlead/http/client.hpp>

#include "http/client_connection.hpp"
#include "http/field_list.hpp"

namespace fairlead::http {

std::optional<std::string_view> ClientResponse::header(std::string_view name) const {
  return first_of(headers, name);
}

std::optional<std::string_view> WholeAnswer::header(std::string_view name) const {
  return first_of(headers, name);
}

std::string ClientResponse::media_type() const {
  return lower_case(without_parameters(header("Content-Type").value_or("")));
}

Task<Result<std::string>> ResponseStream::rest(std::size_t max_size) {
  std::string whole;
  while (true) {
    auto piece = co_await next();
    if (!piece) co_return piece;
    if (piece->empty()) co_return whole;
    if (piece->size() > max_size - whole.size()) {
      co_return fail(ErrorKind::malformed, "the server's response is longer than " + std::to_string(max_size) +
                                               " bytes; raise the limit if this is expected");
    }
    whole += *piece;
  }
}

void ClientConnection::read_keep_alive(std::span<const HeaderView> fields, unsigned minor) {
  keep_alive_ = minor >= 1;
  hint_.reset();
  for (const auto& [name, value] : fields) {
    if (protocol::same_header(name, "Connection")) {
      if (list_has(value, "close")) keep_alive_ = false;
    } else if (protocol::same_header(name, "Keep-Alive")) {
      const auto at = value.find("timeout=");
      unsigned seconds = 0;
      if (at == std::string_view::npos) continue;
      std::from_chars(value.data() + at + 8, value.data() + value.size(), seconds);
      // One second less, so that a request arrives before the server closes the connection.
      hint_ = std::chrono::seconds(seconds > 0 ? std::min(seconds, 3600U) - 1 : 0);
    }
  }
}

}  // namespace fairlead::http

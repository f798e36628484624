#include <algorithm>
#include <charconv>
#include <fairlead/http/client.hpp>

#include "http/client_connection.hpp"
#include "http/field_list.hpp"

namespace fairlead::http {

std::optional<std::string_view> ClientResponse::header(std::string_view name) const {
  return first_of(headers, name);
}

std::string ClientResponse::media_type() const {
  return lower_case(without_parameters(header("Content-Type").value_or("")));
}

bool ClientResponse::has_media_type(std::string_view type) const {
  return protocol::same_header(without_parameters(header("Content-Type").value_or("")), type);
}

namespace {

/// True if more pieces may follow.
Result<bool> append(std::string& whole, Result<std::string>&& piece, std::size_t max_size) {
  if (!piece) return std::unexpected(std::move(piece.error()));
  if (piece->size() > max_size - whole.size()) {
    return fail(ErrorKind::malformed, "the server's response is longer than " + std::to_string(max_size) +
                                          " bytes; raise the limit if this is expected");
  }
  const bool is_end = piece->empty();
  if (whole.empty()) {
    whole = std::move(*piece);
  } else {
    whole += *piece;
  }
  return !is_end;
}

}  // namespace

Task<Result<std::string>> ResponseStream::rest(std::size_t max_size) {
  std::string whole;
  while (true) {
    auto reading = next();
    if (!reading.is_ready()) return collect(std::move(whole), std::move(reading), max_size);
    const auto more = append(whole, reading.take(), max_size);
    if (!more) return std::unexpected(more.error());
    if (!*more || ended()) return whole;
  }
}

Task<Result<std::string>> ResponseStream::collect(std::string whole, Task<Result<std::string>> reading,
                                                  std::size_t max_size) {
  while (true) {
    auto piece = co_await std::move(reading);
    const auto more = append(whole, std::move(piece), max_size);
    if (!more) co_return std::unexpected(more.error());
    if (!*more) co_return whole;
    reading = next();
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

#include <fairlead/http/message.hpp>

#include <algorithm>

namespace fairlead::http {

std::size_t Request::count(std::string_view name) const {
  std::size_t found = 0;
  for (auto at = find_header(name); at < headers.size(); at = find_header(name, at + 1)) ++found;
  return found;
}

void Request::index_headers() {
  header_bits = shared_slots = 0;
  for (std::size_t at = 0; at < headers.size(); ++at) {
    const auto in = slot(headers[at].name);
    const auto bit = std::uint64_t{1} << in;
    // A position that does not fit is searched from the last that does.
    constexpr std::size_t last = 255;
    if ((header_bits & bit) != 0 || at > last) shared_slots |= bit;
    if ((header_bits & bit) == 0) first_in_slot[in] = static_cast<std::uint8_t>(std::min(at, last));
    header_bits |= bit;
  }
}

std::size_t Request::find_in_slot(std::string_view name, std::size_t from) const {
  const std::size_t first = first_in_slot[slot(name)];
  const bool shared = (shared_slots & name_bit(name)) != 0;
  const auto end = shared ? headers.size() : std::min(first + 1, headers.size());
  for (auto at = std::max(first, from); at < end; ++at) {
    if (protocol::same_header(headers[at].name, name)) return at;
  }
  return headers.size();
}

std::string_view reason_phrase(std::uint16_t status) {
  switch (status) {
    case 100: return "Continue";
    case 101: return "Switching Protocols";
    case 200: return "OK";
    case 202: return "Accepted";
    case 204: return "No Content";
    case 301: return "Moved Permanently";
    case 302: return "Found";
    case 304: return "Not Modified";
    case 307: return "Temporary Redirect";
    case 308: return "Permanent Redirect";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 406: return "Not Acceptable";
    case 408: return "Request Timeout";
    case 409: return "Conflict";
    case 411: return "Length Required";
    case 413: return "Content Too Large";
    case 414: return "URI Too Long";
    case 415: return "Unsupported Media Type";
    case 417: return "Expectation Failed";
    case 421: return "Misdirected Request";
    case 426: return "Upgrade Required";
    case 429: return "Too Many Requests";
    case 431: return "Request Header Fields Too Large";
    case 500: return "Internal Server Error";
    case 501: return "Not Implemented";
    case 502: return "Bad Gateway";
    case 503: return "Service Unavailable";
    case 504: return "Gateway Timeout";
    case 505: return "HTTP Version Not Supported";
    default: return "";
  }
}

}  // namespace fairlead::http

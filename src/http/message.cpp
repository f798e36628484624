#include <fairlead/http/message.hpp>

#include <algorithm>

namespace fairlead::http {

void Request::index_headers() {
  header_bits = searched_bits = 0;
  for (std::size_t at = 0; at < headers.size(); ++at) {
    const auto in = slot(headers[at].name);
    const auto bit = std::uint64_t{1} << in;
    header_in_slot[in] = static_cast<std::uint8_t>(at);
    if ((header_bits & bit) != 0 || at != header_in_slot[in]) searched_bits |= bit;
    header_bits |= bit;
  }
}

std::size_t Request::find_in_slot(std::string_view name, std::size_t in, std::size_t from) const {
  const auto same = [&](std::size_t at) { return protocol::same_header(headers[at].name, name); };
  if (((searched_bits >> in) & 1) == 0) {
    const std::size_t at = header_in_slot[in];
    return at >= from && at < headers.size() && same(at) ? at : headers.size();
  }
  while (from < headers.size() && !same(from)) ++from;
  return std::min(from, headers.size());
}

std::optional<std::string_view> Request::value_in_slot(std::string_view name, std::size_t in) const {
  const auto at = find_in_slot(name, in, 0);
  return at < headers.size() ? std::optional(protocol::trim_header(headers[at].value)) : std::nullopt;
}

std::size_t Request::count_in_slot(std::string_view name, std::size_t in) const {
  if (((searched_bits >> in) & 1) == 0) return find_in_slot(name, in, 0) < headers.size() ? 1 : 0;
  const auto same = [&](const HeaderView& field) { return protocol::same_header(field.name, name); };
  return static_cast<std::size_t>(std::ranges::count_if(headers, same));
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

#include "transport/http_server/content_negotiation.hpp"

namespace fairlead::transport {
namespace {

using protocol::same_header;
using protocol::trim_header;

std::string_view bare_type(std::string_view range) {
  return trim_header(range.substr(0, range.find(';')));
}

// `;q=0` and `;q=0.0` exclude a type.
bool refused(std::string_view range) {
  const auto at = range.find(';');
  if (at == std::string_view::npos) return false;
  const auto weight = trim_header(range.substr(range.rfind(';') + 1));
  return (weight.starts_with("q=0") || weight.starts_with("Q=0")) &&
         weight.substr(3).find_first_not_of(".0") == std::string_view::npos;
}

bool covers(std::string_view range, std::string_view type, bool wildcards) {
  const auto bare = bare_type(range);
  if (refused(range)) return false;
  if (same_header(bare, type)) return true;
  if (!wildcards) return false;
  const auto slash = type.find('/');
  return bare == "*/*" ||
         (bare.ends_with("/*") && same_header(bare.substr(0, bare.size() - 1), type.substr(0, slash + 1)));
}

bool any_covers(const http::Request& request, std::string_view type, bool wildcards) {
  const auto& headers = request.headers;
  for (auto at = request.find_header("Accept"); at < headers.size(); at = request.find_header("Accept", at + 1)) {
    auto rest = headers[at].value;
    // Fast path for the usual value.
    if (rest == "application/json, text/event-stream" && (type == json_type || type == event_stream)) return true;
    while (true) {
      const auto comma = rest.find(',');
      if (covers(rest.substr(0, comma), type, wildcards)) return true;
      if (comma == std::string_view::npos) break;
      rest.remove_prefix(comma + 1);
    }
  }
  return false;
}

}  // namespace

bool has_type(const http::Request& request, std::string_view type) {
  const auto sent = request.header("Content-Type");
  const auto coding = request.header("Content-Encoding");
  return sent && request.count("Content-Type") == 1 && same_header(bare_type(*sent), type) &&
         (!coding || same_header(*coding, "identity"));
}

bool accepts(const http::Request& request, std::string_view type) {
  return any_covers(request, type, true) || request.count("Accept") == 0;
}

bool accepts_explicitly(const http::Request& request, std::string_view type) {
  return any_covers(request, type, false);
}

}  // namespace fairlead::transport

// Parsed heads and requests do not depend on how the bytes are split; views stay inside the buffer; accepted heads are
// unambiguous.
#include <algorithm>
#include <cstdlib>
#include <fairlead/http/limits.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "http/chunked.hpp"
#include "http/head_parser.hpp"
#include "http/request_reader.hpp"

namespace {

using namespace fairlead::http;

void require(bool truth) {
  if (!truth) std::abort();
}

constexpr Limits limits{.head_bytes = 2000, .header_count = 20, .target_bytes = 500, .body_bytes = 5000};

/// The requests that a server parses from the bytes of a connection, as text.
std::string requests_in(std::string_view stream, std::size_t piece) {
  RequestReader reader(limits);
  std::string seen;
  while (!stream.empty()) {
    // A separate buffer, so that the sanitizer detects views into it that outlive it.
    const std::vector<char> part(stream.begin(),
                                 stream.begin() + static_cast<std::ptrdiff_t>(std::min(piece, stream.size())));
    stream.remove_prefix(part.size());
    std::string_view bytes(part.data(), part.size());
    auto step = RequestReader::Step::wants_continue;
    while (step == RequestReader::Step::wants_continue || step == RequestReader::Step::body_next ||
           step == RequestReader::Step::whole) {
      step = reader.feed(bytes);
      // Which of several errors is detected first may depend on how the input is split.
      if (step == RequestReader::Step::fault) return seen + "fault";
      if (step != RequestReader::Step::whole) continue;
      reader.own_head();
      auto& request = reader.request();
      seen.append(request.method).append(" ").append(request.path).append(" ").append(request.query);
      for (const auto& field : request.headers) seen.append("\n").append(field.name).append(":").append(field.value);
      seen.append("\n").append(request.body).append(reader.keep_alive() ? "\n+" : "\n-");
      require(request.count("Host") <= 1 && request.count("Content-Length") + request.count("Transfer-Encoding") <= 1);
      require(request.body.size() <= limits.body_bytes);
      reader.next();
    }
    require(bytes.empty());
  }
  return seen;
}

// A simple parser that only splits lines reads an accepted head in the same way.
void check_lines(std::string_view bytes) {
  const HeadLimits head_limits;
  std::vector<HeaderView> headers;
  const auto head = parse_request_head(bytes, head_limits, headers);
  if (!head || !*head) return;
  const auto text = bytes.substr(0, (*head)->size);
  require(text.ends_with("\r\n\r\n"));
  const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n'));
  require(lines == static_cast<std::size_t>(std::ranges::count(text, '\r')));
  require(lines == headers.size() + 2 + (text.starts_with("\r\n") ? 1 : 0));
  for (const auto& field : headers) {
    require(field.name.data() >= text.data() && field.value.data() + field.value.size() <= text.data() + text.size());
    require(field.value.find_first_of(std::string_view("\r\n\0", 3)) == std::string_view::npos);
  }
  // With one byte less it is incomplete.
  require(!parse_request_head(text.substr(0, text.size() - 1), head_limits, headers).value());
}

std::string decode(std::string_view bytes, std::size_t piece) {
  ChunkedDecoder decoder(3000);
  std::string body;
  while (!bytes.empty()) {
    auto part = bytes.substr(0, piece);
    const auto size = part.size();
    const auto done = decoder.feed(part, body);
    if (!done) return "fault";
    bytes.remove_prefix(size - part.size());
    if (*done) return body + "|" + std::string(bytes);
  }
  return body + "|unfinished";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view stream(reinterpret_cast<const char*>(data), size);
  const auto whole = requests_in(stream, size + 1);
  require(requests_in(stream, 1) == whole);
  require(requests_in(stream, 7) == whole);
  check_lines(stream);
  require(decode(stream, 1) == decode(stream, size + 1));
  std::vector<HeaderView> headers;
  const auto answer = parse_response_head(stream, HeadLimits(), headers);
  if (answer && *answer) require((*answer)->status >= 100 && (*answer)->size <= size);
  return 0;
}

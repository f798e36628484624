#include <algorithm>
#include <fairlead/json/reader.hpp>
#include <fairlead/json/writer.hpp>
#include <fairlead/jsonrpc/message.hpp>

namespace fairlead::jsonrpc {
namespace {

// In valid JSON a raw line break is white space between tokens, so it can be replaced by a blank.
void append_flat(std::string& out, std::string_view json) {
  if (json.empty()) return;
  const auto begin = static_cast<std::ptrdiff_t>(out.size());
  out += json;
  if (json.find('\n') == std::string_view::npos && json.find('\r') == std::string_view::npos) return;
  std::replace_if(out.begin() + begin, out.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
}

// Reserves space for the parts, the envelope and a newline or frame after them, to avoid a reallocation.
void reserve_for(std::string& out, std::size_t parts) {
  constexpr std::size_t around = 96;
  out.reserve(out.size() + parts + around);
}

void append_call(std::string& out, const std::string& method, const json::Payload& params, const std::string& extra) {
  json::write_string(out, method);
  if (!params.empty()) append_flat(out += R"(,"params":)", params.text());
  append_flat(out, extra);
  out += '}';
}

struct MessageWriter {
  std::string& out;

  void operator()(const Request& request) const {
    reserve_for(out, request.method.size() + request.params.text().size() + request.extra.size());
    request.id.write(out += R"({"jsonrpc":"2.0","id":)");
    append_call(out += R"(,"method":)", request.method, request.params, request.extra);
  }
  void operator()(const Notification& notification) const {
    reserve_for(out, notification.method.size() + notification.params.text().size() + notification.extra.size());
    append_call(out += R"({"jsonrpc":"2.0","method":)", notification.method, notification.params, notification.extra);
  }
  void operator()(const Response& response) const {
    reserve_for(out, response.result.text().size() + response.extra.size());
    response.id.write(out += R"({"jsonrpc":"2.0","id":)");
    append_flat(out += R"(,"result":)", response.result.empty() ? "{}" : response.result.text());
    append_flat(out, response.extra);
    out += '}';
  }
  void operator()(const ErrorResponse& response) const {
    const auto data_size = response.error.data ? response.error.data->text().size() : 0;
    reserve_for(out, response.error.message.size() + data_size + response.extra.size());
    out += R"({"jsonrpc":"2.0","id":)";
    if (response.id) {
      response.id->write(out);
    } else {
      out += "null";
    }
    json::write_number(out += R"(,"error":{"code":)", response.error.code);
    json::write_string(out += R"(,"message":)", response.error.message);
    if (const auto& data = response.error.data)
      append_flat(out += R"(,"data":)", data->empty() ? "null" : data->text());
    append_flat(out += '}', response.extra);
    out += '}';
  }
};

struct SizeEstimate {
  // Approximate size of the envelope.
  static constexpr std::size_t envelope = 64;

  std::size_t operator()(const Request& request) const {
    return envelope + request.method.size() + request.params.text().size() + request.extra.size();
  }
  std::size_t operator()(const Notification& notice) const {
    return envelope + notice.method.size() + notice.params.text().size() + notice.extra.size();
  }
  std::size_t operator()(const Response& response) const {
    return envelope + response.result.text().size() + response.extra.size();
  }
  std::size_t operator()(const ErrorResponse& response) const {
    const auto data_size = response.error.data ? response.error.data->text().size() : 0;
    return envelope + response.error.message.size() + data_size + response.extra.size();
  }
};

}  // namespace

std::size_t size_of(const Message& message) {
  return std::visit(SizeEstimate{}, message);
}

std::optional<std::string> string_at(const json::Payload& params, json::Span span) {
  if (!span) return std::nullopt;
  json::Reader reader(span.in(params.text()));
  if (reader.kind() != json::Kind::string) return std::nullopt;
  std::string text;
  reader.string(text);
  return text;
}

void write(std::string& out, const Message& message) {
  std::visit(MessageWriter{out}, message);
}

std::string write(const Message& message) {
  std::string out;
  write(out, message);
  return out;
}

}  // namespace fairlead::jsonrpc

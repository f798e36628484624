#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

/// Shared by the limit programs: the minimum that `fairlead bench` accepts. Does not parse JSON.
namespace limit {

class Message {
 public:
  explicit Message(std::string_view text) : text_(text) {}

  bool has(std::string_view part) const { return ::memmem(text_.data(), text_.size(), part.data(), part.size()); }

  std::size_t number(std::string_view key) const {
    const auto at = text_.find(key);
    return at == std::string_view::npos ? 0 : static_cast<std::size_t>(std::atoll(text_.data() + at + key.size()));
  }

  std::string echo() const { return text_result(between("\"text\":\"", '"')); }
  std::string blob() const { return text_result(std::string(number("\"size\":"), 'x')); }

  std::string text_result(std::string_view text) const {
    std::string out = "{\"jsonrpc\":\"2.0\",\"id\":";
    out.append(id()).append(",\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"");
    return out.append(text).append("\"}]}}");
  }

  std::string progress(std::size_t step, std::size_t steps) const {
    std::string out = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":";
    out.append(id()).append(",\"progress\":").append(std::to_string(step));
    return out.append(",\"total\":").append(std::to_string(steps)).append("}}");
  }

  std::string tools_list() const {
    std::string out = "{\"jsonrpc\":\"2.0\",\"id\":";
    return out.append(id()).append(
        ",\"result\":{\"tools\":[{\"name\":\"echo\",\"inputSchema\":{\"type\":\"object\"}}]}}");
  }

  bool is_request() const { return has("\"id\":"); }
  std::string method_not_found() const {
    std::string out = "{\"jsonrpc\":\"2.0\",\"id\":";
    return out.append(id()).append(",\"error\":{\"code\":-32601,\"message\":\"Method not found\"}}");
  }

  std::string initialize_result() const {
    std::string out = "{\"jsonrpc\":\"2.0\",\"id\":";
    out.append(id()).append(",\"result\":{\"protocolVersion\":\"");
    out.append(between("\"protocolVersion\":\"", '"'));
    return out.append("\",\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"limit\",\"version\":\"1\"}}}");
  }

 private:
  // The id may be the last member of the message.
  std::string_view id() const {
    const auto found = between("\"id\":", ',');
    return found.ends_with('}') ? found.substr(0, found.size() - 1) : found;
  }

  std::string_view between(std::string_view before, char after) const {
    const auto* found = static_cast<const char*>(::memmem(text_.data(), text_.size(), before.data(), before.size()));
    if (found == nullptr) return {};
    const auto rest = text_.substr(static_cast<std::size_t>(found - text_.data()) + before.size());
    return rest.substr(0, rest.find(after));
  }

  std::string_view text_;
};

}  // namespace limit

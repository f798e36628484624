// Lower bound for a stdio server: reads lines, searches them with memmem, and answers all lines of a read with one
// write.
#include <array>
#include <string>
#include <string_view>
#include <unistd.h>

#include "limit/message.hpp"

namespace {

void answer(std::string& out, const limit::Message& message) {
  if (message.has("\"name\":\"echo\"")) {
    out += message.echo() + "\n";
  } else if (message.has("\"name\":\"blob\"")) {
    out += message.blob() + "\n";
  } else if (message.has("\"initialize\"")) {
    out += message.initialize_result() + "\n";
  } else if (message.has("\"tools/list\"")) {
    out += message.tools_list() + "\n";
  } else if (message.is_request()) {
    out += message.method_not_found() + "\n";
  }
}

bool write_all(std::string_view text) {
  while (!text.empty()) {
    const auto size = ::write(STDOUT_FILENO, text.data(), text.size());
    if (size <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(size));
  }
  return true;
}

}  // namespace

int main() {
  static std::array<char, 65536> buffer;
  std::string input, output;
  for (auto size = ::read(STDIN_FILENO, buffer.data(), buffer.size()); size > 0;
       size = ::read(STDIN_FILENO, buffer.data(), buffer.size())) {
    input.append(buffer.data(), static_cast<std::size_t>(size));
    std::size_t begin = 0;
    for (auto end = input.find('\n'); end != std::string::npos; end = input.find('\n', begin)) {
      answer(output, limit::Message(std::string_view(input).substr(begin, end - begin)));
      begin = end + 1;
    }
    input.erase(0, begin);
    if (!write_all(output)) return 1;
    output.clear();
  }
}

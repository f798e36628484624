// The frames do not depend on how the stream is split; buffers stay within the limit; written frames are read back.
#include <algorithm>
#include <cstdlib>
#include <vector>

#include "http/websocket_parser.hpp"

namespace {

using namespace fairlead::http;

constexpr std::size_t limit = 300;

void require(bool truth) {
  if (!truth) std::abort();
}

struct Outcome {
  std::vector<WebSocketEvent> inputs = {};
  std::int64_t code = 0;
  bool operator==(const Outcome&) const = default;
};

Outcome read(std::string_view stream, bool is_client, std::size_t piece) {
  WebSocketParser reader(is_client, limit);
  Outcome outcome;
  for (; !stream.empty(); stream.remove_prefix(std::min(piece, stream.size()))) {
    auto bytes = stream.substr(0, piece);
    while (true) {
      auto input = reader.read(bytes);
      if (!input) {
        outcome.code = input.error().code;
        return outcome;
      }
      if (!*input) break;
      require((*input)->payload.size() <= limit);
      outcome.inputs.push_back(std::move(**input));
    }
  }
  return outcome;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view stream(reinterpret_cast<const char*>(data), size);
  for (const bool is_client : {true, false}) {
    const auto whole = read(stream, is_client, size + 1);
    for (const std::size_t piece : {1U, 2U, 5U}) require(read(stream, is_client, piece) == whole);
    for (const auto& input : whole.inputs) {
      if (input.kind == Opcode::close && read_close(input.payload)) {
        const auto reason = *read_close(input.payload);
        require(close_payload(reason) == input.payload);
      }
      std::string out;
      write_frame(out, input.kind, input.payload, is_client ? std::nullopt : std::optional(MaskKey{7, 1, 9, 3}));
      const auto again = read(out, is_client, 3);
      require(again.inputs.size() == 1 && again.inputs[0] == input);
    }
  }
  return 0;
}

// The frames do not depend on how the bytes are split; parsing ends; a valid line after garbage is always found.
#include <algorithm>
#include <cstdlib>
#include <fairlead/transport/framing.hpp>
#include <string_view>
#include <vector>

namespace {

using namespace fairlead::transport;

void require(bool truth) {
  if (!truth) std::abort();
}

std::vector<Frame> cut_up(std::string_view stream, DeframerOptions options, std::size_t piece) {
  Deframer deframer(options);
  std::vector<Frame> frames;
  const auto take = [&] {
    while (auto frame = deframer.next()) frames.push_back(std::move(*frame));
  };
  for (; !stream.empty(); stream.remove_prefix(std::min(piece, stream.size()))) {
    deframer.feed(stream.substr(0, piece));
    take();
  }
  for (std::size_t rounds = 0; !deframer.idle(); ++rounds) {
    require(rounds < 1'000'000);
    if (auto frame = deframer.flush()) frames.push_back(std::move(*frame));
    take();
  }
  return frames;
}

// Even if a Content-Length in the garbage matches the message.
bool finds_good_line(std::string_view garbage, std::size_t size) {
  const auto good = "{\"a\":\"" + std::string(size, 'x') + "\"}";
  Deframer deframer;
  deframer.feed(garbage);
  deframer.feed("\n");
  while (deframer.next() || (deframer.undecided() && (deframer.flush() || true))) {
  }
  deframer.feed(good + "\n");
  bool found = false;
  const auto look = [&](const std::optional<Frame>& frame) { found = found || (frame && frame->text == good); };
  while (!deframer.idle()) {
    while (auto frame = deframer.next()) look(frame);
    if (!deframer.idle()) look(deframer.flush());
  }
  return found;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view stream(reinterpret_cast<const char*>(data), size);
  for (const DeframerOptions options : {DeframerOptions{}, DeframerOptions{.max_message = 30},
                                        DeframerOptions{.headers = false}, DeframerOptions{.trust_counts = true}}) {
    const auto whole = cut_up(stream, options, size + 1);
    require(cut_up(stream, options, 1) == whole);
    require(cut_up(stream, options, 5) == whole);
  }
  for (const std::size_t length : {std::size_t{1}, size % 64, size + 100}) require(finds_good_line(stream, length));
  return 0;
}

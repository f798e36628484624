#include "http/vectored_write.hpp"

#include <algorithm>

namespace fairlead::http {

Result<bool> write_vectored(Stream& stream, std::span<std::string_view> pieces) {
  while (true) {
    while (!pieces.empty() && pieces.front().empty()) pieces = pieces.subspan(1);
    while (!pieces.empty() && pieces.back().empty()) pieces = pieces.first(pieces.size() - 1);
    if (pieces.empty()) return true;
    const auto written = stream.write_now(pieces);
    if (!written) return std::unexpected(written.error());
    if (!*written) return false;
    auto size = **written;
    for (auto& piece : pieces) {
      const auto taken = std::min(size, piece.size());
      piece.remove_prefix(taken);
      size -= taken;
    }
  }
}

}  // namespace fairlead::http

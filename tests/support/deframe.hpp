#pragma once

#include <fairlead/transport/framing.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::test {

/// Texts of all complete frames.
inline std::vector<std::string> drain(transport::Deframer& deframer) {
  std::vector<std::string> texts;
  while (auto frame = deframer.next()) texts.push_back(std::move(frame->text));
  return texts;
}

/// All frames, up to the end of the stream.
inline std::vector<transport::Frame> drain_to_end(transport::Deframer& deframer) {
  std::vector<transport::Frame> frames;
  while (!deframer.idle()) {
    while (auto frame = deframer.next()) frames.push_back(std::move(*frame));
    if (deframer.idle()) break;
    if (auto frame = deframer.flush()) frames.push_back(std::move(*frame));
  }
  return frames;
}

/// Texts of all messages of a stream.
inline std::vector<std::string> texts(std::string_view stream) {
  transport::Deframer deframer;
  deframer.feed(stream);
  std::vector<std::string> all;
  for (auto& frame : drain_to_end(deframer)) all.push_back(std::move(frame.text));
  return all;
}

}  // namespace fairlead::test

#pragma once

#include <fairlead/protocol/model/content.hpp>
#include <ranges>
#include <string_view>
#include <type_traits>
#include <utility>

/// Image and audio content from raw bytes; encodes base64.
namespace fairlead::server {
namespace detail {

/// A contiguous range of bytes other than a string: a vector, array or span of `std::byte`, `unsigned char` or `char`.
template <class T>
concept ByteRange = std::ranges::contiguous_range<T> && sizeof(std::ranges::range_value_t<T>) == 1 &&
                    !std::is_convertible_v<T, std::string_view>;

template <ByteRange T>
std::string_view as_text(const T& bytes) {
  return {reinterpret_cast<const char*>(std::ranges::data(bytes)), std::ranges::size(bytes)};
}

std::string to_base64(std::string_view bytes);

}  // namespace detail

/// Content of a tool's result or a prompt: `return Image{png_bytes, "image/png"};`.
struct Image : protocol::ImageContent {
  Image(std::string_view bytes, std::string mime_type)
      : ImageContent{.data = detail::to_base64(bytes), .mimeType = std::move(mime_type)} {}
  Image(const detail::ByteRange auto& bytes, std::string mime_type)
      : Image(detail::as_text(bytes), std::move(mime_type)) {}
};

/// Audio content: `return Audio{wav_bytes, "audio/wav"};`.
struct Audio : protocol::AudioContent {
  Audio(std::string_view bytes, std::string mime_type)
      : AudioContent{.data = detail::to_base64(bytes), .mimeType = std::move(mime_type)} {}
  Audio(const detail::ByteRange auto& bytes, std::string mime_type)
      : Audio(detail::as_text(bytes), std::move(mime_type)) {}
};

}  // namespace fairlead::server

#include "cli/to_text.hpp"

#include <algorithm>
#include <fairlead/base/log_sinks.hpp>
#include <fairlead/json/codec.hpp>
#include <fmt/format.h>

namespace fairlead::cli {
namespace {

// A longer name does not widen the first column.
constexpr std::size_t widest = 44;

std::string line(std::string text) {
  if (!text.ends_with('\n')) text += '\n';
  return text;
}

std::size_t bytes_in(std::string_view base64) {
  const auto padding = base64.ends_with("==") ? 2U : base64.ends_with("=") ? 1U : 0U;
  return base64.size() / 4 * 3 - (base64.empty() ? 0 : padding);
}

std::string described(std::string_view what, std::string_view mime_type, std::string_view base64) {
  return fmt::format("[{} {}, {} bytes]\n", what, escape_for_terminal(mime_type), bytes_in(base64));
}

std::string first_line(std::string_view text) {
  return escape_for_terminal(text.substr(0, text.find('\n')));
}

struct ContentPrinter {
  std::string operator()(const protocol::TextContent& text) const { return line(escape_for_terminal(text.text)); }
  std::string operator()(const protocol::ImageContent& image) const {
    return described("image", image.mimeType, image.data);
  }
  std::string operator()(const protocol::AudioContent& audio) const {
    return described("audio", audio.mimeType, audio.data);
  }
  std::string operator()(const protocol::ResourceLink& link) const {
    return fmt::format("[link to {}, {}]\n", escape_for_terminal(link.uri), first_line(link.title.value_or(link.name)));
  }
  std::string operator()(const protocol::EmbeddedResource& embedded) const { return to_text(embedded.resource); }
  std::string operator()(const json::Payload& unknown) const { return line(escape_for_terminal(unknown.text())); }

  std::string operator()(const protocol::TextResourceContents& text) const {
    return line(escape_for_terminal(text.text));
  }
  std::string operator()(const protocol::BlobResourceContents& blob) const {
    return described(blob.uri, blob.mimeType.value_or("of unknown type"), blob.blob);
  }
};

}  // namespace

std::string escape_for_terminal(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto end = std::min(text.find_first_of("\n\t"), text.size());
    append_escaped(out, text.substr(0, end));
    if (end < text.size()) out += text[end];
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string to_text(const protocol::ContentBlock& block) {
  return std::visit(ContentPrinter{}, block);
}

std::string to_text(const protocol::ResourceContents& contents) {
  return std::visit(ContentPrinter{}, contents);
}

std::string pluralize(std::size_t count, std::string_view thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

std::string format_table(const std::vector<std::pair<std::string, std::string>>& rows) {
  std::size_t width = 0;
  for (const auto& row : rows) {
    if (row.first.size() <= widest) width = std::max(width, row.first.size());
  }
  std::string text;
  for (const auto& [name, what] : rows) {
    const auto about = first_line(what);
    text += "  " + escape_for_terminal(name);
    if (!about.empty()) text += std::string(width - std::min(width, name.size()) + 2, ' ') + about;
    text += '\n';
  }
  return text;
}

std::string to_text(const protocol::LoggingMessageParams& message) {
  const auto level = json::enum_name(message.level);
  // A plain string is shown without its quotes.
  const auto text = json::decode<std::string>(message.data);
  std::string who(level);
  if (message.logger) who += " " + first_line(*message.logger);
  return fmt::format("{}: {}", who, escape_for_terminal(text ? *text : std::string(message.data.text())));
}

std::string to_text(const protocol::ProgressParams& progress) {
  std::string text = progress.total ? fmt::format("[{}/{}]", progress.progress, *progress.total)
                                    : fmt::format("[{}]", progress.progress);
  if (progress.message) text += " " + first_line(*progress.message);
  return text;
}

}  // namespace fairlead::cli

#include "skills/frontmatter.hpp"

#include <algorithm>
#include <fairlead/base/utf8.hpp>
#include <fairlead/json/dom.hpp>
#include <fairlead/json/writer.hpp>
#include <optional>
#include <set>
#include <sstream>
#include <utility>
#include <vector>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "skills/core_schema.hpp"
#include "skills/kept_line_breaks.hpp"

namespace fairlead::skills {
namespace {

constexpr std::size_t max_frontmatter = 64 * 1024;
constexpr std::size_t max_json = 1024 * 1024;
constexpr std::size_t max_values = 10'000;
constexpr std::size_t max_depth = 32;

constexpr std::string_view yaml_tag_prefix = "tag:yaml.org,2002:";

// Files start with `---`, so the YAML starts in the second line.
std::size_t line_in_file(const YAML::Mark& mark) {
  return static_cast<std::size_t>(std::max(mark.line, 0)) + 2;
}

/// Builds JSON from the events of the parser. Throws YAML::ParserException.
class JsonBuilder final : public YAML::EventHandler {
 public:
  /// `yaml` outlives the builder.
  explicit JsonBuilder(std::string_view yaml) : yaml_(yaml) {}

  Frontmatter take() { return {.json = json::Payload::trusted(std::move(root_.json)), .key_lines = std::move(lines_)}; }
  bool is_map() const { return root_.json.starts_with('{'); }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { put_scalar(mark, anchor, {false, "null"}); }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    // yaml-cpp gives the tag `?` to plain scalars and `!` to quoted ones.
    if (tag == "?") return put_scalar(mark, anchor, resolve_plain_scalar(value));
    if (tag != "!" && tag != std::string(yaml_tag_prefix) + "str") refuse_tag(mark, tag);
    const auto position = static_cast<std::size_t>(std::max(mark.pos, 0));
    put_scalar(mark, anchor, {true, with_kept_line_breaks(value, yaml_, position)});
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) throw YAML::ParserException(mark, "an alias inside of the value it stands for");
    if (wants_key()) throw YAML::ParserException(mark, "a key must be written out, not an alias");
    count(mark, found->second.values);
    if (open_.size() + found->second.depth > max_depth) throw YAML::ParserException(mark, "nested too deep");
    put(mark, YAML::NullAnchor, found->second);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, tag, "seq", {.anchor = anchor, .is_map = false, .value = {.json = "["}});
  }
  void OnSequenceEnd() override { close(']'); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, tag, "map", {.anchor = anchor, .is_map = true, .value = {.json = "{"}});
  }
  void OnMapEnd() override { close('}'); }

 private:
  struct Value {
    std::string json = {};
    std::size_t values = 1;  ///< Number of scalars, lists and maps in it.
    std::size_t depth = 0;
  };

  /// A list or map that is not complete.
  struct Open {
    YAML::anchor_t anchor = YAML::NullAnchor;
    bool is_map = false;
    Value value = {};
    std::optional<std::string> key = {};  ///< Key whose value follows.
    std::set<std::string> keys = {};
  };

  static void refuse_tag(const YAML::Mark& mark, const std::string& tag) {
    throw YAML::ParserException(mark, "the tag '" + tag + "' is not supported; remove it, or quote the value");
  }

  bool wants_key() const { return !open_.empty() && open_.back().is_map && !open_.back().key; }

  void count(const YAML::Mark& mark, std::size_t values) {
    values_ += values;
    if (values_ > max_values) throw YAML::ParserException(mark, "too many values");
  }

  void open(const YAML::Mark& mark, const std::string& tag, const std::string& kind, Open opened) {
    if (wants_key()) throw YAML::ParserException(mark, "a key must be a single word, not a list or a map");
    if (tag != "?" && tag != std::string(yaml_tag_prefix) + kind) refuse_tag(mark, tag);
    if (open_.size() >= max_depth) throw YAML::ParserException(mark, "nested too deep");
    count(mark, 1);
    marks_.push_back(mark);
    open_.push_back(std::move(opened));
  }

  void close(char end) {
    auto done = std::move(open_.back());
    open_.pop_back();
    const auto mark = marks_.back();
    marks_.pop_back();
    done.value.json += end;
    ++done.value.depth;
    put(mark, done.anchor, done.value);
  }

  void put_scalar(const YAML::Mark& mark, YAML::anchor_t anchor, const Scalar& scalar) {
    count(mark, 1);
    if (wants_key()) return put_key(mark, scalar.key());
    put(mark, anchor, {.json = scalar.json()});
  }

  void put_key(const YAML::Mark& mark, std::string key) {
    auto& map = open_.back();
    if (!map.keys.insert(key).second) throw YAML::ParserException(mark, "the key '" + key + "' occurs twice");
    if (open_.size() == 1) lines_.emplace(key, line_in_file(mark));
    map.key = std::move(key);
  }

  void put(const YAML::Mark& mark, YAML::anchor_t anchor, const Value& value) {
    if (anchor != YAML::NullAnchor) anchors_.insert_or_assign(anchor, value);
    if (open_.empty()) {
      root_ = value;
      return;
    }
    auto& parent = open_.back().value;
    if (parent.json.size() + value.json.size() > max_json) throw YAML::ParserException(mark, "too long with aliases");
    if (parent.json.size() > 1) parent.json += ',';
    if (open_.back().is_map) {
      json::write_string(parent.json, *std::exchange(open_.back().key, std::nullopt));
      parent.json += ':';
    }
    parent.json += value.json;
    parent.values += value.values;
    parent.depth = std::max(parent.depth, value.depth);
  }

  std::string_view yaml_;
  std::vector<Open> open_;
  std::vector<YAML::Mark> marks_;  // Where each open list or map starts.
  std::map<YAML::anchor_t, Value> anchors_;
  std::map<std::string, std::size_t> lines_;
  Value root_;
  std::size_t values_ = 0;
};

/// The text between the first line and the line that ends the front matter; nothing if either is missing.
std::optional<std::string_view> frontmatter_block(std::string_view text) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  if (!text.starts_with("---\n") && !text.starts_with("---\r\n")) return std::nullopt;
  text.remove_prefix(text.find('\n') + 1);
  constexpr std::string_view end_mark = "\n---";
  for (auto at = text.find(end_mark); at != std::string_view::npos; at = text.find(end_mark, at + 1)) {
    const auto rest = text.substr(at + end_mark.size());
    const auto next = std::min(rest.find_first_not_of(" \t"), rest.size());
    const auto tail = rest.substr(next);
    if (!tail.empty() && !tail.starts_with('\n') && !tail.starts_with("\r\n")) continue;
    const auto block = text.substr(0, at);
    return block.ends_with('\r') ? block.substr(0, block.size() - 1) : block;
  }
  return std::nullopt;
}

std::size_t line_at(std::string_view text, std::size_t offset) {
  return static_cast<std::size_t>(std::ranges::count(text.substr(0, offset), '\n')) + 2;
}

/// With line ends as YAML normalises them, or the first character that is not allowed.
std::expected<std::string, FrontmatterError> normalized(std::string_view block) {
  std::string text;
  for (std::size_t at = 0; at < block.size(); ++at) {
    const char c = block[at];
    if (c == '\r' && block.substr(at + 1).starts_with('\n')) continue;
    const bool is_control = (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7f;
    if (is_control) return std::unexpected(FrontmatterError{line_at(block, at), "has a control character"});
    const bool begins_line = text.empty() || text.back() == '\n';
    if (c == '%' && begins_line) {
      return std::unexpected(FrontmatterError{line_at(block, at), "has a YAML directive, which is not supported"});
    }
    text += c;
  }
  return text;
}

std::expected<Frontmatter, FrontmatterError> parse(const std::string& text) {
  // A block scalar at the end keeps its last line end, which is part of the closing line here.
  std::istringstream stream(text.ends_with('\n') ? text : text + "\n");
  JsonBuilder builder(text);
  YAML::Parser parser(stream);
  parser.HandleNextDocument(builder);
  if (!builder.is_map()) return std::unexpected(FrontmatterError{2, "is not a list of 'key: value' lines"});
  auto read = builder.take();
  JsonBuilder second(text);
  if (parser && parser.HandleNextDocument(second)) {
    return std::unexpected(FrontmatterError{2, "has more than one YAML document"});
  }
  return read;
}

bool is_same(const boost::json::value& left, const boost::json::value& right);

bool is_same(const boost::json::array& left, const boost::json::array& right) {
  return std::ranges::equal(left, right, [](const auto& a, const auto& b) { return is_same(a, b); });
}

bool is_same(const boost::json::object& left, const boost::json::object& right) {
  if (left.size() != right.size()) return false;
  return std::ranges::all_of(left, [&](const auto& member) {
    const auto* other = right.if_contains(member.key());
    return other != nullptr && is_same(member.value(), *other);
  });
}

bool is_same(const boost::json::value& left, const boost::json::value& right) {
  if (left.is_number() && right.is_number()) return left.to_number<double>() == right.to_number<double>();
  if (left.kind() != right.kind()) return false;
  if (left.is_array()) return is_same(left.get_array(), right.get_array());
  if (left.is_object()) return is_same(left.get_object(), right.get_object());
  return left == right;
}

}  // namespace

std::expected<Frontmatter, FrontmatterError> read_frontmatter(std::string_view skill_md) {
  const auto block = frontmatter_block(skill_md);
  if (!block) {
    return std::unexpected(FrontmatterError{1, "does not begin with a YAML front matter between two lines '---'"});
  }
  if (block->size() > max_frontmatter)
    return std::unexpected(FrontmatterError{1, "has more than 64 KiB of front matter"});
  if (!is_utf8(*block)) return std::unexpected(FrontmatterError{1, "is not UTF-8"});
  const auto text = normalized(*block);
  if (!text) return std::unexpected(text.error());
  try {
    return parse(*text);
  } catch (const YAML::Exception& wrong) {
    return std::unexpected(FrontmatterError{line_in_file(wrong.mark), "is not valid YAML here: " + wrong.msg});
  }
}

bool is_same_json(const json::Payload& left, const json::Payload& right) {
  return is_same(left.value(), right.value());
}

}  // namespace fairlead::skills

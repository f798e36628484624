// JSON that decodes into a struct with members of many types survives a round trip: encode, then decode.
#include <cstdlib>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/dom.hpp>
#include <fairlead/json/object_edit.hpp>
#include <map>

namespace {

using namespace fairlead;

enum class Level : std::uint8_t { debug, info, default_ };

struct Text {
  using Tag = json::Tag<"type", "text">;
  std::string text;
};
struct Form {
  using Tag = json::Tag<"type", "form", json::TagRule::may_be_absent>;
  std::optional<double> size = {};
};
struct Tree {
  std::string name;
  std::optional<std::vector<Tree>> children = {};
};
struct Rich {
  std::optional<bool> b = {};
  std::optional<std::int64_t> i = {};
  std::optional<std::uint8_t> u = {};
  std::optional<double> d = {};
  std::optional<float> f = {};
  std::optional<std::string> s = {};
  std::optional<Level> e = {};
  std::optional<std::vector<std::variant<Text, Form, json::Payload>>> v = {};
  std::optional<std::variant<std::int64_t, std::string, std::array<int, 2>, std::nullptr_t>> l = {};
  std::optional<std::map<std::string, json::Payload>> m = {};
  std::optional<Tree> t = {};
  std::optional<json::Payload> p = {};
  std::optional<boost::json::value> j = {};
  json::Extra extra = {};
};

void require(bool truth) {
  if (!truth) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (json::scan(text)) return 0;

  const auto edited = json::ObjectEdit(text).set("i", "1").text();
  require(!json::scan(edited));
  const auto rich = json::decode<Rich>(text);
  if (!rich) {
    require(!rich.error().message.empty());
    return 0;
  }
  const auto once = json::encode(*rich);
  require(!json::scan(once));
  const auto again = json::decode<Rich>(once);
  require(again && json::encode(*again) == once);
  return 0;
}

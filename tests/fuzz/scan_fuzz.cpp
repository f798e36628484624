// The scan accepts the same texts as Boost.JSON, and readers handle every accepted text.
#include <array>
#include <boost/json.hpp>
#include <cstdlib>
#include <fairlead/json/payload.hpp>
#include <fairlead/json/reader.hpp>
#include <fairlead/json/scan.hpp>
#include <fairlead/jsonrpc/read.hpp>

namespace {

using namespace fairlead;

void require(bool truth) {
  if (!truth) std::abort();
}

bool is_consistent(std::string_view text, const json::MemberIndex& index) {
  for (const auto& [key, value, parent, escaped, names] : index.members) {
    const bool inside = key.begin + key.size <= text.size() && value && value.begin + value.size <= text.size();
    if (!inside || json::scan(value.in(text), {.max_depth = 64})) return false;
    if (text[key.begin - 1] != '"' || text[key.begin + key.size] != '"') return false;
    if (escaped != (key.in(text).find('\\') != std::string_view::npos)) return false;
    if (parent == json::MemberIndex::root) continue;
    const auto& holder = index.members[parent].value;
    if (key.begin < holder.begin || value.begin + value.size > holder.begin + holder.size) return false;
  }
  return true;
}

void compare_with_boost(std::string_view text, json::ScanErrorCode code) {
  boost::json::parse_options options;
  options.max_depth = 64;
  boost::system::error_code error;
  (void)boost::json::parse(text, error, {}, options);
  if (error != boost::json::error::exponent_overflow) require((code == json::ScanErrorCode::none) == !error);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::array<std::string_view, 4> names = {"params", "result", "error", "_meta"};
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto plain = json::scan(text, {.max_depth = 64});
  compare_with_boost(text, plain.code);

  json::MemberIndex index;
  const auto indexed = json::scan(text, {.max_depth = 64, .indexed_names = names}, &index);
  if (indexed.code != json::ScanErrorCode::duplicate_key) require(indexed.code == plain.code);
  if (!indexed) require(is_consistent(text, index));
  (void)jsonrpc::read(std::string(text), {.max_depth = 64});
  if (plain) return 0;

  const auto payload = json::Payload::trusted(std::string(text));
  (void)payload.value();
  const std::string_view value = json::Reader(text).skip();
  require(text.find_first_not_of(" \t\r\n", static_cast<std::size_t>(value.data() - text.data()) + value.size()) ==
          std::string_view::npos);
  return 0;
}

#include <algorithm>
#include <fairlead/json/scan.hpp>

#include "json/lexical.hpp"

namespace fairlead::json {

bool MemberIndex::Member::is_unescaped(std::string_view text, std::string_view name) const {
  return unescape(key.in(text)) == name;
}

const MemberIndex::Member* MemberIndex::find(std::string_view text, std::string_view name, std::uint32_t parent) const {
  const auto found = std::ranges::find_if(
      members, [&](const Member& member) { return member.parent == parent && member.is(text, name); });
  return found == members.end() ? nullptr : &*found;
}

}  // namespace fairlead::json

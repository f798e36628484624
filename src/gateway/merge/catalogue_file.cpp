#include "gateway/merge/catalogue_file.hpp"

#include <cerrno>
#include <cstring>
#include <fairlead/base/descriptor.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/json/reader.hpp>
#include <fairlead/json/scan.hpp>
#include <fairlead/json/writer.hpp>
#include <unistd.h>
#include <utility>

#include "gateway/config/own_file.hpp"

namespace fairlead::gateway {
namespace {

constexpr std::string_view file_format = "1";

void write_list(std::string& out, const MemberList& list) {
  out += '[';
  for (const auto& item : list.items) {
    if (out.back() != '[') out += ',';
    out += item.text;
  }
  out += ']';
}

void write_member(std::string& out, const SavedMember& member) {
  json::ObjectWriter object(out);
  object.text("name", member.name).text("fingerprint", member.fingerprint);
  object.raw("capabilities", json::encode(member.capabilities)).text("instructions", member.instructions);
  for (const auto kind : all_lists) {
    const auto& list = member.lists[std::to_underlying(kind)];
    if (list) write_list(object.plain_member(form_of(kind).member), *list);
  }
}

std::string text_member(std::string_view object, std::string_view member) {
  const auto text = json::member_of(object, member);
  return text.empty() ? std::string() : json::decode<std::string>(text).value_or("");
}

SavedMember read_member(std::string_view text) {
  SavedMember member{.name = text_member(text, "name"), .fingerprint = text_member(text, "fingerprint")};
  member.instructions = text_member(text, "instructions");
  auto can = json::decode<protocol::ServerCapabilities>(json::member_of(text, "capabilities"));
  if (can) member.capabilities = std::move(*can);
  for (const auto kind : all_lists) {
    const auto items = json::member_of(text, form_of(kind).member);
    if (items.empty()) continue;
    add_items(member.lists[std::to_underlying(kind)].emplace(), items, kind, ListLimits());
  }
  return member;
}

std::unexpected<Error> failed(std::string_view what, const std::filesystem::path& path) {
  return fail(ErrorKind::invalid, "cannot " + std::string(what) + " " + path.string() + ": " + std::strerror(errno));
}

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const auto written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

std::string to_json(const std::vector<SavedMember>& members) {
  std::string out;
  {
    json::ObjectWriter object(out);
    object.raw("format", file_format);
    auto& list = object.plain_member("members");
    list += '[';
    for (std::size_t i = 0; i < members.size(); ++i) {
      list += i == 0 ? "\n" : ",\n";
      write_member(list, members[i]);
    }
    list += ']';
  }
  return out;
}

Result<std::vector<SavedMember>> from_json(std::string_view text) {
  if (const auto wrong = json::scan(text)) return fail(ErrorKind::malformed, wrong.message());
  const auto list = json::member_of(text, "members");
  if (json::member_of(text, "format") != file_format || !list.starts_with('[')) {
    return fail(ErrorKind::malformed, "this is no catalogue that this version wrote");
  }
  std::vector<SavedMember> members;
  json::Reader reader(list);
  for (reader.open(); reader.more();) members.push_back(read_member(reader.skip()));
  return members;
}

Result<void> write_catalogue(const std::filesystem::path& path, const std::vector<SavedMember>& members) {
  std::string fresh = path.string() + ".XXXXXX";
  // mkstemp makes it 0600, and never follows a link that somebody laid out.
  Descriptor file(::mkstemp(fresh.data()));
  if (!file) return failed("write", path);
  if (!write_all(file.get(), to_json(members)) || ::rename(fresh.c_str(), path.c_str()) != 0) {
    auto error = failed("write", path);
    ::unlink(fresh.c_str());
    return error;
  }
  return {};
}

Result<std::vector<SavedMember>> read_catalogue(const std::filesystem::path& path) {
  const auto text = read_own_file(path);
  if (!text) return std::unexpected(text.error());
  return *text ? from_json(**text) : std::vector<SavedMember>();
}

}  // namespace fairlead::gateway

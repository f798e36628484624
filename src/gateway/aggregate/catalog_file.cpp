#include "gateway/aggregate/catalog_file.hpp"

#include <cerrno>
#include <cstring>
#include <fairlead/base/descriptor.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/json/reader.hpp>
#include <fairlead/json/scan.hpp>
#include <fairlead/json/writer.hpp>
#include <unistd.h>

#include "config/trusted_file.hpp"

namespace fairlead::gateway {
namespace {

constexpr std::string_view file_format = "1";

void write_list(std::string& out, const BackendList& list) {
  out += '[';
  for (const auto& item : list.items) {
    if (out.back() != '[') out += ',';
    out += item.text;
  }
  out += ']';
}

void write_backend(std::string& out, const SavedBackend& backend) {
  json::ObjectWriter object(out);
  object.text("name", backend.name).text("fingerprint", backend.fingerprint);
  object.raw("capabilities", json::encode(backend.capabilities)).text("instructions", backend.instructions);
  for (const auto kind : all_lists) {
    const auto& list = backend.lists[std::to_underlying(kind)];
    if (list) write_list(object.plain_member(list_info(kind).member), *list);
  }
}

std::string saved_text(std::string_view object, std::string_view member) {
  const auto text = json::member_of(object, member);
  return text.empty() ? std::string() : json::decode<std::string>(text).value_or("");
}

SavedBackend read_backend(std::string_view text) {
  SavedBackend backend{.name = saved_text(text, "name"), .fingerprint = saved_text(text, "fingerprint")};
  backend.instructions = saved_text(text, "instructions");
  auto can = json::decode<protocol::ServerCapabilities>(json::member_of(text, "capabilities"));
  if (can) backend.capabilities = std::move(*can);
  for (const auto kind : all_lists) {
    const auto items = json::member_of(text, list_info(kind).member);
    if (items.empty()) continue;
    add_items(backend.lists[std::to_underlying(kind)].emplace(), items, kind, ListLimits());
  }
  return backend;
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

std::string to_json(const std::vector<SavedBackend>& backends) {
  std::string out;
  {
    json::ObjectWriter object(out);
    object.raw("format", file_format);
    auto& list = object.plain_member("members");
    list += '[';
    for (std::size_t i = 0; i < backends.size(); ++i) {
      list += i == 0 ? "\n" : ",\n";
      write_backend(list, backends[i]);
    }
    list += ']';
  }
  return out;
}

Result<std::vector<SavedBackend>> from_json(std::string_view text) {
  if (const auto wrong = json::scan(text)) return fail(ErrorKind::malformed, wrong.message());
  const auto list = json::member_of(text, "members");
  if (json::member_of(text, "format") != file_format || !list.starts_with('[')) {
    return fail(ErrorKind::malformed, "not a list cache of this version; delete the file");
  }
  std::vector<SavedBackend> backends;
  json::Reader reader(list);
  for (reader.open(); reader.more();) backends.push_back(read_backend(reader.skip()));
  return backends;
}

Result<void> write_catalog(const std::filesystem::path& path, const std::vector<SavedBackend>& backends) {
  std::string fresh = path.string() + ".XXXXXX";
  // mkstemp creates the file with mode 0600 and does not follow symbolic links.
  Descriptor file(::mkstemp(fresh.data()));
  if (!file) return failed("write", path);
  if (!write_all(file.get(), to_json(backends)) || ::rename(fresh.c_str(), path.c_str()) != 0) {
    auto error = failed("write", path);
    ::unlink(fresh.c_str());
    return error;
  }
  return {};
}

Result<std::vector<SavedBackend>> read_catalog(const std::filesystem::path& path) {
  const auto text = config::read_trusted_file(path);
  if (!text) return std::unexpected(text.error());
  return *text ? from_json(**text) : std::vector<SavedBackend>();
}

}  // namespace fairlead::gateway

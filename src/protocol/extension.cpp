#include <fairlead/protocol/extension.hpp>

#include <algorithm>
#include <atomic>
#include <list>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>

namespace fairlead::protocol {
namespace {

using Table = std::vector<Extension>;

Table built_in() {
  Extension tasks;
  tasks.id = extension::tasks;
  tasks.lifecycle = Lifecycle::stateless;
  tasks.client_requests = {"tasks/get", "tasks/update", "tasks/cancel"};
  tasks.server_notifications = {"notifications/tasks"};
  tasks.mcp_names = {{"tasks/get", "taskId"}, {"tasks/update", "taskId"}, {"tasks/cancel", "taskId"}};

  Extension skills;
  skills.id = extension::skills;
  skills.client_requests = {"skills/list", "skills/get", "resources/directory/read"};
  skills.cacheable = {"skills/list", "skills/get"};

  Extension ui;
  ui.id = extension::ui;
  return {std::move(tasks), std::move(skills), std::move(ui)};
}

/// The tables that were ever published: a reader may still use an older one.
struct Tables {
  std::mutex mutex;
  std::list<Table> all{built_in()};
  std::atomic<const Table*> newest = &all.back();
};

Tables& tables() {
  static Tables all;
  return all;
}

bool is_identifier(std::string_view id) {
  const auto slash = id.find('/');
  return slash != 0 && slash != std::string_view::npos && slash + 1 < id.size();
}

}  // namespace

std::span<const Extension> extensions() {
  return *tables().newest.load(std::memory_order_acquire);
}

const Extension* find_extension(std::string_view id) {
  const auto all = extensions();
  const auto found = std::ranges::find(all, id, &Extension::id);
  return found == all.end() ? nullptr : &*found;
}

const Extension* extension_of_request(std::string_view method) {
  const auto all = extensions();
  const auto found =
      std::ranges::find_if(all, [&](const Extension& each) { return each.client_requests.contains(method); });
  return found == all.end() ? nullptr : &*found;
}

void register_extension(Extension added) {
  const std::string name(added.id);
  if (!is_identifier(name)) throw std::invalid_argument("extension '" + name + "': use the form vendor-prefix/name");
  auto& published = tables();
  const std::lock_guard lock(published.mutex);
  if (find_extension(name) != nullptr) throw std::invalid_argument("extension '" + name + "' is already registered");
  Table next = published.all.back();
  next.push_back(std::move(added));
  published.all.push_back(std::move(next));
  published.newest.store(&published.all.back(), std::memory_order_release);
}

bool may_exist(MethodSet MethodTable::* direction, const Revision& revision, std::string_view method) {
  const auto lists = [&](const MethodTable& table) { return (table.*direction).contains(method); };
  if (lists(revision)) return true;
  bool known = std::ranges::any_of(revisions(), lists);
  for (const auto& extension : extensions()) {
    if (!lists(extension)) continue;
    if (extension.exists_in(revision)) return true;
    known = true;
  }
  return !known;
}

bool is_known_request(std::string_view method) {
  const auto lists = [&](const MethodTable& table) { return table.client_requests.contains(method); };
  return std::ranges::any_of(revisions(), lists) || std::ranges::any_of(extensions(), lists);
}

bool is_cacheable(const Revision& revision, std::string_view method) {
  return revision.cacheable.contains(method) || std::ranges::any_of(extensions(), [&](const Extension& extension) {
           return extension.exists_in(revision) && extension.cacheable.contains(method);
         });
}

bool declares_extension(const std::optional<Settings>& extensions, std::string_view id) {
  return extensions && extensions->contains(std::string(id));
}

}  // namespace fairlead::protocol

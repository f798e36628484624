#include <fairlead/base/log.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/gateway/pin.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fmt/format.h>

#include "base/change_result.hpp"
#include "base/live_set.hpp"
#include "gateway/middleware/builtin_middleware.hpp"
#include "gateway/model/backend_lookup.hpp"
#include "gateway/model/call_label.hpp"
#include "gateway/model/list_items.hpp"
#include "gateway/model/request_target.hpp"
#include "gateway/model/server_uri.hpp"
#include "gateway/pin/pin_file.hpp"

namespace fairlead::gateway {
namespace {

constexpr std::array pinned_lists = {ListKind::tools, ListKind::prompts, ListKind::skills};

Task<void> notify_lists_changed(session::PeerHandle peer) {
  for (const auto kind : pinned_lists) {
    Notification notice{.method = std::string(list_info(kind).changed_method)};
    co_await peer->notify(notice);
  }
}

/// A tool, prompt or skill of a known server.
struct Pinned {
  std::string server;
  ListKind kind = ListKind::tools;
  std::string name;

  auto operator<=>(const Pinned&) const = default;
};

/// Its definition when it was last listed.
struct Listed {
  std::string sha256 = {};
  bool current = false;  ///< False after the server reported a list change.
};

std::string why_held(PinStatus status, const std::string& server) {
  const auto what = status == PinStatus::changed ? "its definition is not the approved one"
                    : status == PinStatus::gone  ? "its server does not list it"
                                                 : "it was not approved";
  return fmt::format("{}; see: fairlead pin diff {}", what, server);
}

class PinMiddleware final : public BidirectionalMiddleware {
 public:
  PinMiddleware(PinOptions options, EventLoop loop)
      : options_(std::move(options)),
        loop_(std::move(loop)),
        pin_file_(options_.file.empty() ? default_pins_file() : options_.file),
        check_timer_(loop_.timers, [this] { check_file(); }) {
    log_file_error();
  }

  Task<Result<Reply>> call(Call& call, Service& next) override {
    if (const auto list = list_kind_of(call.method); list && is_pinned(*list)) {
      return change_result(next.call(call), [this, kind = *list, &next](Result<Reply>& reply) {
        pin_file_.reload_if_changed();
        if (reply) reply->body = visible(std::move(reply->body), kind, next);
      });
    }
    auto target = target_of(call);
    if (!target || !applies_to(*target, next)) return next.call(call);
    if (target->kind != ListKind::resources) return call_if_approved(call, *std::move(target), next);
    return is_page(target->named.name) ? read_page(call, target->named.name, next)
                                       : read_if_approved(call, target->named.name, next);
  }

  // Definitions seen before a list change are outdated.
  bool on_server_notification(Notification& notice) override {
    for (const auto kind : pinned_lists) {
      if (notice.method != list_info(kind).changed_method) continue;
      for (auto& [pinned, listed] : seen_) listed.current = listed.current && pinned.kind != kind;
    }
    return true;
  }

  std::unique_ptr<session::SessionHook> on_session_open(session::SessionRef session, Service& next) override {
    auto hook = std::make_unique<PinSessionHook>(*this, session.peer, session.tasks);
    hook->rest = next.on_session_open(std::move(session));
    return hook;
  }

  std::optional<Explanation> explain(Call& call, Service& next) const override {
    using enum Explanation::Effect;
    const auto target = target_of(call);
    if (!target || !is_pinned(target->kind)) return Explanation{.summary = "checks tools, prompts and skills only"};
    if (!pin_file_.pins()) return Explanation{refuses, pin_file_.pins().error().message};
    const auto server = backend_name_of(next, target->kind, target->named.name).value_or("");
    if (!pin_file_.pins()->contains(server)) {
      return Explanation{.summary = fmt::format("{} has no approved definitions, so all of its tools pass", server)};
    }
    auto list = on_behalf_of(call, list_info(target->kind).method);
    const auto items = next.call(list).take();
    if (!items) return Explanation{unknown, "compares its definition with the approved one"};
    auto status = PinStatus::gone;
    for_each_item(items->body, target->kind, [&](std::string_view item, const std::string& key) {
      if (key == target->named.name) status = pin_status_of(server, target->kind, key, item);
    });
    if (status == PinStatus::approved) return Explanation{.summary = "its definition is the approved one"};
    if (!is_held(status)) return Explanation{.summary = "it was not approved, but new tools are allowed"};
    return Explanation{refuses, why_held(status, server)};
  }

 private:
  struct PinSessionHook final : session::SessionHook, private NonCopyable {
    PinSessionHook(PinMiddleware& by, session::PeerHandle client, TaskScope& scope)
        : all(by), peer(std::move(client)), tasks(scope) {
      all.session_hooks_.insert(this);
      if (!all.check_timer_.armed()) all.wait();
    }
    ~PinSessionHook() override { all.session_hooks_.erase(this); }

    PinMiddleware& all;
    session::PeerHandle peer;
    TaskScope& tasks;
    std::unique_ptr<SessionHook> rest;
  };

  // Bounds the memory for definitions.
  static constexpr std::size_t max_definitions = 50'000;

  void wait() { check_timer_.arm(Deadline::in(options_.check_interval, loop_.timers.clock())); }

  void check_file() {
    if (pin_file_.reload_if_changed()) {
      log_file_error();
      session_hooks_.for_each([](PinSessionHook& each) { each.tasks.spawn(notify_lists_changed(each.peer)); });
    }
    if (!session_hooks_.empty()) wait();
  }

  void log_file_error() const {
    if (pin_file_.pins()) return;
    log(loop_.log, LogLevel::error, "pin",
        [&] { return "all tools, prompts, skills and pages are blocked: " + pin_file_.pins().error().message; });
  }

  bool applies_to(const RequestTarget& target, const Service& next) const {
    const bool is_resource = target.kind == ListKind::resources && names_its_server(target.named.name);
    if (!is_pinned(target.kind) && !is_resource) return false;
    if (!pin_file_.pins()) return true;
    if (pin_file_.pins()->empty()) return false;
    const auto server = backend_name_of(next, target.kind, target.named.name);
    return !server || pin_file_.pins()->contains(*server);
  }

  PinStatus pin_status_of(const std::string& server, ListKind kind, std::string_view name,
                          std::string_view item) const {
    return gateway::pin_status_of(*pin_file_.pins(), server, kind, name, pin_of(item).sha256);
  }

  bool is_held(PinStatus status) const {
    if (status == PinStatus::added) return !options_.allow_new;
    return status != PinStatus::approved && status != PinStatus::unpinned;
  }

  json::Payload visible(json::Payload result, ListKind kind, const Service& next) {
    if (pin_file_.pins() && pin_file_.pins()->empty()) return result;
    return with_items(std::move(result), kind, [&](std::string_view item, const std::optional<std::string>& key) {
      return key && may_be_seen(item, {backend_name_of(next, kind, *key).value_or(""), kind, *key}) ? std::string(item)
                                                                                                    : std::string();
    });
  }

  bool may_be_seen(std::string_view item, const Pinned& pinned) {
    if (!pin_file_.pins()) return false;
    if (!pin_file_.pins()->contains(pinned.server)) return true;
    const auto sha256 = pin_of(item).sha256;
    if (seen_.size() >= max_definitions) seen_.clear();
    const auto before = std::exchange(seen_[pinned], Listed{.sha256 = sha256, .current = true});
    const auto status = gateway::pin_status_of(*pin_file_.pins(), pinned.server, pinned.kind, pinned.name, sha256);
    const bool held = is_held(status);
    if (held && before.sha256 != sha256) warn(pinned, status);
    return !held;
  }

  void warn(const Pinned& pinned, PinStatus status) const {
    log(loop_.log, LogLevel::warning, "pin", [&] {
      return fmt::format("the {} '{}' of {} is blocked: {}", pinned_kind_name(pinned.kind), pinned.name, pinned.server,
                         why_held(status, pinned.server));
    });
  }

  Task<Result<Reply>> call_if_approved(Call& call, RequestTarget target, Service& next) {
    auto verdict = hold_reason(target, next);
    if (verdict) {
      // Not listed recently, or not approved when last checked: list again and reload the file.
      pin_file_.reload_if_changed();
      const std::function look = [&](const json::Payload& page) { visible(page, target.kind, next); };
      auto list_result = co_await for_each_page(call, target.kind, next, look);
      if (!list_result) co_return std::unexpected(std::move(list_result.error()));
      verdict = hold_reason(target, next);
    }
    if (!verdict) co_return co_await next.call(call);
    co_return refuse(fmt::format("{} is blocked: {}", call_label(call), *verdict));
  }

  static bool is_page(std::string_view uri) { return uri.starts_with("ui://"); }

  /// Reads a page and compares it with the approved one.
  Task<Result<Reply>> read_page(Call& call, std::string uri, Service& next) {
    auto reply = co_await next.call(call);
    if (!reply || call.method != protocol::ReadResource::method) co_return reply;
    pin_file_.reload_if_changed();
    if (!pin_file_.pins()) co_return refuse(pin_file_.pins().error().message);
    const auto server = backend_name_of(next, ListKind::resources, uri).value_or("");
    const auto page = page_definition(json::member_of(reply->body, "contents"));
    const auto status = pin_status_of(server, ListKind::resources, uri, page);
    if (!is_held(status)) co_return reply;
    warn({server, ListKind::resources, uri}, status);
    co_return refuse(fmt::format("{} is blocked: {}", call_label(call), why_held(status, server)));
  }

  /// Reads a file of a skill only if the skill is approved.
  Task<Result<Reply>> read_if_approved(Call& call, std::string uri, Service& next) {
    const auto list_again = [&] { return skill_with(uri).empty() || hold_reason(target_skill(uri), next); };
    if (list_again()) {
      pin_file_.reload_if_changed();
      const std::function look = [&](const json::Payload& page) { visible(page, ListKind::skills, next); };
      auto listed = co_await for_each_page(call, ListKind::skills, next, look);
      if (!listed) co_return std::unexpected(std::move(listed.error()));
    }
    const auto verdict = skill_with(uri).empty() ? std::nullopt : hold_reason(target_skill(uri), next);
    if (!verdict) co_return co_await next.call(call);
    co_return refuse(fmt::format("{} is blocked: the skill '{}': {}", call_label(call), skill_with(uri), *verdict));
  }

  RequestTarget target_skill(std::string_view file) const {
    return {.kind = ListKind::skills, .named = {.name = skill_with(file), .span = {}}};
  }

  /// The innermost listed skill whose directory has the file; empty for none.
  std::string skill_with(std::string_view file) const {
    std::string best;
    for (const auto& [pinned, listed] : seen_) {
      if (pinned.kind != ListKind::skills || pinned.name.size() <= best.size()) continue;
      const auto directory = std::string_view(pinned.name).substr(0, pinned.name.rfind('/') + 1);
      // The directory itself is read without a slash.
      if (file.starts_with(directory) || std::string(file) + '/' == directory) best = pinned.name;
    }
    return best;
  }

  /// Why a target is refused, if it is.
  std::optional<std::string> hold_reason(const RequestTarget& target, const Service& next) const {
    if (!pin_file_.pins()) return pin_file_.pins().error().message;
    const auto server = backend_name_of(next, target.kind, target.named.name);
    if (!server) return "its server is unknown";
    if (!pin_file_.pins()->contains(*server)) return std::nullopt;
    const auto seen = seen_.find({*server, target.kind, target.named.name});
    const bool is_listed = seen != seen_.end() && seen->second.current;
    const auto status = is_listed ? gateway::pin_status_of(*pin_file_.pins(), *server, target.kind, target.named.name,
                                                           seen->second.sha256)
                                  : PinStatus::gone;
    return is_held(status) ? std::optional(why_held(status, *server)) : std::nullopt;
  }

  PinOptions options_;
  EventLoop loop_;
  PinFile pin_file_;
  Timer check_timer_;
  LiveSet<PinSessionHook> session_hooks_;
  std::map<Pinned, Listed> seen_;
};

}  // namespace

std::unique_ptr<Middleware> pin(PinOptions options, EventLoop loop) {
  return std::make_unique<PinMiddleware>(std::move(options), std::move(loop));
}

Registry::Entry pin_entry() {
  return {.usage = "pin(pins.json, new=hold)",
          .summary = "Blocks tools and prompts whose definitions differ from those approved by `fairlead pin`.",
          .make = [](MiddlewareArguments& arguments, EventLoop loop) -> Result<std::unique_ptr<Middleware>> {
            PinOptions options;
            options.file = arguments.text("file").value_or("");
            if (options.file.empty() && default_pins_file().empty()) {
              arguments.report_error("file", std::string(no_pins_file_error));
            }
            const auto fresh = arguments.text("new").value_or("hold");
            if (fresh != "hold" && fresh != "allow") arguments.report_error("new", "expected hold or allow");
            options.allow_new = fresh == "allow";
            return pin(std::move(options), std::move(loop));
          }};
}

}  // namespace fairlead::gateway

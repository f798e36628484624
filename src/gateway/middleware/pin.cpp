#include <fairlead/gateway/pin.hpp>

#include <fairlead/base/log.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fmt/format.h>
#include <utility>

#include "base/live_set.hpp"
#include "gateway/asked_for.hpp"
#include "gateway/middleware/entries.hpp"
#include "gateway/middleware/items.hpp"
#include "gateway/middleware/subject.hpp"
#include "gateway/origins.hpp"
#include "gateway/pin/pin_book.hpp"

namespace fairlead::gateway {
namespace {

using session::Call;
using session::Notice;
using session::Reply;
using session::Service;

constexpr std::array pinned_lists = {ListKind::tools, ListKind::prompts};

Task<void> tell_of_lists(session::PeerHandle peer) {
  for (const auto kind : pinned_lists) {
    Notice notice{.method = std::string(form_of(kind).notice)};
    co_await peer->notify(notice);
  }
}

/// A tool or prompt whose server is known.
struct Pinned {
  std::string server;
  ListKind kind = ListKind::tools;
  std::string name;

  auto operator<=>(const Pinned&) const = default;
};

/// What it was when it was last listed.
struct Listed {
  std::string sha256 = {};
  bool current = false;  ///< Its server has not said since that the list has changed.
};

std::string why_held(Standing standing, const std::string& server) {
  const auto what = standing == Standing::changed ? "it is not what was approved"
                    : standing == Standing::gone  ? "its server does not list it"
                                                  : "nobody has approved it";
  return fmt::format("{}; see: fairlead pin diff {}", what, server);
}

class Pinning final : public TwoWayMiddleware {
 public:
  Pinning(PinOptions options, Loop loop)
      : options_(std::move(options)),
        loop_(std::move(loop)),
        book_(options_.file.empty() ? default_pins_file() : options_.file),
        again_(loop_.timers, [this] { look_again(); }) {
    complain_of_file();
  }

  Task<Result<Reply>> call(Call& call, Service& next) override {
    if (const auto list = list_asked_by(call.method); list && is_pinned(*list)) return listed(call, *list, next);
    auto subject = subject_of(call);
    return subject && is_concerned(*subject, next) ? used(call, *std::move(subject), next) : next.call(call);
  }

  std::optional<Result<Reply>> answer_now(Call& call, Service& next) override {
    const auto subject = subject_of(call);
    if (subject && is_concerned(*subject, next)) return std::nullopt;
    auto answer = next.answer_now(call);
    const auto list = list_asked_by(call.method);
    if (list && is_pinned(*list) && answer && *answer) {
      book_.look_again();
      (*answer)->body = visible(std::move((*answer)->body), *list, next);
    }
    return answer;
  }

  // What the server says of itself from now on is not what was seen.
  bool tell_back(Notice& notice) override {
    for (const auto kind : pinned_lists) {
      if (notice.method != form_of(kind).notice) continue;
      for (auto& [pinned, listed] : seen_) listed.current = listed.current && pinned.kind != kind;
    }
    return true;
  }

  std::unique_ptr<session::Attendance> attend(session::Conversation conversation, Service& next) override {
    auto attending = std::make_unique<Attending>(*this, conversation.peer, conversation.tasks);
    attending->rest = next.attend(std::move(conversation));
    return attending;
  }

  std::optional<Explanation> explain(Call& call, Service& next) const override {
    using enum Explanation::Effect;
    const auto subject = subject_of(call);
    if (!subject || !is_pinned(subject->kind)) return Explanation{.says = "looks at tools and prompts only"};
    if (!book_.pins()) return Explanation{refuses, book_.pins().error().message};
    const auto server = origin_of(next, subject->kind, subject->named.name).value_or("");
    if (!book_.pins()->contains(server)) {
      return Explanation{.says = fmt::format("nothing of {} was approved, and all of it passes", server)};
    }
    auto list = on_behalf_of(call, form_of(subject->kind).method);
    const auto items = next.answer_now(list);
    if (!items || !*items) return Explanation{unknown, "compares it with what was approved"};
    auto standing = Standing::gone;
    for_each_item((*items)->body, subject->kind, [&](std::string_view item, const std::string& key) {
      if (key == subject->named.name) standing = standing_of(server, subject->kind, key, item);
    });
    if (standing == Standing::approved) return Explanation{.says = "it is as it was approved"};
    if (!is_held(standing)) return Explanation{.says = "nobody has approved it, but new ones pass"};
    return Explanation{refuses, why_held(standing, server)};
  }

 private:
  struct Attending final : session::Attendance {
    Attending(Pinning& by, session::PeerHandle client, TaskScope& scope)
        : all(by), peer(std::move(client)), tasks(scope) {
      all.attending_.insert(this);
      if (!all.again_.armed()) all.wait();
    }
    Attending(const Attending&) = delete;
    Attending& operator=(const Attending&) = delete;
    ~Attending() override { all.attending_.erase(this); }

    Pinning& all;
    session::PeerHandle peer;
    TaskScope& tasks;
    std::unique_ptr<Attendance> rest;
  };

  // What servers invent must not fill the memory.
  static constexpr std::size_t most_seen = 50'000;

  void wait() { again_.arm(Deadline::in(options_.look_again, loop_.timers.clock())); }

  void look_again() {
    if (book_.look_again()) {
      complain_of_file();
      attending_.for_each([](Attending& each) { each.tasks.spawn(tell_of_lists(each.peer)); });
    }
    if (!attending_.empty()) wait();
  }

  void complain_of_file() const {
    if (book_.pins()) return;
    log(loop_.log, LogLevel::error, "pin", [&] { return "everything is held back: " + book_.pins().error().message; });
  }

  bool is_concerned(const Subject& subject, const Service& next) const {
    if (!is_pinned(subject.kind)) return false;
    if (!book_.pins()) return true;
    if (book_.pins()->empty()) return false;
    const auto server = origin_of(next, subject.kind, subject.named.name);
    return !server || book_.pins()->contains(*server);
  }

  Standing standing_of(const std::string& server, ListKind kind, std::string_view name, std::string_view item) const {
    return gateway::standing_of(*book_.pins(), server, kind, name, pin_of(item).sha256);
  }

  bool is_held(Standing standing) const {
    if (standing == Standing::fresh) return !options_.allow_new;
    return standing != Standing::approved && standing != Standing::unpinned;
  }

  Task<Result<Reply>> listed(Call& call, ListKind kind, Service& next) {
    auto reply = co_await next.call(call);
    book_.look_again();
    if (reply) reply->body = visible(std::move(reply->body), kind, next);
    co_return reply;
  }

  json::Payload visible(json::Payload result, ListKind kind, const Service& next) {
    if (book_.pins() && book_.pins()->empty()) return result;
    return with_items(std::move(result), kind, [&](std::string_view item, const std::optional<std::string>& key) {
      return key && may_be_seen(item, {origin_of(next, kind, *key).value_or(""), kind, *key}) ? std::string(item)
                                                                                              : std::string();
    });
  }

  bool may_be_seen(std::string_view item, const Pinned& pinned) {
    if (!book_.pins()) return false;
    if (!book_.pins()->contains(pinned.server)) return true;
    const auto sha256 = pin_of(item).sha256;
    if (seen_.size() >= most_seen) seen_.clear();
    const auto before = std::exchange(seen_[pinned], Listed{.sha256 = sha256, .current = true});
    const auto standing = gateway::standing_of(*book_.pins(), pinned.server, pinned.kind, pinned.name, sha256);
    const bool held = is_held(standing);
    if (held && before.sha256 != sha256) warn(pinned, standing);
    return !held;
  }

  void warn(const Pinned& pinned, Standing standing) const {
    log(loop_.log, LogLevel::warning, "pin", [&] {
      return fmt::format("{} '{}' of {} is held back: {}", pinned.kind == ListKind::tools ? "the tool" : "the prompt",
                         pinned.name, pinned.server, why_held(standing, pinned.server));
    });
  }

  Task<Result<Reply>> used(Call& call, Subject subject, Service& next) {
    auto verdict = judge(subject, next);
    if (verdict) {
      // Seen too long ago, or held back until somebody has approved it: the list and the file tell.
      book_.look_again();
      const std::function look = [&](const json::Payload& page) { visible(page, subject.kind, next); };
      auto asked = co_await for_each_page(call, subject.kind, next, look);
      if (!asked) co_return std::unexpected(std::move(asked.error()));
      verdict = judge(subject, next);
    }
    if (!verdict) co_return co_await next.call(call);
    co_return refuse(fmt::format("{} is held back: {}", asked_for(call), *verdict));
  }

  /// Why something is held back, if it is.
  std::optional<std::string> judge(const Subject& subject, const Service& next) const {
    if (!book_.pins()) return book_.pins().error().message;
    const auto server = origin_of(next, subject.kind, subject.named.name);
    if (!server) return "no server is known to have it";
    if (!book_.pins()->contains(*server)) return std::nullopt;
    const auto seen = seen_.find({*server, subject.kind, subject.named.name});
    const bool is_listed = seen != seen_.end() && seen->second.current;
    const auto standing =
        is_listed ? gateway::standing_of(*book_.pins(), *server, subject.kind, subject.named.name, seen->second.sha256)
                  : Standing::gone;
    return is_held(standing) ? std::optional(why_held(standing, *server)) : std::nullopt;
  }

  PinOptions options_;
  Loop loop_;
  PinBook book_;
  Timer again_;
  LiveSet<Attending> attending_;
  std::map<Pinned, Listed> seen_;
};

}  // namespace

std::unique_ptr<Middleware> pin(PinOptions options, Loop loop) {
  return std::make_unique<Pinning>(std::move(options), std::move(loop));
}

Registry::Entry pin_entry() {
  return {.usage = "pin(pins.json, new=hold)",
          .summary = "Holds back tools and prompts that are not as they were approved by `fairlead pin`.",
          .make = [](Arguments& arguments, Loop loop) -> Result<std::unique_ptr<Middleware>> {
            PinOptions options;
            options.file = arguments.text("file").value_or("");
            if (options.file.empty() && default_pins_file().empty()) {
              arguments.wrong("file", std::string(no_place_for_pins));
            }
            const auto fresh = arguments.text("new").value_or("hold");
            if (fresh != "hold" && fresh != "allow") arguments.wrong("new", "is neither hold nor allow");
            options.allow_new = fresh == "allow";
            return pin(std::move(options), std::move(loop));
          }};
}

}  // namespace fairlead::gateway

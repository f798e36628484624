#include "gateway/control/tap_point.hpp"

#include <chrono>
#include <fairlead/gateway/chain.hpp>
#include <map>
#include <utility>

#include "gateway/middleware/subject.hpp"
#include "gateway/origins.hpp"
#include "gateway/record/recorder.hpp"
#include "gateway/wall_time.hpp"

namespace fairlead::gateway {
namespace {

/// What all lines of a call have in common, and those of a question.
struct TapCourse {
  TapLine line = {};
  std::int64_t begun_us = 0;
};

/// Who speaks in a conversation.
struct TapSpeaker {
  std::optional<std::string> caller = {}, client = {}, revision = {};
};

/// Makes lines for the tap of those that recordings are made of.
class TapTaker final : public LineTaker {
 public:
  TapTaker(std::shared_ptr<Tap> tap, const session::Service& origins, std::string room)
      : tap_(std::move(tap)), origins_(origins), room_(std::move(room)) {}

  bool wanted() const override { return tap_->listened(); }

  void take(RecordLine heard, bool is_metadata) override {
    learn_speaker(heard);
    auto line = line_of(heard);
    if (wanted()) tap_->tell(line, is_metadata);
    if (heard.kind == LineKind::close) forget(heard.conversation);
  }

  void forget(std::uint64_t conversation) override { speakers_.erase(conversation); }

 private:
  void learn_speaker(const RecordLine& heard) {
    if (!heard.principal && !heard.caller && !heard.revision) return;
    auto& speaker = speakers_[heard.conversation];
    if (heard.principal) speaker.caller = heard.principal;
    if (heard.revision) speaker.revision = heard.revision;
    if (heard.caller && heard.caller->info) speaker.client = heard.caller->info->name;
  }

  TapLine line_of(RecordLine& heard) {
    TapLine line{.time = utc_text_in_milliseconds(std::chrono::system_clock::now()), .room = room_};
    line.conversation = heard.conversation;
    line.from = heard.from;
    line.kind = heard.kind;
    line.call = heard.call;
    line.ask = heard.ask;
    if (const auto speaker = speakers_.find(heard.conversation); speaker != speakers_.end()) {
      line.caller = speaker->second.caller;
      line.client = speaker->second.client;
      line.revision = speaker->second.revision;
    }
    line.method = heard.method;
    line.id = heard.id;
    line.bytes = size_of_body(heard);
    put_course(line, heard);
    line.params = std::move(heard.params);
    line.result = std::move(heard.result);
    line.type = std::move(heard.type);
    line.error = std::move(heard.error);
    return line;
  }

  void put_course(TapLine& line, const RecordLine& heard) {
    if (heard.kind == LineKind::call) {
      put_subject(line, heard);
      calls_[*heard.call] = {line, heard.us};
      return;
    }
    if (const auto call = heard.call ? calls_.find(*heard.call) : calls_.end(); call != calls_.end()) {
      line.tool = call->second.line.tool;
      line.prompt = call->second.line.prompt;
      line.resource = call->second.line.resource;
      line.server = call->second.line.server;
    }
    if (heard.kind == LineKind::ask) asks_[*heard.ask] = {line, heard.us};
    if (heard.kind == LineKind::reply) put_end(line, heard, calls_, *heard.call);
    if (heard.kind == LineKind::answer) put_end(line, heard, asks_, *heard.ask);
  }

  void put_subject(TapLine& line, const RecordLine& heard) const {
    const session::Call call{.method = heard.method.value_or(""), .params = heard.params.value_or(json::Payload())};
    const auto subject = subject_of(call);
    if (!subject) return;
    auto& place = subject->kind == ListKind::tools     ? line.tool
                  : subject->kind == ListKind::prompts ? line.prompt
                                                       : line.resource;
    place = subject->named.name;
    line.server = origin_of(origins_, subject->kind, subject->named.name);
  }

  static void put_end(TapLine& line, const RecordLine& heard, std::map<std::uint64_t, TapCourse>& under_way,
                      std::uint64_t number) {
    line.status = status_word(outcome_of(heard));
    const auto begun = under_way.extract(number);
    if (!begun) return;
    line.method = begun.mapped().line.method;
    line.id = begun.mapped().line.id;
    line.ms = static_cast<double>(heard.us - begun.mapped().begun_us) / 1000;
  }

  std::shared_ptr<Tap> tap_;
  const session::Service& origins_;
  std::string room_;
  std::map<std::uint64_t, TapSpeaker> speakers_;
  std::map<std::uint64_t, TapCourse> calls_, asks_;
};

}  // namespace

TapPoint::TapPoint(session::Service& next, const session::Service& origins, std::shared_ptr<Tap> tap, std::string room)
    : next_(next), tap_(std::move(tap)) {
  auto taker = std::make_shared<TapTaker>(tap_, origins, room);
  std::shared_ptr<Middleware> ear = recorder(std::make_shared<Tape>(std::move(taker), std::move(room), tap_->loop()));
  heard_ = chain().then(std::move(ear)).then(next_);
}

}  // namespace fairlead::gateway

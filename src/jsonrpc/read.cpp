#include <fairlead/jsonrpc/read.hpp>

#include <array>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/reader.hpp>
#include <fairlead/json/writer.hpp>
#include <utility>

#include "jsonrpc/recover_id.hpp"

namespace fairlead::jsonrpc {
namespace {

using json::Outline;
using json::Span;

/// The members of an error object on the wire. `ErrorObject::cause` is not one of them: a peer cannot set it.
struct ReceivedError {
  static constexpr bool initialisers_are_defaults = false;
  std::int64_t code = 0;
  std::string message;
  std::optional<json::Payload> data = {};
};

constexpr std::array<std::string_view, 4> outlined = {"params", "result", "error", "_meta"};

std::unexpected<Unread> unread(std::optional<Id> id, std::int64_t code, std::string message, std::string_view why,
                               std::optional<Id> answers = {}) {
  Unread what;
  what.id = std::move(id);
  what.error = {.code = code, .message = std::move(message), .data = json::to_payload(std::string(why))};
  what.answers = std::move(answers);
  return std::unexpected(std::move(what));
}

std::unexpected<Unread> invalid(std::optional<Id> id, std::string_view why, std::optional<Id> answers = {}) {
  return unread(std::move(id), code::invalid_request, "Invalid Request", why, std::move(answers));
}

std::unexpected<Unread> refusal(std::string_view text, const json::ScanError& error) {
  const bool is_json = error.fault == json::ScanFault::too_deep || error.fault == json::ScanFault::duplicate_key;
  auto answers = recover_answered_id(text);
  if (is_json) return invalid(recover_id(text), error.message(), std::move(answers));
  return unread(std::nullopt, code::parse_error, "Parse error", error.message(), std::move(answers));
}

/// One message that is no batch, or what its sender is told. Made where it will be, because a message is large.
using One = std::expected<Incoming, Unread>;

template <class Kind, class... Parts>
One made(Parts&&... parts) {
  return One(std::in_place, std::in_place_type<Message>, std::in_place_type<Kind>, std::forward<Parts>(parts)...);
}

/// One object's envelope, found by the scan, on its way to becoming a message.
class Envelope {
 public:
  Envelope(std::string text, const Outline& outline) : text_(std::move(text)), outline_(outline) {
    for (const auto& found : outline.members) {
      if (found.parent == Outline::root) sort_in(found);
    }
  }

  One take() {
    const std::string_view id = json_of(id_);
    if (!id.empty() && id != "null") take_id(id);
    if (json_of(jsonrpc_) != R"("2.0")") return refuse(R"("jsonrpc" must be "2.0")");
    if (!id.empty() && id != "null" && !read_id_) return refuse(R"("id" must be a string or a number)");
    if ((method_ != nullptr) + (result_ != nullptr) + (error_ != nullptr) != 1) {
      return refuse(R"(exactly one of "method", "result" and "error" must be there)");
    }
    if (method_) return take_call();
    return result_ ? take_result() : take_error();
  }

 private:
  using Member = Outline::Member;
  using Place = const Member* Envelope::*;

  void sort_in(const Member& found) {
    static constexpr std::pair<std::string_view, Place> defined[] = {
        {"jsonrpc", &Envelope::jsonrpc_}, {"id", &Envelope::id_},         {"method", &Envelope::method_},
        {"params", &Envelope::params_},   {"result", &Envelope::result_}, {"error", &Envelope::error_}};
    for (const auto& [name, place] : defined) {
      if (found.is(text_, name)) {
        this->*place = &found;
        return;
      }
    }
    ((extra_ += ",\"") += found.key.in(text_)) += "\":";
    extra_ += found.value.in(text_);
  }

  std::string_view json_of(const Member* member) const { return member ? member->value.in(text_) : std::string_view(); }

  void take_id(std::string_view token) {
    if (json::Reader(token).kind() == json::Kind::number) {
      read_id_ = Id::from_number(token);
      return;
    }
    if (auto id = json::decode<Id>(token)) read_id_ = std::move(*id);
  }

  std::unexpected<Unread> refuse(std::string_view why) const {
    const bool answers = method_ == nullptr && (result_ != nullptr || error_ != nullptr);
    return invalid(read_id_, why, answers ? read_id_ : std::nullopt);
  }

  One take_call() {
    auto method = json::decode<std::string>(json_of(method_));
    if (!method) return refuse(R"("method" must be a string)");
    if (json_of(id_) == "null") return refuse(R"("id" must not be null)");
    if (json_of(params_) == "null") params_ = nullptr;
    if (params_ && text_[params_->value.begin] != '{' && text_[params_->value.begin] != '[') {
      return refuse(R"("params" must be an object or an array)");
    }
    const Landmarks landmarks = params_ ? find_landmarks() : Landmarks{};
    auto params = params_ ? json::Payload::slice(std::move(text_), params_->value, params_->names) : json::Payload();
    if (!read_id_) return made<Notification>(std::move(*method), std::move(params), landmarks, std::move(extra_));
    return made<Request>(std::move(*read_id_), std::move(*method), std::move(params), landmarks, std::move(extra_));
  }

  Landmarks find_landmarks() const {
    const auto parent = outline_.index_of(*params_);
    const auto place = [&](std::string_view name) {
      const auto* found = outline_.find(text_, name, parent);
      return found ? Span{found->value.begin - params_->value.begin, found->value.size} : Span{};
    };
    return {.name = place("name"), .uri = place("uri"), .meta = place("_meta")};
  }

  One take_result() {
    if (!read_id_) return refuse(R"(a result must have an "id")");
    auto result = json::Payload::slice(std::move(text_), result_->value, result_->names);
    return made<Response>(std::move(*read_id_), std::move(result), std::move(extra_));
  }

  One take_error() {
    if (text_[error_->value.begin] != '{') return refuse(R"("error" must be an object)");
    auto read = json::decode<ReceivedError>(json_of(error_));
    if (!read) return refuse("error." + read.error().message);
    ErrorObject error{.code = read->code, .message = std::move(read->message), .data = std::move(read->data)};
    return made<ErrorResponse>(std::move(read_id_), std::move(error), std::move(extra_));
  }

  std::string text_;
  const Outline& outline_;
  const Member *jsonrpc_ = nullptr, *id_ = nullptr, *method_ = nullptr;
  const Member *params_ = nullptr, *result_ = nullptr, *error_ = nullptr;
  std::optional<Id> read_id_;
  std::string extra_;
};

One read_one(std::string text, const ReadLimits& limits) {
  // Scratch of this thread: an outline keeps its memory from message to message.
  thread_local Outline outline;
  if (const auto error = json::scan(text, {.max_depth = limits.max_depth, .outline = outlined}, &outline)) {
    return refusal(text, error);
  }
  if (json::Reader(text).kind() != json::Kind::object) return invalid(std::nullopt, "a message is an object");
  return Envelope(std::move(text), outline).take();
}

std::expected<Incoming, Unread> read_batch(const std::string& text, const ReadLimits& limits) {
  if (const auto error = json::scan(text, {.max_depth = limits.max_depth + 1})) return refusal(text, error);
  Batch batch;
  json::Reader reader(text);
  reader.open();
  while (reader.more()) {
    if (batch.entries.size() == limits.max_batch) {
      return invalid(std::nullopt, "a batch holds at most " + std::to_string(limits.max_batch) + " messages");
    }
    auto one = read_one(std::string(reader.skip()), limits);
    if (one) {
      batch.entries.emplace_back(std::get<Message>(std::move(*one)));
    } else {
      batch.entries.emplace_back(std::unexpected(std::move(one.error())));
    }
  }
  if (batch.entries.empty()) return invalid(std::nullopt, "a batch holds at least one message");
  return batch;
}

}  // namespace

std::expected<Incoming, Unread> read(std::string text, const ReadLimits& limits) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first != std::string::npos && text[first] == '[') return read_batch(text, limits);
  return read_one(std::move(text), limits);
}

}  // namespace fairlead::jsonrpc

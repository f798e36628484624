#include <fairlead/jsonrpc/read.hpp>

#include <array>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/reader.hpp>
#include <fairlead/json/writer.hpp>
#include <utility>

#include "jsonrpc/recover_id.hpp"

namespace fairlead::jsonrpc {
namespace {

using json::MemberIndex;
using json::Span;

/// The members of an error object on the wire. Without `ErrorObject::cause`, which a peer cannot set.
struct ReceivedError {
  static constexpr bool initialisers_are_defaults = false;
  std::int64_t code = 0;
  std::string message;
  std::optional<json::Payload> data = {};
};

constexpr std::array<std::string_view, 4> indexed = {"params", "result", "error", "_meta"};

std::unexpected<ReadError> unread(std::optional<Id> id, std::int64_t code, std::string message, std::string_view why,
                                  std::optional<Id> answered_id = {}) {
  ReadError what;
  what.id = std::move(id);
  what.error = {.code = code, .message = std::move(message), .data = json::to_payload(std::string(why))};
  what.answered_id = std::move(answered_id);
  return std::unexpected(std::move(what));
}

std::unexpected<ReadError> invalid(std::optional<Id> id, std::string_view why, std::optional<Id> answered_id = {}) {
  return unread(std::move(id), code::invalid_request, "Invalid Request", why, std::move(answered_id));
}

std::unexpected<ReadError> refusal(std::string_view text, const json::ScanError& error) {
  const bool is_json = error.code == json::ScanErrorCode::too_deep || error.code == json::ScanErrorCode::duplicate_key;
  auto answered_id = recover_response_id(text);
  if (is_json) return invalid(recover_id(text), error.message(), std::move(answered_id));
  return unread(std::nullopt, code::parse_error, "Parse error", error.message(), std::move(answered_id));
}

/// A single message, or the error for its sender. Constructed in place, because a message is large.
using One = std::expected<Incoming, ReadError>;

template <class Kind, class... Parts>
One made(Parts&&... parts) {
  return One(std::in_place, std::in_place_type<Message>, std::in_place_type<Kind>, std::forward<Parts>(parts)...);
}

/// Builds a message from the members of its outermost object, found by the scan.
class EnvelopeReader {
 public:
  EnvelopeReader(std::string text, const MemberIndex& index) : text_(std::move(text)) {
    for (const auto& found : index.members) {
      if (found.parent == MemberIndex::root) {
        assign_member(found);
      } else if (params_ && found.parent == index.index_of(*params_)) {
        assign_param(found);
      }
    }
  }

  One take() {
    const std::string_view id = json_of(id_);
    if (!id.empty() && id != "null") parse_id(id);
    if (json_of(jsonrpc_) != R"("2.0")") return refuse(R"("jsonrpc" must be "2.0")");
    if (!id.empty() && id != "null" && !read_id_) return refuse(R"("id" must be a string or a number)");
    if ((method_ != nullptr) + (result_ != nullptr) + (error_ != nullptr) != 1) {
      return refuse(R"(exactly one of "method", "result" and "error" must be present)");
    }
    if (method_) return parse_call();
    return result_ ? parse_result() : parse_error();
  }

 private:
  using Member = MemberIndex::Member;
  using MemberSlot = const Member* EnvelopeReader::*;

  void assign_member(const Member& found) {
    static constexpr std::pair<std::string_view, MemberSlot> defined[] = {
        {"jsonrpc", &EnvelopeReader::jsonrpc_}, {"id", &EnvelopeReader::id_},
        {"method", &EnvelopeReader::method_},   {"params", &EnvelopeReader::params_},
        {"result", &EnvelopeReader::result_},   {"error", &EnvelopeReader::error_}};
    for (const auto& [name, slot] : defined) {
      if (found.is(text_, name)) {
        this->*slot = &found;
        return;
      }
    }
    ((extra_ += ",\"") += found.key.in(text_)) += "\":";
    extra_ += found.value.in(text_);
  }

  // Params come after their parent.
  void assign_param(const Member& found) {
    Span* span = found.is(text_, "name")    ? &param_spans_.name
                 : found.is(text_, "uri")   ? &param_spans_.uri
                 : found.is(text_, "_meta") ? &param_spans_.meta
                                            : nullptr;
    if (span) *span = {found.value.begin - params_->value.begin, found.value.size};
  }

  std::string_view json_of(const Member* member) const { return member ? member->value.in(text_) : std::string_view(); }

  void parse_id(std::string_view token) {
    if (json::Reader(token).kind() == json::Kind::number) {
      read_id_ = Id::from_number(token);
      return;
    }
    if (auto id = json::decode<Id>(token)) read_id_ = std::move(*id);
  }

  std::unexpected<ReadError> refuse(std::string_view why) const {
    const bool answered_id = method_ == nullptr && (result_ != nullptr || error_ != nullptr);
    return invalid(read_id_, why, answered_id ? read_id_ : std::nullopt);
  }

  One parse_call() {
    json::Reader name(json_of(method_));
    if (name.kind() != json::Kind::string) return refuse(R"("method" must be a string)");
    std::string method;
    name.string(method);
    if (json_of(id_) == "null") return refuse(R"("id" must not be null)");
    if (json_of(params_) == "null") params_ = nullptr;
    if (params_ && text_[params_->value.begin] != '{' && text_[params_->value.begin] != '[') {
      return refuse(R"("params" must be an object or an array)");
    }
    auto params = params_ ? json::Payload::slice(std::move(text_), params_->value, params_->names) : json::Payload();
    if (!read_id_) return made<Notification>(std::move(method), std::move(params), param_spans_, std::move(extra_));
    return made<Request>(std::move(*read_id_), std::move(method), std::move(params), param_spans_, std::move(extra_));
  }

  One parse_result() {
    if (!read_id_) return refuse(R"(a result must have an "id")");
    auto result = json::Payload::slice(std::move(text_), result_->value, result_->names);
    return made<Response>(std::move(*read_id_), std::move(result), std::move(extra_));
  }

  One parse_error() {
    if (text_[error_->value.begin] != '{') return refuse(R"("error" must be an object)");
    auto read = json::decode<ReceivedError>(json_of(error_));
    if (!read) return refuse("error." + read.error().message);
    ErrorObject error{.code = read->code, .message = std::move(read->message), .data = std::move(read->data)};
    return made<ErrorResponse>(std::move(read_id_), std::move(error), std::move(extra_));
  }

  std::string text_;
  ParamSpans param_spans_;
  const Member *jsonrpc_ = nullptr, *id_ = nullptr, *method_ = nullptr;
  const Member *params_ = nullptr, *result_ = nullptr, *error_ = nullptr;
  std::optional<Id> read_id_;
  std::string extra_;
};

One read_one(std::string text, const ReadLimits& limits) {
  // Per-thread scratch: the index reuses its memory for the next message.
  thread_local MemberIndex index;
  if (const auto error = json::scan(text, {.max_depth = limits.max_depth, .indexed_names = indexed}, &index)) {
    return refusal(text, error);
  }
  if (json::Reader(text).kind() != json::Kind::object) return invalid(std::nullopt, "a message is an object");
  return EnvelopeReader(std::move(text), index).take();
}

std::expected<Incoming, ReadError> read_batch(const std::string& text, const ReadLimits& limits) {
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

std::expected<Incoming, ReadError> read(std::string text, const ReadLimits& limits) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first != std::string::npos && text[first] == '[') return read_batch(text, limits);
  return read_one(std::move(text), limits);
}

}  // namespace fairlead::jsonrpc

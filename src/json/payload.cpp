#include <fairlead/json/payload.hpp>

#include <fairlead/json/dom.hpp>
#include <memory>

namespace fairlead::json {

Payload::Payload(const Payload& other) : buffer_(other.text()), span_{0, buffer_.size()}, names_(other.names_) {}

Payload& Payload::operator=(Payload&& other) noexcept {
  if (this == &other) return *this;
  buffer_ = std::move(other.buffer_);
  span_ = std::exchange(other.span_, {});
  names_ = other.names_;
  auto* parsed = other.parsed_.exchange(nullptr, std::memory_order_relaxed);
  if (auto* mine = parsed_.exchange(parsed, std::memory_order_relaxed)) destroy(mine);
  return *this;
}

void Payload::destroy(boost::json::value* parsed) noexcept {
  delete parsed;
}

Result<Payload> Payload::parse(std::string text, const ScanOptions& options) {
  if (const auto error = scan(text, options)) return fail(ErrorKind::malformed, error.message());
  return trusted(std::move(text));
}

const boost::json::value& Payload::value() const {
  if (const auto* known = parsed_.load(std::memory_order_acquire)) return *known;
  auto fresh = std::make_unique<boost::json::value>(empty() ? nullptr : parse_dom(text()));
  boost::json::value* first = nullptr;
  // Two threads may parse at the same time; the second one discards its copy.
  if (parsed_.compare_exchange_strong(first, fresh.get(), std::memory_order_acq_rel)) return *fresh.release();
  return *first;
}

void Payload::erase(Span range) {
  buffer_.erase(span_.begin + range.begin, range.size);
  span_.size -= range.size;
  if (auto* parsed = parsed_.exchange(nullptr, std::memory_order_relaxed)) destroy(parsed);
}

void Payload::edit(const std::function<void(boost::json::value&)>& change) {
  auto edited = std::make_unique<boost::json::value>(value());
  change(*edited);
  std::string text;
  write_dom(text, *edited);
  *this = trusted(std::move(text));
  parsed_ = edited.release();
}

}  // namespace fairlead::json

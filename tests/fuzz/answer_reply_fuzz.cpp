// For every reply of the endpoint, the answer matches its schema, and its sources are appended once.
#include <cstdint>
#include <cstdlib>
#include <fairlead/json/codec.hpp>
#include <string>

#include "answer/reply.hpp"

namespace {

using namespace fairlead;

constexpr std::size_t most = 3;

void require(bool truth) {
  if (!truth) std::abort();
}

void check_contract(const answer::Answer& answer) {
  require(json::Payload::parse(json::encode(answer)).has_value());
  require(answer.citations.size() <= most);
  require(answer.used_search || answer.citations.empty());
  for (const auto& citation : answer.citations) {
    require(!citation.url.empty());
    require(answer::iso_date_in(citation.published_at) == citation.published_at);
  }
  if (!answer.citations.empty()) require(answer::with_sources(answer.answer, answer.citations) == answer.answer);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string body(reinterpret_cast<const char*>(data), size);
  const auto answer = answer::read_reply(std::move(body), "gpt-5", most, "2026-01-02");
  if (answer) check_contract(*answer);
  return 0;
}

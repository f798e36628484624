#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fairlead/json/schema.hpp>
#include <string_view>

/// The first line is a schema, the rest an instance.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const auto end = std::min(input.find('\n'), input.size());
  // Small budgets: the target is crashes, not slowness within the budget.
  const fairlead::json::SchemaOptions options{.assert_formats = true, .max_steps = 20'000};
  const auto schema = fairlead::json::Schema::compile(input.substr(0, end), options);
  if (!schema) return schema.error().message.empty() ? std::abort(), 0 : 0;
  for (const auto& violation : schema->validate(input.substr(std::min(end + 1, input.size())))) {
    if (violation.reason.empty()) std::abort();
  }
  return 0;
}

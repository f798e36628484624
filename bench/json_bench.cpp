// Compares our JSON code with other libraries. The contenders are interleaved, so that load on the machine affects all
// of them; the ratios at the end are the result.
#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <chrono>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/dom.hpp>
#include <fairlead/json/schema.hpp>
#include <fairlead/jsonrpc/read.hpp>
#include <fmt/core.h>
#include <functional>
#include <simdjson.h>

#include "json_messages.hpp"
#include "json_ondemand.hpp"

namespace fairlead::bench {
namespace {

using Clock = std::chrono::steady_clock;

template <class T>
void keep(const T& value) {
  asm volatile("" : : "r"(&value) : "memory");
}

struct Contender {
  std::string name;
  std::function<void()> run;
  std::vector<double> times = {};  // Nanoseconds per call, one entry per round.

  double median() {
    std::ranges::sort(times);
    return times[times.size() / 2];
  }
};

class Comparison {
 public:
  explicit Comparison(std::string title) : title_(std::move(title)) {}

  void add(std::string name, std::function<void()> run) { contenders_.push_back({std::move(name), std::move(run)}); }

  /// The first contender is ours; the others are compared to it.
  void run(std::vector<std::string>& ratios) {
    constexpr int rounds = 41;
    for (int round = 0; round < rounds; ++round) {
      for (auto& contender : contenders_) contender.times.push_back(time(contender.run));
    }
    fmt::print("{}\n", title_);
    const double ours = contenders_.front().median();
    for (auto& contender : contenders_) {
      fmt::print("  {:<34} {:>12.0f} ns\n", contender.name, contender.median());
      if (&contender == &contenders_.front()) continue;
      ratios.push_back(fmt::format("{}: {} / {}: {:.2f}x", title_, contenders_.front().name, contender.name,
                                   ours / contender.median()));
    }
  }

 private:
  static double time(const std::function<void()>& run) {
    constexpr auto slice = std::chrono::milliseconds(1);
    int calls = 0;
    const auto start = Clock::now();
    auto now = start;
    for (int batch = 1; now - start < slice; batch *= 2) {
      for (int i = 0; i < batch; ++i) run();
      calls += batch;
      now = Clock::now();
    }
    return std::chrono::duration<double, std::nano>(now - start).count() / calls;
  }

  std::string title_;
  std::vector<Contender> contenders_;
};

constexpr std::array<std::string_view, 4> indexed = {"params", "result", "error", "_meta"};

void compare_parsers(const std::string& size, const std::string& text, std::vector<std::string>& ratios) {
  const simdjson::padded_string padded(text);
  simdjson::dom::parser parser;
  json::MemberIndex index;
  const auto dom = [&] { keep(parser.parse(padded).error()); };

  Comparison scan("scan at " + size);
  scan.add("scan", [&] { keep(json::scan(text)); });
  scan.add("simdjson dom", dom);
  scan.run(ratios);

  Comparison index_scan("index at " + size);
  index_scan.add("scan with index", [&] { keep(json::scan(text, {.indexed_names = indexed}, &index)); });
  index_scan.add("simdjson dom", dom);
  index_scan.run(ratios);

  Comparison read("read at " + size);
  read.add("jsonrpc::read", [&] { keep(jsonrpc::read(text)); });
  read.add("simdjson dom", dom);
  read.add("nlohmann parse", [&] { keep(nlohmann::json::parse(text)); });
  read.add("boost parse", [&] { keep(boost::json::parse(text)); });
  read.run(ratios);

  Comparison tree("tree at " + size);
  tree.add("scan and parse_dom", [&] { keep(json::scan(text)), keep(json::parse_dom(text)); });
  tree.add("boost parse", [&] { keep(boost::json::parse(text)); });
  tree.run(ratios);
}

template <class T>
void compare_codecs(const std::string& size, const std::string& text, T (*by_hand)(simdjson::ondemand::document&),
                    std::vector<std::string>& ratios) {
  const simdjson::padded_string padded(text);
  simdjson::ondemand::parser parser;

  Comparison decode("decode at " + size);
  decode.add("scan and decode", [&] { keep(json::scan(text)), keep(json::decode<T>(text)); });
  decode.add("nlohmann parse and get", [&] { keep(nlohmann::json::parse(text).get<T>()); });
  decode.add("simdjson on demand by hand", [&] {
    auto document = parser.iterate(padded);
    keep(by_hand(document.value_unsafe()));
  });
  decode.run(ratios);

  const T value = *json::decode<T>(text);
  Comparison encode("encode at " + size);
  encode.add("encode", [&] { keep(json::encode(value)); });
  encode.add("nlohmann dump", [&] { keep(nlohmann::json(value).dump()); });
  encode.run(ratios);
}

template <class T>
void compare_schema(const std::string& size, const std::string& text, std::vector<std::string>& ratios) {
  const auto schema = json::Schema::compile(json::schema_of<T>());
  if (!schema) return;
  const simdjson::padded_string padded(text);
  simdjson::dom::parser parser;
  const auto parsed = json::parse_dom(text);

  Comparison comparison("schema at " + size);
  comparison.add("validate alone", [&] { keep(schema->accepts(parsed)); });
  comparison.add("parse_dom and validate", [&] { keep(schema->accepts(json::parse_dom(text))); });
  comparison.add("nlohmann parse", [&] { keep(nlohmann::json::parse(text)); });
  comparison.add("simdjson dom", [&] { keep(parser.parse(padded).error()); });
  comparison.run(ratios);
}

void run() {
  std::vector<std::string> ratios;
  const std::string call = call_message();
  compare_parsers("200 B", call, ratios);
  compare_codecs<Call>("200 B", call, read_call, ratios);
  compare_schema<Call>("200 B", call, ratios);
  for (const auto& [size, tools] : {std::pair("2 KB", 5), std::pair("100 KB", 240)}) {
    const std::string list = list_message(tools);
    compare_parsers(size, list, ratios);
    compare_codecs<ListResult>(size, list, read_list, ratios);
    compare_schema<ListResult>(size, list, ratios);
  }
  fmt::print("\n");
  for (const auto& ratio : ratios) fmt::print("{}\n", ratio);
}

}  // namespace
}  // namespace fairlead::bench

int main() {
  fairlead::bench::run();
}

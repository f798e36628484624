#include <algorithm>
#include <boost/json.hpp>
#include <fairlead/json/schema.hpp>
#include <gtest/gtest.h>
#include <iostream>
#include <string>
#include <vector>

#include "support/json_schema_suite.hpp"

namespace fairlead::json::schema_suite_test {
namespace {

namespace fs = std::filesystem;
using test::SchemaSuite;

constexpr std::string_view draft7 = "http://json-schema.org/draft-07/schema#";

struct Score {
  std::size_t passed = 0;
  std::size_t total = 0;
  std::vector<std::string> misses = {};

  void add(const Score& other) {
    passed += other.passed;
    total += other.total;
    misses.insert(misses.end(), other.misses.begin(), other.misses.end());
  }
};

std::vector<fs::path> json_files(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

/// The schemas of the draft-07 suite do not say their dialect.
boost::json::value with_dialect(boost::json::value schema, std::string_view dialect) {
  auto* object = schema.if_object();
  if (object != nullptr && !dialect.empty() && !object->contains("$schema")) {
    (*object)["$schema"] = boost::json::string_view(dialect.data(), dialect.size());
  }
  return schema;
}

Score run_group(const boost::json::object& group, const SchemaOptions& options, std::string_view dialect,
                const std::string& file) {
  Score score;
  const auto text = boost::json::serialize(with_dialect(group.at("schema"), dialect));
  const auto schema = Schema::compile(text, options);
  for (const auto& test : group.at("tests").as_array()) {
    const auto& data = test.at("data");
    const bool valid = test.at("valid").as_bool();
    ++score.total;
    const auto title = file + ": " + std::string(group.at("description").as_string()) + ": " +
                       std::string(test.at("description").as_string());
    if (!schema) {
      score.misses.push_back(title + " (" + schema.error().message + ")");
    } else if (schema->accepts(data) != valid || schema->validate(data).empty() != valid) {
      score.misses.push_back(title);
    } else {
      ++score.passed;
    }
  }
  return score;
}

Score run_file(const SchemaSuite& suite, const fs::path& path, std::string_view dialect, bool formats) {
  const SchemaOptions options{.assert_formats = formats,
                              .resolve = [&](std::string_view uri) { return test::suite_remote(suite, uri); }};
  Score score;
  const auto groups = boost::json::parse(test::file_text(path).value_or("[]"));
  for (const auto& group : groups.as_array()) {
    score.add(run_group(group.as_object(), options, dialect, path.stem().string()));
  }
  return score;
}

Score run_required(const SchemaSuite& suite, const std::string& draft, std::string_view dialect) {
  Score score;
  for (const auto& file : json_files(suite.root / "tests" / draft)) score.add(run_file(suite, file, dialect, false));
  std::cout << draft << " required: " << score.passed << " of " << score.total << " cases (" << suite.package << ")\n";
  for (const auto& miss : score.misses) ADD_FAILURE() << miss;
  return score;
}

Score run_optional(const SchemaSuite& suite, const std::string& draft, const std::string& folder,
                   std::string_view dialect) {
  Score score;
  for (const auto& file : json_files(suite.root / "tests" / draft / folder)) {
    const auto one = run_file(suite, file, dialect, true);
    std::cout << draft << ' ' << folder << '/' << file.stem().string() << ": " << one.passed << " of " << one.total
              << '\n';
    score.add(one);
  }
  std::cout << draft << ' ' << folder << " in all: " << score.passed << " of " << score.total << '\n';
  for (const auto& miss : score.misses) std::cout << "  missed " << miss << '\n';
  return score;
}

bool absent(const SchemaSuite& suite) {
  return !fs::exists(suite.root / "tests");
}

#define SKIP_WITHOUT(suite) \
  if (absent(suite)) GTEST_SKIP() << "install the Debian package " << (suite).package << " to run this test"

TEST(SchemaSuite, PassesTheRequiredCasesOf2020_12) {
  SKIP_WITHOUT(test::modern_schema_suite);
  const auto score = run_required(test::modern_schema_suite, "draft2020-12", {});
  EXPECT_GT(score.total, 1000U);
}

TEST(SchemaSuite, PassesTheRequiredCasesOfDraft7) {
  SKIP_WITHOUT(test::modern_schema_suite);
  const auto score = run_required(test::modern_schema_suite, "draft7", draft7);
  EXPECT_GT(score.total, 700U);
}

TEST(SchemaSuite, PassesTheRequiredCasesOfTheOldPackage) {
  SKIP_WITHOUT(test::old_schema_suite);
  const auto score = run_required(test::old_schema_suite, "draft7", draft7);
  EXPECT_GT(score.total, 400U);
}

// The floors are what passes today: a change may raise them, never lower them.
TEST(SchemaSuite, PassesTheFormatsOf2020_12) {
  SKIP_WITHOUT(test::modern_schema_suite);
  const auto score = run_optional(test::modern_schema_suite, "draft2020-12", "optional/format", {});
  EXPECT_GE(score.passed, 467U);
}

TEST(SchemaSuite, PassesTheFormatsOfDraft7) {
  SKIP_WITHOUT(test::modern_schema_suite);
  const auto score = run_optional(test::modern_schema_suite, "draft7", "optional/format", draft7);
  EXPECT_GE(score.passed, 414U);
}

TEST(SchemaSuite, PassesTheOtherOptionalCasesOf2020_12) {
  SKIP_WITHOUT(test::modern_schema_suite);
  const auto score = run_optional(test::modern_schema_suite, "draft2020-12", "optional", {});
  EXPECT_GE(score.passed, 144U);
}

TEST(SchemaSuite, PassesTheOtherOptionalCasesOfDraft7) {
  SKIP_WITHOUT(test::modern_schema_suite);
  const auto score = run_optional(test::modern_schema_suite, "draft7", "optional", draft7);
  EXPECT_GE(score.passed, 102U);
}

TEST(SchemaSuite, PassesTheOptionalCasesOfTheOldPackage) {
  SKIP_WITHOUT(test::old_schema_suite);
  auto score = run_optional(test::old_schema_suite, "draft7", "optional", draft7);
  score.add(run_optional(test::old_schema_suite, "draft7", "optional/format", draft7));
  EXPECT_GE(score.passed, 139U);
}

}  // namespace
}  // namespace fairlead::json::schema_suite_test

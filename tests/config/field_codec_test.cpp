#include "config/field_codec.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/tree.hpp"

namespace fairlead::config {
namespace field_codec_test {
namespace {

struct Lamp {
  std::optional<std::string> name = "desk";
  std::string color = "white";
  std::size_t watts = 5;
  double height = 0.5;
};

}  // namespace
}  // namespace field_codec_test

template <>
const FieldList<field_codec_test::Lamp> Fields<field_codec_test::Lamp>::all{
    field<&field_codec_test::Lamp::name>("name"),
    field<&field_codec_test::Lamp::color, WordCodec<"white", "red">>("color"),
    field<&field_codec_test::Lamp::watts, RangeCodec<1, 60>>("watts"),
    field<&field_codec_test::Lamp::height, RangeCodec<0, 2>>("height"),
};

namespace field_codec_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// A lamp read from YAML, with what was recorded on the way.
struct ReadLamp {
  explicit ReadLamp(const std::string& text, KeyRules rules = {}) {
    ReadOptions options;
    options.environment = [](const std::string& name) { return std::optional<std::string>(name == "W" ? "7" : ""); };
    const auto tree = read_tree("lamp.yaml", text, diagnostics);
    ReadContext context("lamp.yaml", options, diagnostics, sources, rules);
    read_fields(context, {*tree, "", ""}, lamp);
  }
  std::string printed() const {
    const SecretMask mask;
    Printer printer(sources, mask);
    show_fields(printer, lamp);
    return printer.text();
  }

  Lamp lamp;
  Diagnostics diagnostics;
  Sources sources;
};

TEST(ConfigFields, AreReadAndPrintedWithTheirSources) {
  const ReadLamp read("color: red\nwatts: ${W}\n");
  EXPECT_EQ(
      read.printed(),
      "name: desk  # default\ncolor: red  # lamp.yaml:1\nwatts: 7  # env W, at lamp.yaml:2\nheight: 0.5  # default\n");
  EXPECT_THAT(read.sources.variables(), ElementsAre("W"));
}

TEST(ConfigFields, RefuseValuesOutsideOfTheirLimits) {
  EXPECT_THAT(ReadLamp("watts: 61\nheight: 2.5\ncolor: blue\n").diagnostics.lines(),
              ElementsAre("lamp.yaml:1: watts: expected a number from 1 to 60, got '61'",
                          "lamp.yaml:2: height: expected a number from 0 to 2, got '2.5'",
                          "lamp.yaml:3: color: expected one of white, red, got 'blue'"));
  EXPECT_THAT(ReadLamp("watts: 1.5\n").diagnostics.lines(), testing::SizeIs(1)) << "an integer has no fraction";
}

TEST(ConfigFields, NullRemovesAnOptionalValue) {
  const ReadLamp read("name:\n");
  EXPECT_THAT(read.diagnostics.lines(), IsEmpty());
  EXPECT_EQ(read.lamp.name, std::nullopt);
}

TEST(ConfigFields, UnknownKeysAreErrorsOrWarnings) {
  EXPECT_THAT(ReadLamp("colour: red\n").diagnostics.lines(),
              ElementsAre("lamp.yaml:1: colour: unknown key; did you mean color?"));
  const ReadLamp tolerant("colour: red\n", {.ignore_unknown = true});
  EXPECT_THAT(tolerant.diagnostics.lines(), IsEmpty());
  EXPECT_THAT(tolerant.diagnostics.warnings(),
              ElementsAre("lamp.yaml:1: colour: unknown key, which is ignored; did you mean color?"));
}

TEST(ConfigFields, RetiredKeysAreErrorsEvenWhereUnknownOnesAreNot) {
  const auto retired = [](std::string_view scope, std::string_view key) {
    return scope.empty() && key == "bulb" ? std::optional<std::string>("was removed") : std::nullopt;
  };
  EXPECT_THAT(ReadLamp("bulb: 1\n", {.retired = retired, .ignore_unknown = true}).diagnostics.lines(),
              ElementsAre("lamp.yaml:1: bulb: was removed"));
}

}  // namespace
}  // namespace field_codec_test
}  // namespace fairlead::config

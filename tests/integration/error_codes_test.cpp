#include <fairlead/protocol/fault.hpp>
#include <gtest/gtest.h>

#include "integration/tool_schemas.hpp"

/// Every error that can be told, in every revision and dialect.
namespace fairlead::protocol::error_codes_test {
namespace {

template <class F>
void for_every_error(F look) {
  for (auto i = std::to_underlying(Fault::parse); i <= std::to_underlying(Fault::url_elicitation); ++i) {
    for (const auto& revision : revisions()) {
      for (const auto dialect : {Dialect::specification, Dialect::answer, Dialect::chain, Dialect::jsonrpc}) {
        const auto error = fault_error(static_cast<Fault>(i), "why it failed", "its subject");
        const auto lowered = lower_error(error, revision, dialect);
        if (const auto* wire = std::get_if<WireError>(&lowered)) look(wire->error, dialect);
      }
    }
  }
}

TEST(ErrorCodes, S1_04_EveryOneIsAnIntegerWithAMessageForPeople) {
  for_every_error([](const jsonrpc::ErrorObject& error, Dialect) {
    EXPECT_THAT(jsonrpc::write(jsonrpc::ErrorResponse{7, error}), test::IsToolError());
  });
  for (const auto kind : {ErrorKind::closed, ErrorKind::timeout, ErrorKind::cancelled}) {
    const auto lowered = lower_error(Error{.kind = kind, .message = "the server is gone"}, newest_handshake());
    EXPECT_THAT(jsonrpc::write(jsonrpc::ErrorResponse{"a", std::get<WireError>(lowered).error}), test::IsToolError());
  }
}

TEST(ErrorCodes, S3_21_OursAreTheStandardsOrOfTheRangeThatIsFree) {
  using namespace jsonrpc::code;
  for_every_error([](const jsonrpc::ErrorObject& error, Dialect) {
    const bool standard = error.code == parse_error || (error.code >= internal_error && error.code <= invalid_request);
    const bool free = error.code >= -32099 && error.code <= -32000;
    EXPECT_TRUE(standard || free) << error.code << " " << error.message;
  });
}

TEST(ErrorCodes, S3_21_APeersOwnPassUnchanged) {
  for (const std::int64_t code : {-32000, -32050, -32099}) {
    const Error theirs{.kind = ErrorKind::refused, .message = "theirs", .code = code, .data = R"({"retries":3})"};
    for (const auto& revision : revisions()) {
      const auto told = std::get<WireError>(lower_error(theirs, revision)).error;
      EXPECT_EQ(told.code, code);
      EXPECT_EQ(told.message, "theirs");
      EXPECT_EQ(told.data->text(), R"({"retries":3})");
    }
  }
}

TEST(ErrorCodes, S1_49b_EveryOneNamesItsSubjectOrItsReason) {
  for_every_error([](const jsonrpc::ErrorObject& error, Dialect dialect) {
    // An internal error's reason is for the log alone; one dialect is known for saying no more than the kind.
    if (error.code == jsonrpc::code::internal_error && error.message == "Internal error") return;
    if (dialect == Dialect::answer && error.message.starts_with("Unknown")) return;
    const auto text = error.message + (error.data ? std::string(error.data->text()) : "");
    EXPECT_TRUE(text.find("why it failed") != text.npos || text.find("its subject") != text.npos) << text;
  });
}

}  // namespace
}  // namespace fairlead::protocol::error_codes_test

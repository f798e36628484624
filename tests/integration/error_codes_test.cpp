#include <fairlead/protocol/protocol_error.hpp>
#include <gtest/gtest.h>

#include "integration/tool_schemas.hpp"

/// Every error on the wire, in every revision and dialect.
namespace fairlead::protocol::error_codes_test {
namespace {

template <class F>
void for_every_error(F look) {
  for (auto i = std::to_underlying(ProtocolError::parse); i <= std::to_underlying(ProtocolError::url_elicitation);
       ++i) {
    for (const auto& revision : revisions()) {
      for (const auto dialect :
           {ErrorDialect::specification, ErrorDialect::answer, ErrorDialect::chain, ErrorDialect::jsonrpc}) {
        const auto error = protocol_error(static_cast<ProtocolError>(i), "why it failed", "its subject");
        const auto lowered = encode_error(error, revision, dialect);
        if (const auto* wire = std::get_if<WireError>(&lowered)) look(wire->error, dialect);
      }
    }
  }
}

TEST(ErrorCodes, S1_04_EachHasAnIntegerCodeAndAMessage) {
  for_every_error([](const jsonrpc::ErrorObject& error, ErrorDialect) {
    EXPECT_THAT(jsonrpc::write(jsonrpc::ErrorResponse{7, error}), test::IsToolError());
  });
  for (const auto kind : {ErrorKind::closed, ErrorKind::timeout, ErrorKind::cancelled}) {
    const auto lowered = encode_error(Error{.kind = kind, .message = "the server is gone"}, newest_handshake());
    EXPECT_THAT(jsonrpc::write(jsonrpc::ErrorResponse{"a", std::get<WireError>(lowered).error}), test::IsToolError());
  }
}

TEST(ErrorCodes, S3_21_CodesAreStandardOrInTheServerRange) {
  using namespace jsonrpc::code;
  for_every_error([](const jsonrpc::ErrorObject& error, ErrorDialect) {
    const bool standard = error.code == parse_error || (error.code >= internal_error && error.code <= invalid_request);
    const bool free = error.code >= -32099 && error.code <= -32000;
    EXPECT_TRUE(standard || free) << error.code << " " << error.message;
  });
}

TEST(ErrorCodes, S3_21_PeerCodesPassUnchanged) {
  for (const std::int64_t code : {-32000, -32050, -32099}) {
    const Error peer_error{.kind = ErrorKind::refused, .message = "theirs", .code = code, .data = R"({"retries":3})"};
    for (const auto& revision : revisions()) {
      const auto encoded = std::get<WireError>(encode_error(peer_error, revision)).error;
      EXPECT_EQ(encoded.code, code);
      EXPECT_EQ(encoded.message, "theirs");
      EXPECT_EQ(encoded.data->text(), R"({"retries":3})");
    }
  }
}

TEST(ErrorCodes, S1_49b_EachMessageNamesItsSubjectOrReason) {
  for_every_error([](const jsonrpc::ErrorObject& error, ErrorDialect dialect) {
    // The reason of an internal error is only logged; the answer dialect shows only the kind.
    if (error.code == jsonrpc::code::internal_error && error.message == "Internal error") return;
    if (dialect == ErrorDialect::answer && error.message.starts_with("Unknown")) return;
    const auto text = error.message + (error.data ? std::string(error.data->text()) : "");
    EXPECT_TRUE(text.find("why it failed") != text.npos || text.find("its subject") != text.npos) << text;
  });
}

}  // namespace
}  // namespace fairlead::protocol::error_codes_test

#include <fairlead/json/object_edit.hpp>
#include <fairlead/jsonrpc/read.hpp>
#include <fairlead/protocol/era_codec.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <functional>
#include <gtest/gtest.h>
#include <iostream>

#include "json/schema/equality.hpp"
#include "support/official_schema.hpp"

/// Every example message of the specification survives a round trip through the revision-independent model.
namespace fairlead::protocol::examples_test {
namespace {

using RoundTrip = std::function<std::string(std::string_view)>;

Payload taken(std::string_view text) {
  return *Payload::parse(std::string(text));
}

template <class T>
std::string value(std::string_view text) {
  const auto decoded = json::decode<T>(taken(text));
  return decoded ? json::encode(*decoded) : decoded.error().message;
}

// Round trip of the error object of an error response.
std::string error_object(std::string_view text) {
  auto read = jsonrpc::read(R"({"jsonrpc":"2.0","id":1,"error":)" + std::string(text) + "}");
  if (!read) return "it is not an error";
  const auto written = jsonrpc::write(std::get<jsonrpc::Message>(*read));
  return std::string(json::member_of(written, "error"));
}

// Round trip of params through the codec of the newest revision and the model.
template <class T>
std::string params(std::string_view text) {
  const auto& codec = *newest().codec;
  const auto request = codec.decode_request(taken(text));
  if (!request) return value<T>(text);
  const auto decoded = json::decode<T>(request->params);
  if (!decoded) return decoded.error().message;
  return std::string(codec.encode_request(json::to_payload(*decoded), request->caller).text());
}

template <class T>
std::string result(std::string_view text) {
  const auto& codec = *newest().codec;
  const auto result = codec.decode_result(taken(text));
  const auto decoded = json::decode<T>(result->body);
  if (!decoded) return decoded.error().message;
  const ResultEnvelope envelope{
      .method = {}, .kind = result->kind, .server = result->server ? &*result->server : nullptr};
  return std::string(codec.encode_result(json::to_payload(*decoded), envelope, newest()).text());
}

// A whole message, with `inner` for its params, result or error.
std::string message(std::string_view text, const RoundTrip& inner) {
  auto incoming = jsonrpc::read(std::string(text));
  if (!incoming) return jsonrpc::write(jsonrpc::Message(incoming.error()));
  auto& read = std::get<jsonrpc::Message>(*incoming);
  const auto through = [&](Payload& payload) {
    if (!payload.empty()) payload = Payload::trusted(inner(payload.text()));
  };
  if (auto* request = std::get_if<jsonrpc::Request>(&read)) through(request->params);
  if (auto* notice = std::get_if<jsonrpc::Notification>(&read)) through(notice->params);
  if (auto* response = std::get_if<jsonrpc::Response>(&read)) through(response->result);
  return jsonrpc::write(read);
}

template <class T>
RoundTrip request() {
  return [](std::string_view text) { return message(text, params<T>); };
}
template <class T>
RoundTrip notification() {
  return [](std::string_view text) { return message(text, value<T>); };
}
template <class T>
RoundTrip response() {
  return [](std::string_view text) { return message(text, result<T>); };
}

// A request inside a result: a method and its params, without id and version.
template <class T>
std::string input_request(std::string_view text) {
  auto input = json::decode<InputRequest>(taken(text));
  if (!input) return input.error().message;
  if (input->params) input->params = Payload::trusted(value<T>(input->params->text()));
  return json::encode(*input);
}

const std::map<std::string, RoundTrip> round_trips = {
    {"AudioContent", value<AudioContent>},
    {"BlobResourceContents", value<BlobResourceContents>},
    {"BooleanSchema", value<BooleanSchema>},
    {"CallToolRequest", request<CallToolParams>()},
    {"CallToolRequestParams", params<CallToolParams>},
    {"CallToolResult", result<CallToolResult>},
    {"CallToolResultResponse", response<CallToolResult>()},
    {"CancelledNotification", notification<CancelledParams>()},
    {"CancelledNotificationParams", value<CancelledParams>},
    {"ClientCapabilities", value<ClientCapabilities>},
    {"CompleteRequest", request<CompleteParams>()},
    {"CompleteRequestParams", params<CompleteParams>},
    {"CompleteResult", result<CompleteResult>},
    {"CompleteResultResponse", response<CompleteResult>()},
    {"CreateMessageRequest", input_request<CreateMessageParams>},
    {"CreateMessageRequestParams", value<CreateMessageParams>},
    {"CreateMessageResult", value<CreateMessageResult>},
    {"DiscoverRequest", request<Empty>()},
    {"DiscoverResult", result<DiscoverResult>},
    {"DiscoverResultResponse", response<DiscoverResult>()},
    {"ElicitRequest", input_request<ElicitParams>},
    {"ElicitRequestFormParams", value<ElicitParams>},
    {"ElicitRequestURLParams", value<ElicitParams>},
    {"ElicitResult", value<ElicitResult>},
    {"EmbeddedResource", value<ContentBlock>},
    {"GetPromptRequest", request<GetPromptParams>()},
    {"GetPromptRequestParams", params<GetPromptParams>},
    {"GetPromptResult", result<GetPromptResult>},
    {"GetPromptResultResponse", response<GetPromptResult>()},
    {"HeaderMismatchError", response<Empty>()},
    {"ImageContent", value<ContentBlock>},
    {"InputRequests", value<InputRequests>},
    {"InputRequiredResult", result<InputRequiredResult>},
    {"InputResponses", value<InputResponses>},
    {"InternalError", error_object},
    {"InvalidParamsError", error_object},
    {"ListPromptsRequest", request<PaginatedParams>()},
    {"ListPromptsResult", result<ListPromptsResult>},
    {"ListPromptsResultResponse", response<ListPromptsResult>()},
    {"ListResourceTemplatesRequest", request<PaginatedParams>()},
    {"ListResourceTemplatesResult", result<ListResourceTemplatesResult>},
    {"ListResourceTemplatesResultResponse", response<ListResourceTemplatesResult>()},
    {"ListResourcesRequest", request<PaginatedParams>()},
    {"ListResourcesResult", result<ListResourcesResult>},
    {"ListResourcesResultResponse", response<ListResourcesResult>()},
    {"ListRootsRequest", input_request<Empty>},
    {"ListRootsResult", value<ListRootsResult>},
    {"ListToolsRequest", request<PaginatedParams>()},
    {"ListToolsResult", result<ListToolsResult>},
    {"ListToolsResultResponse", response<ListToolsResult>()},
    {"LoggingMessageNotification", notification<LoggingMessageParams>()},
    {"LoggingMessageNotificationParams", value<LoggingMessageParams>},
    {"MethodNotFoundError", error_object},
    {"MissingRequiredClientCapabilityError", response<Empty>()},
    {"ModelPreferences", value<ModelPreferences>},
    {"NumberSchema", value<PrimitiveSchema>},
    {"PaginatedRequestParams", params<PaginatedParams>},
    {"ParseError", error_object},
    {"ProgressNotification", notification<ProgressParams>()},
    {"ProgressNotificationParams", value<ProgressParams>},
    {"PromptListChangedNotification", notification<Empty>()},
    {"ReadResourceRequest", request<ReadResourceParams>()},
    {"ReadResourceResult", result<ReadResourceResult>},
    {"ReadResourceResultResponse", response<ReadResourceResult>()},
    {"Resource", value<Resource>},
    {"ResourceLink", value<ContentBlock>},
    {"ResourceListChangedNotification", notification<Empty>()},
    {"ResourceUpdatedNotification", notification<ResourceUriParams>()},
    {"ResourceUpdatedNotificationParams", value<ResourceUriParams>},
    {"Root", value<Root>},
    {"SamplingMessage", value<SamplingMessage>},
    {"ServerCapabilities", value<ServerCapabilities>},
    {"StringSchema", value<PrimitiveSchema>},
    {"SubscriptionsAcknowledgedNotification", notification<SubscriptionsAcknowledgedParams>()},
    {"SubscriptionsListenRequest", request<SubscriptionsListenParams>()},
    {"SubscriptionsListenResult", result<Empty>},
    {"SubscriptionsListenResultResponse", response<Empty>()},
    {"TextContent", value<ContentBlock>},
    {"TextResourceContents", value<ResourceContents>},
    {"TitledMultiSelectEnumSchema", value<PrimitiveSchema>},
    {"TitledSingleSelectEnumSchema", value<PrimitiveSchema>},
    {"Tool", value<Tool>},
    {"ToolListChangedNotification", notification<Empty>()},
    {"ToolResultContent", value<SamplingBlock>},
    {"ToolUseContent", value<SamplingBlock>},
    {"UnsupportedProtocolVersionError", response<Empty>()},
    {"UntitledMultiSelectEnumSchema", value<PrimitiveSchema>},
    {"UntitledSingleSelectEnumSchema", value<PrimitiveSchema>},
};

TEST(Examples, RoundTripThroughTheModel) {
  SKIP_WITHOUT_OFFICIAL_DATA();
  int examples = 0;
  for (const auto& folder :
       std::filesystem::directory_iterator(test::official_data() / "mcp-examples" / "2026-07-28")) {
    const auto type = folder.path().filename().string();
    const auto known = round_trips.find(type);
    ASSERT_NE(known, round_trips.end()) << "no round trip for " << type;
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
      const auto text = test::read_file(file.path());
      const auto out = known->second(text);
      boost::system::error_code broken;
      const auto back = boost::json::parse(out, broken);
      EXPECT_TRUE(!broken && json::schema::equal(test::parse(text), back)) << file.path() << "\nbecame\n" << out;
      ++examples;
    }
  }
  std::cout << "examples that survived decode and encode: " << examples << '\n';
  EXPECT_GE(examples, 128);
}

}  // namespace
}  // namespace fairlead::protocol::examples_test

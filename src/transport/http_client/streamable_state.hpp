#pragma once

#include <fairlead/transport/http_client.hpp>

#include "transport/http_client/inbox.hpp"
#include "transport/http_client/post.hpp"
#include "transport/http_client/tool_header_params.hpp"

namespace fairlead::transport {

/// State of a `StreamableClient`, shared with its tasks, which run in the scope of the client.
struct StreamableClientState : std::enable_shared_from_this<StreamableClientState> {
  StreamableClientState(EventLoop on, TaskScope& owner, HttpClientOptions with);

  // streamable_client.cpp
  Task<Result<void>> send(jsonrpc::Message&& message);
  static Task<Result<void>> send_initialized(std::shared_ptr<StreamableClientState> self, jsonrpc::Message message);
  static Task<void> send_cancellation(std::shared_ptr<StreamableClientState> self, jsonrpc::Message cancelled);
  Result<void> start(jsonrpc::Message&& message);
  bool drop_if_backlogged(const jsonrpc::Message& message);
  /// Null if the request is not pending.
  PostedMessage* find(const jsonrpc::Id& id) const;
  void cancel_request(const json::Payload& params);
  void close() noexcept;
  static Task<void> delete_session(std::shared_ptr<StreamableClientState> self, std::string session);

  // streamable_headers.cpp
  Result<std::vector<http::Header>> headers_for(const PostedMessage& post) const;
  void add_common_headers(std::vector<http::Header>& headers) const;
  /// Opens a GET or DELETE, with a credential.
  Task<Result<std::unique_ptr<http::ResponseStream>>> open_without_body(std::string method,
                                                                        std::vector<http::Header> headers,
                                                                        Deadline deadline = {});
  Task<Result<std::unique_ptr<http::ResponseStream>>> open_post(const PostedMessage& post,
                                                                const auth::Credential& credential);
  struct HeadKey {
    const protocol::Revision* stateless;
    std::string_view method, name;
  };
  static std::optional<HeadKey> key_of(const PostedMessage& post);
  Result<std::shared_ptr<const http::PreparedRequestHead>> head_for(const PostedMessage& post,
                                                                    const auth::Credential& credential);
  std::vector<http::Header> get_headers(const ResumePoint& resume_point) const;

  // streamable_exchange.cpp
  static Task<void> run(std::shared_ptr<StreamableClientState> self, std::shared_ptr<PostedMessage> sent);
  void forget(const PostedMessage& post);
  void end_if_session_gone();
  static Error no_such_session();
  Task<Result<void>> exchange(PostedMessage& post);
  Task<Result<void>> read_refusal(PostedMessage& post, http::ResponseStream& stream);
  Task<Result<void>> list_and_retry(PostedMessage& post);
  Task<void> on_text(PostedMessage& post, std::string text);
  Task<void> on_batch(PostedMessage& post, jsonrpc::Batch batch);
  Task<void> on_message(PostedMessage& post, jsonrpc::Message&& message);
  Task<void> on_invalid_message(PostedMessage& post, jsonrpc::ReadError bad, std::string begin = {});
  static Result<void> is_answered(const PostedMessage& post);
  std::optional<Received> classify(PostedMessage& post, jsonrpc::Message&& message);
  void observe_result(const PostedMessage& post, jsonrpc::Response& response);

  // streamable_events.cpp
  Task<Result<void>> read_events(PostedMessage& post, http::ResponseStream& stream);
  Task<Result<void>> resume(PostedMessage& post);
  static Task<void> listen(std::shared_ptr<StreamableClientState> self);
  Task<void> wait(Duration duration);

  /// Cache of request heads, valid for one session and revision.
  struct HeadCache {
    struct Entry {
      std::string method, name;
      const protocol::Revision* stateless;
      std::shared_ptr<const http::PreparedRequestHead> head;
    };

    std::string session;
    const protocol::Revision* agreed = nullptr;
    std::uint64_t credential = 0;  // Its generation.
    std::vector<Entry> entries = {};
  };
  static constexpr std::string_view json_type = "application/json";
  /// Limits for notifications and responses being sent; more are dropped.
  static constexpr std::size_t max_unsent = 256;
  static constexpr std::size_t max_unsent_bytes = std::size_t{4} * 1024 * 1024;

  EventLoop loop;
  TaskScope& scope;
  HttpClientOptions options;
  http::Client client;
  Inbox inbox;
  ToolHeaderParams tools;
  HeadCache heads;
  std::string session;                                // Empty for none.
  const protocol::Revision* agreed = nullptr;         // Revision negotiated by `initialize`.
  std::vector<std::shared_ptr<PostedMessage>> posts;  // Pending requests.
  TaskScope::Handle listener;
  std::uint16_t rejected_initialize_status = 0;
  std::size_t unsent = 0;  // Notifications and responses being sent.
  std::size_t unsent_bytes = 0;
  bool dropping = false;
  bool session_gone = false;  // The server reported an unknown session.
  bool closed = false;
};

}  // namespace fairlead::transport

#pragma once

#include <fairlead/base/result.hpp>
#include <fairlead/base/task.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/server/engine.hpp>
#include <fairlead/server/server.hpp>

/// Names that a server needs, in the namespace fairlead.
namespace fairlead {

using json::Doc;
using json::Payload;
using protocol::AudioContent;
using protocol::CallToolResult;
using protocol::ContentBlock;
using protocol::EmbeddedResource;
using protocol::GetPromptResult;
using protocol::ImageContent;
using protocol::LoggingLevel;
using protocol::PromptMessage;
using protocol::ReadResourceResult;
using protocol::ResourceLink;
using protocol::TextContent;
using server::Arg;
using server::assistant;
using server::Audio;
using server::BlobContents;
using server::blocking;
using server::Context;
using server::ElicitationDeclined;
using server::Engine;
using server::EngineOptions;
using server::EntryKind;
using server::Failed;
using server::Image;
using server::PageOptions;
using server::PromptOptions;
using server::ResourceOptions;
using server::Server;
using server::ToolOptions;
using server::user;

}  // namespace fairlead

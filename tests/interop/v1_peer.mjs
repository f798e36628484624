import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import * as types from '@modelcontextprotocol/sdk/types.js';
import { conformanceServer, handshakeNotices, watched } from './support.mjs';

// This SDK identifies a message type by its schema.
const schemas = {
  'elicitation/create': types.ElicitRequestSchema,
  'sampling/createMessage': types.CreateMessageRequestSchema,
  'roots/list': types.ListRootsRequestSchema,
  'notifications/message': types.LoggingMessageNotificationSchema,
  'notifications/resources/updated': types.ResourceUpdatedNotificationSchema,
  'notifications/resources/list_changed': types.ResourceListChangedNotificationSchema,
  'notifications/tools/list_changed': types.ToolListChangedNotificationSchema,
  'notifications/prompts/list_changed': types.PromptListChangedNotificationSchema,
};

/** A client of SDK version 1, which has only the handshake era, connected to the conformance server. */
export const opener = connect => async ({ capabilities = {}, answers = {}, revision } = {}) => {
  const client = new Client({ name: 'interop', version: '1' }, { capabilities });
  for (const [method, answer] of Object.entries(answers)) client.setRequestHandler(schemas[method], answer);
  const transport = watched(connect(), revision);
  await client.connect(transport);
  const call = (name, args = {}, options = {}) => client.callTool({ name, arguments: args }, undefined, options);
  return {
    client,
    transport,
    call,
    onNotification: (method, listener) => client.setNotificationHandler(schemas[method], listener),
    ...handshakeNotices(client, call),
  };
};

export const open = opener(() => new StdioClientTransport(conformanceServer));

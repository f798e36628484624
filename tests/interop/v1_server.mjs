// A server with version 1 of the official SDK that returns the errors of the SDK's error classes.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  CallToolRequestSchema, ListToolsRequestSchema, McpError, ReadResourceRequestSchema, UrlElicitationRequiredError,
} from '@modelcontextprotocol/sdk/types.js';

const server = new Server({ name: 'v1', version: '1' }, { capabilities: { tools: {}, resources: {} } });
const pages = [{ mode: 'url', elicitationId: 'e1', url: 'https://example.com/in', message: 'Sign in' }];
const known = new Set();

server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: [{ name: 'private', description: 'Wants its user to sign in first', inputSchema: { type: 'object' } }],
}));
server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
  if (params.name !== 'private') throw new McpError(-32602, `Tool ${params.name} not found`);
  const { who } = params.arguments;
  if (!known.has(who)) {
    known.add(who);
    throw new UrlElicitationRequiredError(pages);
  }
  return { content: [{ type: 'text', text: 'signed in' }] };
});
server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => {
  throw new McpError(-32002, `Resource ${params.uri} not found`);
});
await server.connect(new StdioServerTransport());

// A server of the official SDK, version 1: `node v1.mjs` on stdio, `node v1.mjs <port> [sse]` over HTTP in sessions.
// Responds with JSON, its fastest mode, unless `sse` is given.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { addTools } from './tools.mjs';

const notifier = extra => ({ progressToken: extra._meta?.progressToken, notify: extra.sendNotification });
const make = () => addTools(new McpServer({ name: 'v1', version: '1.0' }), shape => shape, notifier);
const [port, mode] = process.argv.slice(2);

const sessions = new Map();

async function open() {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID, enableJsonResponse: mode !== 'sse', onsessioninitialized: id => sessions.set(id, transport),
  });
  transport.onclose = () => sessions.delete(transport.sessionId);
  await make().connect(transport);
  return transport;
}

async function serve(request, response) {
  const id = request.headers['mcp-session-id'];
  const transport = id ? sessions.get(id) : await open();
  if (transport) return transport.handleRequest(request, response);
  response.writeHead(404).end();
}

if (port) {
  const server = createServer(serve);
  server.keepAliveTimeout = 120_000;
  server.listen(Number(port), '127.0.0.1', 4096);
} else {
  await make().connect(new StdioServerTransport());
}

// A server of the official SDK, version 2: `node v2.mjs` on stdio, `node v2.mjs <port> [sse|stateless]` over HTTP.
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import * as z from 'zod';
import { addTools } from './tools.mjs';

const notifier = context => ({ progressToken: context.mcpReq._meta?.progressToken, notify: context.mcpReq.notify });
// Created once: a server per request would rebuild its schemas.
const schemas = new Map();
const schema = shape => {
  const key = Object.keys(shape).join();
  if (!schemas.has(key)) schemas.set(key, z.object(shape));
  return schemas.get(key);
};
const make = () => addTools(new McpServer({ name: 'v2', version: '2.0' }), schema, notifier);
const [port, mode] = process.argv.slice(2);

const sessions = new Map();

async function open() {
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID, enableJsonResponse: mode !== 'sse', onsessioninitialized: id => sessions.set(id, transport),
  });
  transport.onclose = () => sessions.delete(transport.sessionId);
  await make().connect(transport);
  return transport;
}

async function serveSession(request, response) {
  const id = request.headers['mcp-session-id'];
  const transport = id ? sessions.get(id) : await open();
  if (transport) return transport.handleRequest(request, response);
  response.writeHead(404).end();
}

if (port) {
  const server = createServer(mode === 'stateless' ? toNodeHandler(createMcpHandler(make)) : serveSession);
  server.keepAliveTimeout = 120_000;
  server.listen(Number(port), '127.0.0.1', 4096);
} else {
  await make().connect(new StdioServerTransport());
}

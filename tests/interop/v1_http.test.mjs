import { describe } from 'node:test';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { WebSocketClientTransport } from '@modelcontextprotocol/sdk/client/websocket.js';
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import { checkContent } from './check_content.mjs';
import { checkNotices } from './check_notifications.mjs';
import { checkQuestions } from './check_server_requests.mjs';
import { checkRevisions } from './check_revisions.mjs';
import { conformanceOverHttp } from './support.mjs';
import { opener } from './v1_peer.mjs';

const transports = {
  'Streamable HTTP': origin => new StreamableHTTPClientTransport(new URL(`${origin}/mcp`)),
  'HTTP and SSE': origin => new SSEClientTransport(new URL(`${origin}/sse`)),
  'a WebSocket': origin => new WebSocketClientTransport(new URL(`${origin.replace('http', 'ws')}/ws`)),
};

const era = { stateless: false };
for (const [name, connect] of Object.entries(transports)) {
  describe(`over ${name}`, () => {
    const server = conformanceOverHttp();
    const open = opener(() => connect(server.origin));
    checkContent(open, era);
    checkQuestions(open, era);
    checkNotices(open, era);
    checkRevisions(open, SUPPORTED_PROTOCOL_VERSIONS);
  });
}

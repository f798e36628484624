import { describe } from 'node:test';
import { StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { WebSocketClientTransport } from '@modelcontextprotocol/sdk/client/websocket.js';
import { checkContent } from './check_content.mjs';
import { checkNotices } from './check_notifications.mjs';
import { checkQuestions } from './check_server_requests.mjs';
import { conformanceOverHttp, conformanceServer, gateway, program } from './support.mjs';
import { opener as v1 } from './v1_peer.mjs';
import { opener as v2 } from './v2_peer.mjs';

// The clients.
const fronts = {
  'Streamable HTTP': { open: at => v1(() => new StreamableHTTPClientTransport(new URL(`${at.origin}/mcp`))) },
  'HTTP and SSE': { open: at => v1(() => new SSEClientTransport(new URL(`${at.origin}/sse`))) },
  'a WebSocket': { open: at => v1(() => new WebSocketClientTransport(new URL(`${at.origin.replace('http', 'ws')}/ws`))) },
  'stdin and stdout': {
    open: at => v1(() => new StdioClientTransport({ command: program, args: ['connect', `${at.origin}/mcp`], stderr: 'inherit' })),
  },
  'HTTP without a session': {
    era: { stateless: true, unwatched: true },
    open: at => v2({ pin: '2026-07-28' }, () => new ModernTransport(new URL(`${at.origin}/mcp`))),
  },
};

// The servers, by transport and revision. A shared server with a handshake does not know the capabilities of each client.
// Without a fixed revision, a handshake client gets a handshake with the server.
const hands = { revision: '2025-11-25' };
const backs = {
  'a process': { place: () => ({ command: conformanceServer.command }) },
  'a process that shakes hands': { place: () => ({ command: conformanceServer.command, ...hands }), shared: true },
  'Streamable HTTP': { place: at => ({ url: `${at.origin}/mcp` }) },
  'Streamable HTTP with a session': { place: at => ({ url: `${at.origin}/mcp`, ...hands }), shared: true },
  'a WebSocket': { place: at => ({ url: `${at.origin.replace('http', 'ws')}/ws`, ...hands }), shared: true },
  'HTTP and SSE': { place: at => ({ url: `${at.origin}/sse`, ...hands }), shared: true },
};

// Concurrent, because many tests wait for timers.
describe('the gateway', { concurrency: 4 }, () => {
  for (const [back, { place, shared }] of Object.entries(backs)) {
    for (const [front, { era = { stateless: false }, open }] of Object.entries(fronts)) {
      describe(`from ${front} to ${back}`, { concurrency: 1 }, () => {
        const behind = conformanceOverHttp();
        const at = gateway(() => ({ fixtures: place(behind) }));
        const peer = options => open(at)(options);
        checkContent(peer, era);
        checkQuestions(peer, { ...era, shared: shared || !era.stateless });
        checkNotices(peer, era);
      });
    }
  }
});

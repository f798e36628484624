// Third-party bridges and clients, before and behind the gateway.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { freePort, gateway, textOf } from './support.mjs';
import { opener as v1 } from './v1_peer.mjs';

const timeoutMs = 60_000;

async function withPeer(open, body) {
  const peer = await open({});
  try {
    await body(peer);
  } finally {
    await peer.client.close();
  }
}
const through = at => v1(() => new StreamableHTTPClientTransport(new URL(`${at.origin}/mcp`)));

const answers = port => new Promise(resolve => {
  const socket = connect(port, '127.0.0.1', () => { socket.destroy(); resolve(true); });
  socket.on('error', () => resolve(false));
});

/** Starts a third-party program that listens on a free port; `words(port)` returns its command line. */
function listening(command, words) {
  const at = {};
  let server;
  before(async () => {
    at.port = await freePort();
    server = spawn(command, words(at.port), { stdio: 'ignore' });
    for (const until = Date.now() + timeoutMs; !await answers(at.port);) {
      if (Date.now() > until || server.exitCode !== null) throw new Error(`${command} does not listen`);
      await new Promise(resolve => setTimeout(resolve, 50));
    }
  });
  after(() => server.kill());
  return at;
}

const everything = 'mcp-server-everything';
const bridges = {
  'mcp-proxy over Streamable HTTP': ['mcp-proxy', port => ['--port', port, '--host', '127.0.0.1', '--server', 'stream', '--', everything], port => `http://127.0.0.1:${port}/mcp`],
  'mcp-proxy over HTTP and SSE': ['mcp-proxy', port => ['--port', port, '--host', '127.0.0.1', '--server', 'sse', '--', everything], port => `http://127.0.0.1:${port}/sse`],
  'supergateway over HTTP and SSE': ['supergateway', port => ['--stdio', everything, '--port', port], port => `http://127.0.0.1:${port}/sse`],
  'supergateway over Streamable HTTP': ['supergateway', port => ['--stdio', everything, '--outputTransport', 'streamableHttp', '--stateful', '--port', port], port => `http://127.0.0.1:${port}/mcp`],
  'supergateway without sessions': ['supergateway', port => ['--stdio', everything, '--outputTransport', 'streamableHttp', '--port', port], port => `http://127.0.0.1:${port}/mcp`],
};

for (const [name, [command, words, url]] of Object.entries(bridges)) {
  describe(`behind the gateway: ${name}`, () => {
    const behind = listening(command, words);
    const at = gateway(() => ({ bridged: { url: url(behind.port) } }));
    test('calls its server', () => withPeer(through(at), async ({ client, call }) => {
      assert.ok((await client.listTools()).tools.some(tool => tool.name === 'echo'));
      assert.equal(textOf(await call('echo', { message: 'hi' })), 'Echo: hi');
    }));
  });
}

describe('behind the gateway: server-sequential-thinking', () => {
  const at = gateway(() => ({ thinking: { command: 'mcp-server-sequential-thinking' } }));
  test('is called', () => withPeer(through(at), async ({ client, call }) => {
    const [tool] = (await client.listTools()).tools;
    const thought = { thought: 'a', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 };
    assert.match(textOf(await call(tool.name, thought)), /thoughtHistoryLength/);
  }));
});

describe('in front of the gateway', () => {
  const at = gateway(() => ({ everything: { command: everything } }));

  for (const [transport, path] of [['http-only', '/mcp'], ['sse-only', '/sse'], ['http-first', '/mcp']]) {
    test(`mcp-remote, ${transport}`, () => {
      const args = [`${at.origin}${path}`, '--allow-http', '--transport', transport];
      const open = v1(() => new StdioClientTransport({ command: 'mcp-remote', args, stderr: 'ignore', env: process.env }));
      return withPeer(open, async ({ call }) => assert.equal(textOf(await call('echo', { message: 'hi' })), 'Echo: hi'));
    });
  }

  test('mcporter', () => new Promise((resolve, reject) => {
    const args = ['call', `${at.origin}/mcp.echo`, 'message=hi', '--allow-http'];
    execFile('mcporter', args, { timeout: timeoutMs }, (error, out) => {
      if (error) return reject(error);
      assert.match(out, /Echo: hi/);
      resolve();
    });
  }));
});

// Behaviour of third-party servers that differs from ours, behind the gateway, with clients of both eras.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, test } from 'node:test';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { everythingOverHttp, gateway, program, textOf } from './support.mjs';
import { opener as v1 } from './v1_peer.mjs';

const meta = 'io.modelcontextprotocol/';

/** Sends a request of the newest revision. Returns status and response. */
async function ask(at, method, params, capabilities = {}) {
  const name = params.name ?? params.uri;
  const headers = {
    'Content-Type': 'application/json', 'Accept': 'application/json, text/event-stream',
    'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': method, ...(name && { 'Mcp-Name': name }),
  };
  const _meta = { [`${meta}protocolVersion`]: '2026-07-28', [`${meta}clientCapabilities`]: capabilities };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } });
  const response = await fetch(`${at.origin}/mcp`, { method: 'POST', headers, body });
  const text = await response.text();
  return { status: response.status, ...JSON.parse(text.match(/^(?:data: )?(\{.*\})$/m)[1]) };
}

const legacy = (at, options = {}) => v1(() => new StreamableHTTPClientTransport(new URL(`${at.origin}/mcp`)))(options);

async function withLegacy(at, body, options) {
  const peer = await legacy(at, options);
  try {
    await body(peer);
  } finally {
    await peer.client.close();
  }
}

describe('errors of version 2 of the SDK', () => {
  const at = gateway(() => ({ v2: { command: 'node', args: ['v2_server.mjs'], era: 'stateless' } }));

  test('Finding_P3: a missing capability is 400 for a modern client', async () => {
    const { status, error } = await ask(at, 'tools/call', { name: 'survey', arguments: {} });
    assert.equal(error.code, -32021);
    assert.ok(error.data.requiredCapabilities, JSON.stringify(error));
    assert.equal(status, 400);
  });

  test("Finding_P3: a missing capability is a tool error for a legacy client", () => withLegacy(at, async ({ call }) => {
    const result = await call('survey');
    assert.equal(result.isError, true);
    assert.ok(textOf(result).length > 0);
  }));

  test('Finding_P3: a missing resource has the code of each era', async () => {
    const { error } = await ask(at, 'resources/read', { uri: 'note://none' });
    assert.equal(error.code, -32602);
    await withLegacy(at, ({ client }) => assert.rejects(client.readResource({ uri: 'note://none' }), { code: -32002 }));
  });
});

describe('errors of version 1 of the SDK', () => {
  const at = gateway(() => ({ v1: { command: 'node', args: ['v1_server.mjs'] } }));

  test('Finding_P3: a missing resource has the modern code and its URI', async () => {
    const { error } = await ask(at, 'resources/read', { uri: 'note://none' });
    assert.deepEqual([error.code, error.data], [-32602, { uri: 'note://none' }]);
  });

  test('Finding_P3: a required URL elicitation is an input request for a modern client', async () => {
    const capabilities = { elicitation: { url: {} } };
    const { result } = await ask(at, 'tools/call', { name: 'private', arguments: { who: 'ann' } }, capabilities);
    assert.equal(result.resultType, 'input_required');
    const [[key, question]] = Object.entries(result.inputRequests);
    assert.deepEqual(question.params, { mode: 'url', message: 'Sign in', url: 'https://example.com/in' });
    const inputResponses = { [key]: { action: 'accept' } };
    const again = await ask(at, 'tools/call', { name: 'private', arguments: { who: 'ann' }, inputResponses }, capabilities);
    assert.equal(textOf(again.result), 'signed in');
  });

  test('Finding_P3: a required URL elicitation keeps its code for a client that knows it', () => withLegacy(at, async ({ call }) => {
    await assert.rejects(call('private', { who: 'ben' }), error => error.code === -32042 && error.data.elicitations[0].url === 'https://example.com/in');
    assert.equal(textOf(await call('private', { who: 'ben' })), 'signed in');
  }));

  test('Finding_P3: an unknown tool is reported in the result', async () => {
    const { status, error } = await ask(at, 'tools/call', { name: 'nope', arguments: {} });
    assert.deepEqual([status, error.code], [200, -32602]);
  });
});

describe('a server of FastMCP', () => {
  const at = gateway(() => ({ fast: { command: 'node', args: ['fastmcp_server.mjs'] } }));

  test('is called in both eras', async () => {
    const { result } = await ask(at, 'tools/call', { name: 'echo', arguments: { text: 'hi' } });
    assert.equal(textOf(result), 'hi');
    await withLegacy(at, async ({ call }) => assert.equal(textOf(await call('echo', { text: 'hi' })), 'hi'));
  });

  test('Finding_P3: reports an unknown tool in both eras', async () => {
    const { error } = await ask(at, 'tools/call', { name: 'nope', arguments: {} });
    assert.match(error.message, /nope/);
    await withLegacy(at, ({ call }) => assert.rejects(call('nope'), { code: error.code }));
  });
});

describe('supergateway as a process', () => {
  const behind = everythingOverHttp('streamableHttp');
  const words = () => ['--streamableHttp', `http://127.0.0.1:${behind.port}/mcp`, '--logLevel', 'none'];
  const at = gateway(() => ({ bridged: { command: 'supergateway', args: words() } }));

  test('Finding_P2: connects although it takes our first message for initialize', async () => {
    const { result } = await ask(at, 'tools/call', { name: 'echo', arguments: { message: 'hi' } });
    assert.equal(textOf(result), 'Echo: hi');
    await withLegacy(at, async ({ call }) => assert.equal(textOf(await call('echo', { message: 'hi' })), 'Echo: hi'));
  });

  test('Finding_P2: is reachable by fairlead call', () => new Promise((resolve, reject) => {
    execFile(program, ['call', 'echo', 'message=hi', '--', 'supergateway', ...words()], (error, out) => {
      if (error) return reject(error);
      assert.equal(out.trim(), 'Echo: hi');
      resolve();
    });
  }));
});

describe('a server of both eras', () => {
  const at = gateway(() => ({ v2: { command: 'node', args: ['v2_server.mjs'] } }));

  test('Finding_P4: sends requests to a legacy client', () => withLegacy(at, async ({ call }) => {
    assert.equal(textOf(await call('greet')), 'Hello, Ann!');
  }, {
    capabilities: { elicitation: {} },
    answers: { 'elicitation/create': () => ({ action: 'accept', content: { name: 'Ann' } }) },
  }));

  test('Finding_P4: sends input-required results to a modern client', async () => {
    const { result } = await ask(at, 'tools/call', { name: 'greet', arguments: {} }, { elicitation: {} });
    assert.equal(result.resultType, 'input_required');
  });

  test('Finding_P4: accepts subscriptions of a legacy client', () => withLegacy(at, async ({ client }) => {
    await client.subscribeResource({ uri: 'note://one' });
    await client.unsubscribeResource({ uri: 'note://one' });
  }));
});

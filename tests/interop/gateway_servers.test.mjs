import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { WebSocketClientTransport } from '@modelcontextprotocol/sdk/client/websocket.js';
import { everythingOverHttp, gateway, program, textOf } from './support.mjs';
import { opener as v1 } from './v1_peer.mjs';
import { opener as v2 } from './v2_peer.mjs';

const modern = path => at => v2({ pin: '2026-07-28' }, () => new ModernTransport(new URL(`${at.origin}${path}/mcp`)));
const fronts = {
  'Streamable HTTP': path => at => v1(() => new StreamableHTTPClientTransport(new URL(`${at.origin}${path}/mcp`))),
  'HTTP and SSE': path => at => v1(() => new SSEClientTransport(new URL(`${at.origin}${path}/sse`))),
  'a WebSocket': path => at => v1(() => new WebSocketClientTransport(new URL(`${at.origin.replace('http', 'ws')}${path}/ws`))),
  'HTTP without a session': modern,
};

const named = (client, name) => client.listTools().then(({ tools }) => tools.find(tool => tool.name === name));

async function withClient(open, body, options = {}) {
  const peer = await open(options);
  try {
    await body(peer);
  } finally {
    await peer.client.close();
  }
}

describe('three third-party servers behind one endpoint', () => {
  const at = gateway(async folder => {
    await writeFile(join(folder, 'a.txt'), 'hello from a file');
    return {
      everything: { command: 'mcp-server-everything' },
      files: { command: 'mcp-server-filesystem', args: [folder] },
      memory: { command: 'mcp-server-memory', env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') } },
    };
  });

  for (const [front, open] of Object.entries(fronts)) {
    test(`all tools are listed over ${front}, and reach their servers`, () => withClient(open('')(at), async ({ client, call }) => {
      const names = (await client.listTools()).tools.map(tool => tool.name);
      for (const name of ['echo', 'read_text_file', 'create_entities']) assert.ok(names.includes(name), `${name} of ${names}`);
      assert.equal(textOf(await call('echo', { message: 'hi' })), 'Echo: hi');
      assert.match(textOf(await call('list_allowed_directories')), /fairlead-gateway/);
      const entities = [{ name: front, entityType: 'front', observations: ['seen'] }];
      assert.match(textOf(await call('create_entities', { entities })), /seen/);
    }));

    test(`each server has its own path over ${front}`, () => withClient(open('/s/memory')(at), async ({ client, call }) => {
      assert.equal(await named(client, 'echo'), undefined);
      assert.ok(await named(client, 'read_graph'));
      assert.match(textOf(await call('read_graph')), /entities/);
    }));

    test(`resources, prompts and progress of a third-party server pass over ${front}`, () =>
      withClient(open('/s/everything')(at), async ({ client, call }) => {
        const { resources } = await client.listResources();
        assert.ok(resources.length > 0);
        const { contents } = await client.readResource({ uri: resources[0].uri });
        assert.equal(contents[0].uri, resources[0].uri);
        const { prompts } = await client.listPrompts();
        assert.ok(prompts.some(prompt => prompt.name === 'simple-prompt'));
        assert.ok((await client.getPrompt({ name: 'simple-prompt' })).messages.length > 0);
        assert.match(textOf(await call('get-sum', { a: 1, b: 2 })), /3/);
      }));
  }

  test('the Inspector lists and calls through it', async () => {
    const inspect = (...words) => new Promise((resolve, reject) =>
      execFile('mcp-inspector', ['--cli', `${at.origin}/mcp`, '--transport', 'http', ...words], (error, out) =>
        error ? reject(error) : resolve(JSON.parse(out))));
    const { tools } = await inspect('--method', 'tools/list');
    assert.ok(tools.some(tool => tool.name === 'read_text_file'));
    const callResult = await inspect('--method', 'tools/call', '--tool-name', 'echo', '--tool-arg', 'message=hi');
    assert.equal(textOf(callResult), 'Echo: hi');
  });
});

for (const [mode, url] of [['streamableHttp', port => `http://127.0.0.1:${port}/mcp`], ['sse', port => `http://127.0.0.1:${port}/sse`]]) {
  describe(`server-everything in mode ${mode}`, () => {
    const behind = everythingOverHttp(mode);
    const at = gateway(() => ({ everything: { url: url(behind.port) } }));
    for (const [front, open] of Object.entries(fronts)) {
      test(`is called over ${front}`, () => withClient(open('')(at), async ({ client, call }) => {
        assert.ok(await named(client, 'echo'));
        assert.equal(textOf(await call('echo', { message: 'hi' })), 'Echo: hi');
      }));
    }
    test('is called by fairlead call over stdin and stdout', () => new Promise((resolve, reject) => {
      const words = ['call', 'echo', 'message=hi', '--', program, 'connect', url(behind.port)];
      execFile(program, words, (error, out) => {
        if (error) return reject(error);
        assert.equal(out.trim(), 'Echo: hi');
        resolve();
      });
    }));
  });
}

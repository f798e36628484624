import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { gateway, textOf } from './support.mjs';
import { opener } from './v1_peer.mjs';

// Each middleware between the official client and the official server that has everything.
const everything = () => ({ everything: { command: 'mcp-server-everything' } });

async function through(at, body, headers = {}) {
  const open = opener(() => new StreamableHTTPClientTransport(new URL(`${at.origin}/mcp`), { requestInit: { headers } }));
  const peer = await open();
  try {
    await body(peer, at);
  } finally {
    await peer.client.close();
  }
}
const names = async client => (await client.listTools()).tools.map(tool => tool.name);
const refused = (promise, pattern) => assert.rejects(promise, error => pattern.test(error.message));

const steps = {
  allow: [['allow(get-*, server=every*)'], async ({ client, call }) => {
    assert.ok((await names(client)).every(name => name.startsWith('get-')));
    assert.match(textOf(await call('get-sum', { a: 1, b: 2 })), /3/);
    await refused(call('echo', { message: 'hi' }), /not allowed|[Uu]nknown tool/);
  }],
  deny: [['deny(echo)', { deny: { method: ['prompts/*'] } }], async ({ client, call }) => {
    assert.ok(!(await names(client)).includes('echo'));
    await refused(call('echo', { message: 'hi' }), /not allowed|[Uu]nknown tool/);
    await refused(client.listPrompts(), /not allowed|not found/);
  }],
  breaker: [['breaker(2, open=30s)'], async ({ call }) => {
    for (let i = 0; i < 5; ++i) assert.equal(textOf(await call('echo', { message: 'hi' })), 'Echo: hi');
  }],
  cache: [['cache(60s, tool=get-env)'], async ({ call }) => {
    assert.deepEqual(await call('get-env'), await call('get-env'));
  }],
  cli: [['cli(true, said="echo said")'], async ({ client, call }) => {
    const all = await names(client);
    for (const name of ['echo', 'true', 'said']) assert.ok(all.includes(name), name);
    assert.match(textOf(await call('said', { _args: ['a b'] })), /said a b/);
    assert.equal(textOf(await call('echo', { message: 'hi' })), 'Echo: hi');
  }],
  describe: [[{ describe: { echo: 'Says it again. {}' } }], async ({ client }) => {
    const tool = (await client.listTools()).tools.find(({ name }) => name === 'echo');
    assert.match(tool.description, /^Says it again\. ./);
    assert.ok(tool.inputSchema.properties.message);
  }],
  fault: [['fault(error=100%, tool=echo)'], async ({ call }) => {
    await refused(call('echo', { message: 'hi' }), /503/);
    assert.match(textOf(await call('get-sum', { a: 1, b: 2 })), /3/);
  }],
  limit: [['limit(1/h, burst=2)'], async ({ call }) => {
    for (let i = 0; i < 2; ++i) await call('echo', { message: 'hi' });
    await refused(call('echo', { message: 'hi' }), /too often/);
    assert.match(textOf(await call('get-sum', { a: 1, b: 2 })), /3/);
  }],
  log: [['log(outer, format=json)'], async ({ call }, at) => {
    await call('echo', { message: 'hi' });
    const line = at.said.split('\n').find(text => text.includes('"about":"echo"'));
    const record = JSON.parse(line.slice(line.indexOf('{')));
    assert.equal(record.server, 'everything');
    assert.equal(record.error, 0);
    assert.ok(record.ms >= 0);
  }],
  redact: [['redact(secret=hunter2-and-more)'], async ({ call }) => {
    assert.equal(textOf(await call('echo', { message: 'it is hunter2-and-more' })), 'Echo: it is [redacted]');
  }],
  rename: [['rename(echo=say)'], async ({ client, call }) => {
    assert.ok((await names(client)).includes('say'));
    assert.equal(textOf(await call('say', { message: 'hi' })), 'Echo: hi');
    await refused(call('echo', { message: 'hi' }), /[Uu]nknown tool|no such tool/);
  }],
  retry: [['retry(2, delay=10ms)'], async ({ call }) => {
    assert.equal(textOf(await call('echo', { message: 'hi' })), 'Echo: hi');
  }],
  search: [['search'], async ({ client, call }) => {
    assert.deepEqual(await names(client), ['find_tools', 'describe_tool', 'call_tool']);
    assert.match(textOf(await call('find_tools', { query: 'add two numbers' })), /get-sum/);
    assert.match(textOf(await call('describe_tool', { name: 'get-sum' })), /inputSchema/);
    assert.match(textOf(await call('call_tool', { name: 'get-sum', arguments: { a: 1, b: 2 } })), /3/);
  }],
  timeout: [['timeout(300ms)'], async ({ call }) => {
    await refused(call('trigger-long-running-operation', { duration: 20, steps: 1 }), /sign of life|did not answer/);
  }],
  'ten at once': [['log', 'deny(nothing)', 'limit(1000/s)', 'rename(x=y)', 'describe(x=y)', 'cache', 'redact', 'breaker', 'retry',
    'timeout(30s)'], async ({ client, call }) => {
    assert.ok((await names(client)).includes('echo'));
    assert.equal(textOf(await call('echo', { message: 'hi' })), 'Echo: hi');
    assert.ok((await client.listResources()).resources.length > 0);
  }],
};

describe('middleware', { concurrency: 4 }, () => {
  for (const [name, [chain, body]] of Object.entries(steps)) {
    describe(name, () => {
      const at = gateway(everything, () => ({ chain }));
      test('does its work before a server of others', () => through(at, body));
    });
  }

  describe('lua', () => {
    const at = gateway(everything, async folder => {
      const file = join(folder, 'guard.lua');
      await writeFile(file, `
        function metadata(next, value)
          local result = next(value)
          for _, tool in ipairs(result.tools or {}) do tool.description = "Seen by Lua" end
          return result
        end
        function request(next, value)
          local name = value.params.name
          if name == "get-env" then return nil, "not for you" end
          if name == "get-sum" then while true do end end
          local result = next(value)
          if name == "echo" then result.content[1].text = result.content[1].text .. "!" end
          return result
        end`);
      return { chain: [{ lua: { file } }] };
    });
    test('changes what it wants, and its failures are its own', () => through(at, async ({ client, call }) => {
      assert.ok((await client.listTools()).tools.every(tool => tool.description === 'Seen by Lua'));
      assert.equal(textOf(await call('echo', { message: 'hi' })), 'Echo: hi!');
      await refused(call('get-env'), /not for you/);
      await refused(call('get-sum', { a: 1, b: 2 }), /guard\.lua:10: runs for too long/);
      assert.equal(textOf(await call('echo', { message: 'hi' })), 'Echo: hi!');
    }));
  });

  describe('auth', () => {
    const keys = Object.fromEntries(['ann', 'bob'].map(name => [name, createHash('sha256').update(`of ${name}`).digest('hex')]));
    const at = gateway(everything, () => ({ listen: { port: 0, keys }, chain: ['auth(ann)'] }));
    test('lets in whom it names', async () => {
      await through(at, async ({ call }) => {
        assert.equal(textOf(await call('echo', { message: 'hi' })), 'Echo: hi');
      }, { Authorization: 'Bearer of ann' });
      await refused(through(at, () => {}, { Authorization: 'Bearer of bob' }), /may not call here/);
    });
  });

  describe('headers', () => {
    const seen = [];
    let server, front;
    before(async () => {
      front = createServer((incoming, answer) => {
        seen.push(incoming.headers);
        const { port } = front.behind;
        const outgoing = request({ port, path: incoming.url, method: incoming.method, headers: incoming.headers }, reply => {
          answer.writeHead(reply.statusCode, reply.headers);
          reply.pipe(answer);
        });
        outgoing.on('error', () => answer.destroy());
        incoming.pipe(outgoing);
      });
      await new Promise(resolve => front.listen(0, '127.0.0.1', resolve));
      front.behind = { port: 20_000 + Math.floor(Math.random() * 20_000) };
      server = spawn('mcp-server-everything', ['streamableHttp'], { env: { ...process.env, PORT: front.behind.port }, stdio: ['ignore', 'ignore', 'pipe'] });
      await new Promise(resolve => server.stderr.on('data', said => /listening|running/i.test(said) && resolve()));
    });
    after(() => {
      server.kill();
      front.closeAllConnections();
      front.close();
    });
    const keys = { ann: createHash('sha256').update('of ann').digest('hex') };
    const at = gateway(() => ({ everything: { url: `http://127.0.0.1:${front.address().port}/mcp` } }), () => ({
      listen: { port: 0, keys },
      chain: [{ headers: { who: 'ann', Authorization: 'Bearer for the server' } }, 'headers(X-Team=blue)'],
    }));
    test('go with the requests, and the credentials of the client do not', async () => {
      await through(at, async ({ call }) => {
        assert.equal(textOf(await call('echo', { message: 'hi' })), 'Echo: hi');
      }, { Authorization: 'Bearer of ann', 'X-Secret': 'mine' });
      const calls = seen.filter(headers => headers['x-team'] === 'blue');
      assert.ok(calls.length > 0);
      assert.ok(calls.every(headers => headers.authorization === 'Bearer for the server'));
      assert.ok(!JSON.stringify(seen).includes('of ann') && !JSON.stringify(seen).includes('mine'));
    });
  });
});

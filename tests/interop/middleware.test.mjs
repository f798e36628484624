import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { eventually, everythingOverHttp, gateway, program, textOf } from './support.mjs';
import { opener } from './v1_peer.mjs';

const run = promisify(execFile);

// Each middleware between the official client and server-everything.
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

/** Waits for log lines about a target, because they arrive independently of the responses. */
async function logged(at, about) {
  const lines = () => at.printed.split('\n').filter(text => text.includes(`"target":"${about}"`));
  for (const until = Date.now() + 30000; lines().length === 0;) {
    assert.ok(Date.now() < until, `nothing about ${about} in ${at.printed}`);
    await new Promise(resolve => setTimeout(resolve, 20));
  }
  return lines();
}

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
  breaker: [['breaker(2, open=10m)', 'fault(error=100%, tool=get-sum)'], async ({ call }) => {
    for (let i = 0; i < 5; ++i) assert.equal(textOf(await call('echo', { message: 'hi' })), 'Echo: hi');
    for (let i = 0; i < 2; ++i) await refused(call('get-sum', { a: 1, b: 2 }), /503/);
    await refused(call('echo', { message: 'hi' }), /failed 2 times|retry|again in/i);
  }],
  cli: [['cli(true, greet="echo hello")'], async ({ client, call }) => {
    const all = await names(client);
    for (const name of ['echo', 'true', 'greet']) assert.ok(all.includes(name), name);
    assert.match(textOf(await call('greet', { _args: ['a b'] })), /hello a b/);
    assert.equal(textOf(await call('echo', { message: 'hi' })), 'Echo: hi');
  }],
  describe: [[{ describe: { echo: 'Says it again. {}' } }], async ({ client }) => {
    const tool = (await client.listTools()).tools.find(({ name }) => name === 'echo');
    assert.match(tool.description, /^Says it again\. ./);
    assert.ok(tool.inputSchema.properties.message);
  }],
  fault: [['fault(error=100%, tool=echo)', 'fault(truncate=1, tool=get-env)', 'fault(latency=300ms, tool=get-sum)'], async ({ call }) => {
    await refused(call('echo', { message: 'hi' }), /503/);
    await refused(call('get-env'), /ends after \d+ of \d+ bytes/);
    const begun = performance.now();
    assert.match(textOf(await call('get-sum', { a: 1, b: 2 })), /3/);
    assert.ok(performance.now() - begun >= 295);
  }],
  'fault, answers that get lost': [['timeout(400ms)', 'fault(drop=1, tool=echo)', 'fault(wrong_id=1, tool=get-sum)'], async ({ call }) => {
    await refused(call('echo', { message: 'hi' }), /no progress|did not answer|no answer/);
    await refused(call('get-sum', { a: 1, b: 2 }), /no progress|did not answer|no answer/);
    // On a busy machine a good answer may come too late as well.
    await eventually(() => call('get-env').then(textOf, error => error.message), text => text.includes('PATH'));
  }],
  'fault, answers that are overtaken': [['fault(reorder=50%, seed=3)'], async ({ call }) => {
    const round = async () => {
      const order = [];
      await Promise.all(Array.from({ length: 8 }, async (_, i) => {
        assert.equal(textOf(await call('echo', { message: `${i}` })), `Echo: ${i}`);
        order.push(i);
      }));
      return order;
    };
    const inOrder = order => order.every((value, i) => value === i);
    await eventually(round, order => !inOrder(order));
  }],
  'fault, a slow stream': [['fault(slow=200ms, tool=trigger-*)'], async ({ client }) => {
    const params = { name: 'trigger-long-running-operation', arguments: { duration: 0.02, steps: 3 } };
    const round = async () => {
      const times = [performance.now()];
      await client.callTool(params, undefined, { onprogress: () => times.push(performance.now()) });
      times.push(performance.now());
      assert.ok(times.at(-1) - times[0] >= 3 * 195, `${times}`);
      return times.slice(1).map((time, i) => time - times[i]);
    };
    await eventually(round, gaps => gaps.filter(gap => gap >= 150).length >= 3);
  }],
  limit: [['limit(1/h, burst=2)'], async ({ call }) => {
    for (let i = 0; i < 2; ++i) await call('echo', { message: 'hi' });
    await refused(call('echo', { message: 'hi' }), /too often/);
    assert.match(textOf(await call('get-sum', { a: 1, b: 2 })), /3/);
  }],
  log: [['log(outer, format=json)'], async ({ call }, at) => {
    await call('echo', { message: 'hi' });
    const [line] = await logged(at, 'echo');
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
  retry: [['retry(9, delay=1ms)', 'fault(error=50%, seed=7)'], async ({ client, call }) => {
    for (let i = 0; i < 10; ++i) assert.ok((await client.listPrompts()).prompts.length > 0);
    const ended = await Promise.allSettled(Array.from({ length: 20 }, () => call('echo', { message: 'hi' })));
    assert.ok(ended.some(({ status }) => status === 'rejected'), 'what may have been made is not made again');
  }],
  search: [['search'], async ({ client, call }) => {
    assert.deepEqual(await names(client), ['find_tools', 'describe_tool', 'call_tool']);
    assert.match(textOf(await call('find_tools', { query: 'add two numbers' })), /get-sum/);
    assert.match(textOf(await call('describe_tool', { name: 'get-sum' })), /inputSchema/);
    assert.match(textOf(await call('call_tool', { name: 'get-sum', arguments: { a: 1, b: 2 } })), /3/);
  }],
  timeout: [['timeout(300ms)'], async ({ call }) => {
    await refused(call('trigger-long-running-operation', { duration: 20, steps: 1 }), /no progress|did not answer/);
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
      test('works in front of a third-party server', () => through(at, body));
    });
  }

  // server-everything sends list_changed at some time after its start, which clears the cache. This server never does.
  describe('cache', () => {
    const memory = () => ({ memory: { command: 'mcp-server-memory' } });
    const at = gateway(memory, () => ({ chain: ['cache(60s, tool=search_nodes)', 'log(inner, format=json)'] }));
    test('works in front of a third-party server', () => through(at, async ({ call }) => {
      for (let i = 0; i < 3; ++i) assert.match(textOf(await call('search_nodes', { query: 'hi' })), /"entities": \[\]/);
      await call('search_nodes', { query: 'other' });
      await call('read_graph');
      // The earlier calls are in the log by then.
      await logged(at, 'read_graph');
      assert.equal((await logged(at, 'search_nodes')).length, 2);
    }));
  });

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
    test('changes calls, and its errors are reported', () => through(at, async ({ client, call }) => {
      assert.ok((await client.listTools()).tools.every(tool => tool.description === 'Seen by Lua'));
      assert.equal(textOf(await call('echo', { message: 'hi' })), 'Echo: hi!');
      await refused(call('get-env'), /not for you/);
      await refused(call('get-sum', { a: 1, b: 2 }), /guard\.lua:10: runs for too long/);
      assert.equal(textOf(await call('echo', { message: 'hi' })), 'Echo: hi!');
    }));
  });

  describe('pin', () => {
    const sha256 = text => createHash('sha256').update(text).digest('hex');
    const at = gateway(everything, async folder => {
      const pins = join(folder, 'pins.json'), config = join(folder, 'pin.json');
      await writeFile(config, JSON.stringify({ pins, servers: everything() }));
      await run(program, ['pin', 'approve', 'everything', '-c', config, '--timeout', '60s']);
      // Pins as if one tool had another description and one was not approved.
      const approved = JSON.parse(await readFile(pins, 'utf8'));
      const { tools } = approved.servers.everything;
      tools['get-sum'].definition.description = 'Adds, and nothing else';
      tools['get-sum'].sha256 = sha256(JSON.stringify(tools['get-sum'].definition));
      delete tools['get-tiny-image'];
      await writeFile(pins, JSON.stringify(approved));
      return { pins };
    });
    test('hides tools that differ from the approved definition', () => through(at, async ({ client, call }) => {
      const all = await names(client);
      assert.ok(all.includes('echo') && !all.includes('get-sum') && !all.includes('get-tiny-image'), all);
      assert.equal(textOf(await call('echo', { message: 'hi' })), 'Echo: hi');
      await refused(call('get-sum', { a: 1, b: 2 }), /not the approved one.*fairlead pin diff everything/);
      await refused(call('get-tiny-image'), /it was not approved/);
    }));
  });

  describe('auth', () => {
    const keys = Object.fromEntries(['ann', 'bob'].map(name => [name, createHash('sha256').update(`of ${name}`).digest('hex')]));
    const at = gateway(everything, () => ({ listen: { port: 0, keys }, chain: ['auth(ann)'] }));
    test('accepts the named principals', async () => {
      await through(at, async ({ call }) => {
        assert.equal(textOf(await call('echo', { message: 'hi' })), 'Echo: hi');
      }, { Authorization: 'Bearer of ann' });
      await refused(through(at, () => {}, { Authorization: 'Bearer of bob' }), /may not call here/);
    });
  });

  describe('headers', () => {
    const seen = [];
    const server = everythingOverHttp('streamableHttp');
    let front;
    before(async () => {
      front = createServer((incoming, answer) => {
        seen.push(incoming.headers);
        const outgoing = request({ host: '127.0.0.1', port: server.port, path: incoming.url, method: incoming.method, headers: incoming.headers }, reply => {
          answer.writeHead(reply.statusCode, reply.headers);
          reply.pipe(answer);
        });
        outgoing.on('error', () => answer.destroy());
        incoming.pipe(outgoing);
      });
      await new Promise(resolve => front.listen(0, '127.0.0.1', resolve));
    });
    after(() => {
      front.closeAllConnections();
      front.close();
    });
    const listed = gateway(() => ({ everything: { url: `http://127.0.0.1:${front.address().port}/mcp` } }), () => ({
      chain: ['headers(forward=X-Team, forward=X-Client-Key:Authorization)'],
    }));
    test('of the client reach the server only if they are configured', async () => {
      seen.length = 0;
      await through(listed, async ({ call }) => {
        assert.equal(textOf(await call('echo', { message: 'hi' })), 'Echo: hi');
      }, { 'X-Team': 'red', 'X-Client-Key': 'Bearer mapped', Authorization: 'Bearer unmapped', 'X-Secret': 'unmapped' });
      const calls = seen.filter(headers => headers['x-team'] === 'red');
      assert.ok(calls.length > 0);
      assert.ok(calls.every(headers => headers.authorization === 'Bearer mapped'));
      assert.ok(!JSON.stringify(seen).includes('unmapped') && !JSON.stringify(seen).includes('x-client-key'));
    });
    const keys = { ann: createHash('sha256').update('of ann').digest('hex') };
    const at = gateway(() => ({ everything: { url: `http://127.0.0.1:${front.address().port}/mcp` } }), () => ({
      listen: { port: 0, keys },
      chain: [{ headers: { caller: 'ann', Authorization: 'Bearer for the server' } }, 'headers(X-Team=blue)'],
    }));
    test('are sent with requests, without the credentials of the client', async () => {
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

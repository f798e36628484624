// A gateway before a protected server, for tests of the gateway's sign-ins.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { program } from './support.mjs';

/** The outcome of a command that must succeed. */
export const succeeds = done => {
  assert.equal(done.code, 0, done.stderr + done.stdout);
  return done;
};

/** Starts a gateway with the server `tickets` and waits until it listens. `output()` is all that it has printed. */
export async function startGateway(t, world, auth, { listen = {}, ...rest } = {}) {
  const file = join(world.folder, `gateway-${Math.random()}.json`);
  const config = { servers: { tickets: { url: world.url, auth } }, listen: { port: 0, ...listen }, control: 'off', ...rest };
  await writeFile(file, JSON.stringify(config));
  const child = spawn(program, ['serve', '-c', file, '--debug'], { env: world.env, stdio: ['ignore', 'pipe', 'pipe'] });
  t.after(() => child.kill());
  let output = '';
  const url = await new Promise((resolve, reject) => {
    const read = text => {
      output += text;
      const found = output.match(/http:\/\/127\.0\.0\.1:\d+\/mcp/);
      if (found) resolve(found[0]);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    once(child, 'close').then(([code]) => reject(new Error(`the gateway ended with ${code}: ${output}`)));
  });
  return { url, file, output: () => output };
}

/** Calls the tool `who`. Returns the HTTP status and the result. */
export async function who({ url }, { key, elicitation = false } = {}) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': elicitation ? { elicitation: { url: {} } } : {},
  };
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json', accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'who',
      ...(key && { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'who', arguments: {}, _meta: meta } }),
  });
  const text = await response.text();
  const { result, error } = JSON.parse(text.match(/^data: (.*)$/m)?.[1] ?? text);
  return { status: response.status, result, error, text: result?.content?.map(block => block.text).join('\n') ?? error?.message };
}

/** Repeats a round until its outcome is as expected. */
export const until = async (round, expected) => {
  for (const end = Date.now() + 20_000; ;) {
    const outcome = await round();
    if (expected(outcome)) return outcome;
    assert.ok(Date.now() < end, `the last outcome was ${JSON.stringify(outcome)}`);
  }
};

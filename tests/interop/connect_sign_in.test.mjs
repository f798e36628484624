// fairlead connect with a server that requires OAuth, used by a client of the official SDK.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { browse } from './http_browser.mjs';
import { signInWorld } from './sign_in_fixture.mjs';
import { program, textOf } from './support.mjs';

const patient = { timeout: 120_000 };

async function connect(t, world, { browser = world.env.BROWSER, capabilities = {}, options = [] } = {}) {
  const client = new Client({ name: 'host', version: '1' }, { capabilities });
  const transport = new StdioClientTransport({
    command: program, args: ['connect', world.url, ...options], env: { ...world.env, BROWSER: browser }, stderr: 'pipe',
  });
  let printed = '';
  transport.stderr.on('data', text => { printed += text; });
  t.after(() => client.close());
  await client.connect(transport, patient);
  return { client, who: () => client.callTool({ name: 'who', arguments: {} }, undefined, patient), printed: () => printed };
}

test('connect opens the browser, and the session works after the sign-in', async t => {
  const world = await signInWorld(t);
  const { who, printed } = await connect(t, world);
  assert.equal(textOf(await who()), 'ann mcp:read');
  assert.match(printed(), new RegExp(`${world.issuer.issuer}/auth\\?`), 'the URL is printed to stderr');
  assert.equal(world.issuer.requests.authorization_code, 1);
});

test('connect uses the login of fairlead login', async t => {
  const world = await signInWorld(t);
  assert.equal((await world.fairlead(['login', world.url])).code, 0);
  const { who } = await connect(t, world, { browser: '' });
  assert.equal(textOf(await who()), 'ann mcp:read');
});

test('without a browser, initialize is answered with the command to run', async t => {
  const world = await signInWorld(t);
  await assert.rejects(connect(t, world, { browser: '' }), error => {
    assert.match(error.message, new RegExp(`run: fairlead login ${world.url}`));
    return true;
  });
  assert.deepEqual(world.issuer.requests, {});
});

test('a running connect stops using a login that was ended by logout', async t => {
  const world = await signInWorld(t, { issuer: { tokenSeconds: 3600 } });
  assert.equal((await world.fairlead(['login', world.url])).code, 0);
  const { who } = await connect(t, world, { browser: '' });
  assert.equal(textOf(await who()), 'ann mcp:read');
  assert.equal((await world.fairlead(['logout', world.url])).code, 0);
  await assert.rejects(who(), new RegExp(`run: fairlead login ${world.url}`));
  assert.equal((await world.fairlead(['login', world.url])).code, 0);
  assert.equal(textOf(await who()), 'ann mcp:read');
});

test('connect signs in with a code on another device', async t => {
  const world = await signInWorld(t);
  const { who, printed } = await connect(t, world, { options: ['--device'] });
  assert.equal(textOf(await who()), 'ann mcp:read');
  assert.match(printed(), /Enter the code: \w{4}-\w{4}/);
  assert.equal(world.issuer.requests['urn:ietf:params:oauth:grant-type:device_code'], 1);
});

test('connect asks for more scopes when the server requires them', async t => {
  const world = await signInWorld(t, { server: { requiredScopes: ['mcp:read', 'mcp:write'] } });
  assert.equal((await world.fairlead(['login', world.url, '--scope', 'mcp:read'])).code, 0);
  const { who } = await connect(t, world);
  assert.equal(textOf(await who()), 'ann mcp:read mcp:write');
  assert.equal(world.issuer.requests.authorization_code, 2);
});

test('connect sends DPoP proofs with nonces', async t => {
  const world = await signInWorld(t, { issuer: { requireNonce: true }, server: { dpop: true } });
  const { who } = await connect(t, world);
  assert.equal(textOf(await who()), 'ann mcp:read');
  assert.ok(world.server.accepted.proofs > 1);
});

test('a host that shows URLs gets the page of a sign-in during the session', async t => {
  const world = await signInWorld(t, { issuer: { tokenSeconds: 3600 } });
  assert.equal((await world.fairlead(['login', world.url])).code, 0);
  const { who } = await connect(t, world, { browser: 'true', capabilities: { elicitation: { url: {} } } });
  assert.equal(textOf(await who()), 'ann mcp:read');
  assert.equal((await world.fairlead(['logout', world.url])).code, 0);
  let page;
  await assert.rejects(who(), error => {
    assert.equal(error.code, -32042);
    page = error.data.elicitations[0].url;
    return true;
  });
  assert.match((await browse(page)).text, /You can close this window/);
  assert.equal(textOf(await who()), 'ann mcp:read');
});

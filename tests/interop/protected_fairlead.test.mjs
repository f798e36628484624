// Third-party clients sign in to our server and to our gateway, with a real authorization server.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as oauth from 'oauth4webapi';
import { startAuthServer } from './auth_server.mjs';
import { browse } from './http_browser.mjs';
import { machine, machineToken, post, protectedDemo, protectedGateway } from './protected_fairlead.mjs';
import { signInProvider } from './sdk_sign_in.mjs';
import { freePort, textOf } from './support.mjs';

const timeoutMs = 60_000;

/** A connected client of the SDK, after a sign-in. `answer` selects what the SDK needs of the callback. */
async function signedIn(t, resource, { Client: Kind, Transport, answer = provider => provider.code }) {
  const provider = await signInProvider();
  t.after(() => provider.close());
  const transport = () => new Transport(new URL(resource), { authProvider: provider });
  const first = transport();
  await assert.rejects(new Kind({ name: 'witness', version: '1' }).connect(first));
  await browse(provider.opened);
  await first.finishAuth(answer(provider));
  const client = new Kind({ name: 'witness', version: '1' });
  await client.connect(transport());
  t.after(() => client.close());
  return client;
}

/** Opens the authorization URL that a program prints. */
function browsesWhatItPrints(child, issuer) {
  let printed = '';
  let opened = false;
  const look = text => {
    printed += text;
    const found = printed.match(new RegExp(`${issuer.issuer}/auth\\?[^\\s"']+`));
    if (!found || opened || !/\s/.test(printed.slice(found.index + found[0].length))) return;
    opened = true;
    browse(found[0]).catch(error => { printed += error; });
  };
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', look);
  return () => printed;
}

const servers = {
  'our server': t => protectedDemo(t),
  'our gateway': t => protectedGateway(t),
  'one server of our gateway': t => protectedGateway(t, { path: '/s/demo/mcp' }),
};

for (const [name, start] of Object.entries(servers)) {
  describe(name, () => {
    test('names its authorization server to clients without a token', async t => {
      const { resource, origin, issuer } = await start(t);
      const refused = await post(resource, undefined, 'tools/list');
      assert.equal(refused.status, 401);
      const path = resource.slice(origin.length);
      const metadata = `${origin}/.well-known/oauth-protected-resource${path}`;
      assert.equal(refused.headers.get('www-authenticate'), `Bearer resource_metadata="${metadata}", scope="mcp:read"`);
      const document = await (await fetch(metadata)).json();
      assert.equal(document.resource, resource);
      assert.deepEqual(document.authorization_servers, [issuer.issuer]);
    });

    test('the TypeScript client, version 1, signs in', async t => {
      const { resource } = await start(t);
      const client = await signedIn(t, resource, { Client, Transport: StreamableHTTPClientTransport });
      assert.equal(textOf(await client.callTool({ name: 'echo', arguments: { text: 'hi' } })), 'hi');
    });

    test('the TypeScript client, version 2, signs in', async t => {
      const { resource } = await start(t);
      const client = await signedIn(t, resource, { Client: ModernClient, Transport: ModernTransport, answer: provider => provider.parameters });
      assert.equal(textOf(await client.callTool({ name: 'echo', arguments: { text: 'hi' } })), 'hi');
    });

    test('mcp-remote signs in', { timeout: timeoutMs }, async t => {
      const { resource, issuer } = await start(t);
      const home = await mkdtemp(join(tmpdir(), 'fairlead-mcp-remote-'));
      t.after(() => rm(home, { recursive: true, force: true }));
      const env = { ...process.env, HOME: home, MCP_REMOTE_CONFIG_DIR: home, BROWSER: 'true' };
      const args = [resource, String(await freePort()), '--allow-http', '--transport', 'http-only', '--host', '127.0.0.1'];
      const transport = new StdioClientTransport({ command: 'mcp-remote', args, env, stderr: 'pipe' });
      browsesWhatItPrints({ stderr: transport.stderr }, issuer);
      const client = new Client({ name: 'witness', version: '1' });
      await client.connect(transport, { timeout: timeoutMs });
      t.after(() => client.close());
      assert.equal(textOf(await client.callTool({ name: 'echo', arguments: { text: 'hi' } })), 'hi');
    });

    test('the Inspector signs in', { timeout: timeoutMs }, async t => {
      const { resource, issuer } = await start(t);
      const home = await mkdtemp(join(tmpdir(), 'fairlead-inspector-'));
      t.after(() => rm(home, { recursive: true, force: true }));
      const words = ['--cli', resource, '--transport', 'http', '--format', 'json', '--callback-url',
        `http://127.0.0.1:${await freePort()}/oauth/callback`, '--method', 'tools/list'];
      const inspector = spawn('mcp-inspector', words, { env: { ...process.env, HOME: home, BROWSER: 'true', MCP_AUTO_OPEN_ENABLED: 'true' } });
      t.after(() => inspector.kill());
      const printed = browsesWhatItPrints(inspector, issuer);
      const code = await new Promise(resolve => inspector.on('exit', resolve));
      assert.equal(code, 0, printed());
      assert.match(printed(), /"echo"/);
    });
  });
}

test('a token for one endpoint is not valid at another', async t => {
  const { origin, resource, issuer } = await protectedGateway(t, { path: '/s/demo/mcp' });
  const token = await machineToken(issuer, resource);
  assert.equal((await post(resource, token, 'tools/list')).status, 200);
  const refused = await post(`${origin}/mcp`, token, 'tools/list');
  assert.equal(refused.status, 401);
  assert.match(refused.headers.get('www-authenticate'), /error="invalid_token"/);
});

test('scopes of tools are enforced, and tools that need more stay listed', async t => {
  const scopes = { all: ['mcp:read'], tools: { echo: ['mcp:write'] }, implies: { 'mcp:write': ['mcp:read'] } };
  const { resource, issuer } = await protectedGateway(t, { oauth: () => ({ scopes }) });
  const call = async scope =>
    post(resource, await machineToken(issuer, resource, { scope }), 'tools/call', { name: 'echo', arguments: { text: 'hi' } });
  const refused = await call('mcp:read');
  assert.equal(refused.status, 403);
  assert.match(refused.headers.get('www-authenticate'), /error="insufficient_scope".*scope="mcp:read mcp:write"/);
  const allowed = await call('mcp:write');
  assert.equal(textOf((await allowed.json()).result), 'hi');
  const listed = await post(resource, await machineToken(issuer, resource), 'tools/list');
  assert.ok((await listed.json()).result.tools.some(({ name }) => name === 'echo'));
});

test('a session belongs to its principal, not to a token', async t => {
  const { resource, issuer } = await protectedGateway(t);
  const send = async (token, body, session) => fetch(resource, {
    method: 'POST',
    headers: {
      'content-type': 'application/json', accept: 'application/json, text/event-stream', authorization: `Bearer ${token}`,
      ...(session ? { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' } : {}),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }),
  });
  const opened = await send(await machineToken(issuer, resource), { method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'w', version: '1' } } });
  assert.equal(opened.status, 200);
  const session = opened.headers.get('mcp-session-id');
  const list = { method: 'tools/list', params: {} };
  assert.equal((await send(await machineToken(issuer, resource, { scope: 'mcp:read mcp:write' }), list, session)).status, 200);
  assert.equal((await send(await machineToken(issuer, resource, { client: 'other' }), list, session)).status, 404);
});

test('on a WebSocket, a request that lacks a scope is answered with an error that names it', async t => {
  const { origin, resource, issuer } = await protectedGateway(t, { oauth: () => ({ scopes: { tools: { echo: ['mcp:write'] } } }) });
  const authorization = `Bearer ${await machineToken(issuer, resource)}`;
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws`, { protocols: ['mcp'], headers: { authorization } });
  t.after(() => socket.close());
  await new Promise((resolve, reject) => { socket.onopen = resolve; socket.onerror = reject; });
  const answer = new Promise(resolve => { socket.onmessage = ({ data }) => resolve(JSON.parse(data)); });
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'echo', arguments: { text: 'x' } } }));
  const { id, error } = await answer;
  assert.equal(id, 7);
  assert.deepEqual(error.data, { scope: 'mcp:write' });
});

test('scripts see the identity of the caller', async t => {
  const script = `function request(next, value)
    if value.method ~= "tools/call" then return next(value) end
    local id = value.identity
    return {content = {{type = "text", text = id.principal .. " " .. id.client_id .. " " .. id.scopes[1] .. " " .. id.claims.aud}}}
  end`;
  const rest = async folder => {
    await writeFile(join(folder, 'who.lua'), script);
    return { chain: ['lua(who.lua)'] };
  };
  const { resource, issuer } = await protectedGateway(t, { rest });
  const answered = await post(resource, await machineToken(issuer, resource), 'tools/call', { name: 'echo', arguments: { text: 'x' } });
  assert.equal(textOf((await answered.json()).result), `client:machine machine mcp:read ${resource}`);
});

test('opaque tokens are checked by introspection', async t => {
  const oauth = issuer => ({
    issuers: [{ issuer: issuer.issuer, introspection: { client_id: 'resource-server', client_secret: 'secret-of-the-resource-server' } }],
  });
  const { resource, issuer, printed } = await protectedGateway(t, { issuer: { tokenFormat: 'opaque' }, oauth });
  const token = await machineToken(issuer, resource);
  assert.ok(!token.includes('.'));
  const answered = await post(resource, token, 'tools/list');
  assert.equal(answered.status, 200, printed());
  assert.equal((await post(resource, `${token}x`, 'tools/list')).status, 401);
  assert.ok(!printed().includes(token) && !printed().includes('secret-of-the-resource-server'));
});

test('DPoP: a bound token needs a fresh proof with the nonce of the server', async t => {
  const { resource, issuer } = await protectedGateway(t, { oauth: () => ({ dpop: { required: true, nonces: true } }) });
  const keys = await oauth.generateKeyPair('ES256');
  const local = { [oauth.allowInsecureRequests]: true };
  const client = { client_id: 'machine' };
  const as = { issuer: issuer.issuer, token_endpoint: `${issuer.issuer}/token` };
  const DPoP = oauth.DPoP(client, keys);
  const granted = await oauth.clientCredentialsGrantRequest(as, client, oauth.ClientSecretBasic('secret-of-the-machine'),
    { scope: 'mcp:read', resource }, { ...local, DPoP });
  const { access_token: token, token_type: type } = await oauth.processClientCredentialsResponse(as, client, granted);
  assert.equal(type, 'dpop');
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'w', version: '1' } } });
  const headers = () => new Headers({ 'content-type': 'application/json', accept: 'application/json, text/event-stream' });
  const send = () => oauth.protectedResourceRequest(token, 'POST', new URL(resource), headers(), body, { ...local, DPoP });
  await assert.rejects(send(), error => oauth.isDPoPNonceError(error));
  assert.equal((await send()).status, 200);
  const downgraded = await post(resource, token, 'tools/list');
  assert.equal(downgraded.status, 401);
  assert.match(downgraded.headers.get('www-authenticate'), /^DPoP /);
  assert.equal((await post(resource, await machineToken(issuer, resource), 'tools/list')).status, 401);
});

test('without its issuer the server answers 503, never 401, and recovers', { timeout: timeoutMs }, async t => {
  let token;
  const prepare = async (issuer, resource) => {
    token = await machineToken(issuer, resource);
    await issuer.close();
  };
  const { resource, issuer } = await protectedGateway(t, { prepare });
  const refused = await post(resource, token, 'tools/list');
  assert.equal(refused.status, 503);
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  const again = await startAuthServer({ resource, clients: [machine], port: Number(new URL(issuer.issuer).port), jwks: issuer.jwks });
  t.after(() => again.close());
  let status = 503;
  while (status === 503) ({ status } = await post(resource, token, 'tools/list'));
  assert.equal(status, 200);
  await again.close();
  assert.equal((await post(resource, token, 'prompts/list')).status, 200);
});

test('a reload changes scopes and issuers', { timeout: timeoutMs }, async t => {
  let scopes = { all: ['mcp:read'] };
  const { resource, issuer, write, kill, printed } = await protectedGateway(t, { oauth: () => ({ scopes }) });
  const token = await machineToken(issuer, resource);
  assert.equal((await post(resource, token, 'tools/list')).status, 200);
  scopes = { all: ['mcp:write'] };
  await write();
  kill('SIGHUP');
  let status;
  for (const until = Date.now() + 30_000; status !== 403 && Date.now() < until;) {
    ({ status } = await post(resource, token, 'tools/list'));
  }
  assert.equal(status, 403, printed());
});

test('the configuration must not forward a checked token', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fairlead-protected-'));
  const file = join(folder, 'chain.json');
  await writeFile(file, JSON.stringify({
    listen: { public_url: 'https://tools.example', oauth: { issuers: ['https://auth.example'] } },
    chain: ['headers(forward=authorization)'], servers: { a: { url: 'http://127.0.0.1:9/mcp' } },
  }));
  const [code, problems] = await new Promise(resolve =>
    execFile(process.env.FAIRLEAD_PROGRAM, ['check', '--offline', file], (error, out, problems) => resolve([error?.code ?? 0, out + problems])));
  await rm(folder, { recursive: true });
  assert.notEqual(code, 0);
  assert.match(problems, /must not forward the token/);
});

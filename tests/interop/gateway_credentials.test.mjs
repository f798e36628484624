// A gateway that signs in to a protected server of the TypeScript SDK, with oidc-provider as the authorization server.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { startGateway, succeeds, until, who } from './gateway_fixture.mjs';
import { browse } from './http_browser.mjs';
import { signInWorld } from './sign_in_fixture.mjs';

const expireLogin = world => world.change({ access_token: 'expired-access-token', expires_at: 1 });

test('one login serves all callers, is used without a restart, and ends with a logout', async t => {
  const world = await signInWorld(t);
  const gateway = await startGateway(t, world, 'oauth');
  const before = await who(gateway);
  assert.notEqual(before.status, 401);
  assert.equal(before.error.data.reason, 'sign_in_needed');
  assert.match(before.text, /requires a sign-in; run: fairlead login tickets/);
  succeeds(await world.fairlead(['login', world.url]));
  assert.equal((await who(gateway)).text, 'ann mcp:read');
  assert.match(succeeds(await world.fairlead(['ls', '--offline', '-c', gateway.file])).stdout, /signed in as ann at http\S+, valid: /);
  const { access_token: token, refresh_token: refresh } = await world.login();
  for (const secret of [token, refresh]) assert.ok(!gateway.output().includes(secret), 'a token in the log');
  succeeds(await world.fairlead(['logout', world.url]));
  assert.match((await who(gateway)).text, /fairlead login tickets/);
  assert.match(succeeds(await world.fairlead(['ls', '--offline', '-c', gateway.file])).stdout, /needs login: run fairlead login tickets/);
});

test('many calls with an expired token cause one refresh, also through two gateways', async t => {
  const world = await signInWorld(t, { issuer: { tokenSeconds: 3600 } });
  succeeds(await world.fairlead(['login', world.url]));
  const gateways = [await startGateway(t, world, 'oauth'), await startGateway(t, world, 'oauth')];
  for (const gateway of gateways) assert.equal((await who(gateway)).text, 'ann mcp:read');
  await expireLogin(world);
  const calls = Array.from({ length: 40 }, (_, i) => who(gateways[i % 2]));
  for (const { text } of await Promise.all(calls)) assert.equal(text, 'ann mcp:read');
  assert.equal(world.issuer.requests.refresh_token, 1);
  for (const gateway of gateways) assert.equal((await who(gateway)).text, 'ann mcp:read');
});

test('each caller signs in with its own account, which the vault keeps', async t => {
  const world = await signInWorld(t);
  const keys = {};
  for (const name of ['ann', 'bob']) {
    keys[name] = succeeds(await world.fairlead(['key', name, '--keys', join(world.folder, 'keys.txt')])).stdout.trim();
  }
  const key_file = join(world.folder, 'vault.key');
  succeeds(await world.fairlead(['key', '--vault', key_file]));
  const settings = { listen: { keys_file: join(world.folder, 'keys.txt') }, vault: { folder: join(world.folder, 'vault'), key_file } };
  const auth = { oauth: { for: 'caller' } };
  const gateway = await startGateway(t, world, auth, settings);
  for (const [name, key] of Object.entries(keys)) {
    const refused = await who(gateway, { key });
    assert.equal(refused.result?.isError, true, refused.text);
    const link = refused.text.match(/http\S+\/sign-in\/start\?token=\S+/)[0];
    const page = await browse(link, { user: `${name}-at-work`, key });
    assert.equal(page.status, 200, page.text);
    assert.equal((await until(() => who(gateway, { key }), ({ result }) => !result?.isError)).text, `${name}-at-work mcp:read`);
  }
  for (const [name, key] of Object.entries(keys)) assert.equal((await who(gateway, { key })).text, `${name}-at-work mcp:read`);
  const { result } = await who(await startGateway(t, world, auth, settings), { key: keys.bob });
  assert.equal(result.content[0].text, 'bob-at-work mcp:read', 'after a restart');
  assert.ok(!gateway.output().includes('eyJ'), 'a JWT in the log');
});

test('a client that supports URL elicitation gets the link that way', async t => {
  const world = await signInWorld(t);
  const key = succeeds(await world.fairlead(['key', 'ann', '--keys', join(world.folder, 'keys.txt')])).stdout.trim();
  const gateway = await startGateway(t, world, { oauth: { for: 'caller' } }, { listen: { keys_file: join(world.folder, 'keys.txt') } });
  const { result } = await who(gateway, { key, elicitation: true });
  assert.equal(result.resultType, 'input_required');
  const [{ params }] = Object.values(result.inputRequests);
  assert.equal(params.mode, 'url');
  assert.equal((await browse(params.url, { key })).status, 200);
  await until(() => who(gateway, { key }), ({ text }) => text === 'ann mcp:read');
});

test('client credentials need no user', async t => {
  const client = {
    client_id: 'machine', client_secret: 'secret-of-the-machine', grant_types: ['client_credentials'], redirect_uris: [], response_types: [],
  };
  const world = await signInWorld(t, { issuer: { clients: [client] } });
  const { client_id, client_secret } = client;
  const gateway = await startGateway(t, world, { oauth: { grant: 'client_credentials', client_id, client_secret: '${SECRET:-secret-of-the-machine}' } });
  for (const { text } of await Promise.all(Array.from({ length: 10 }, () => who(gateway)))) assert.match(text, /mcp:read/);
  assert.equal(world.issuer.requests.client_credentials, 1);
  assert.ok(!gateway.output().includes(client_secret));
  const shown = succeeds(await world.fairlead(['serve', '-c', gateway.file, '--show-config'])).stdout;
  assert.ok(shown.includes('client_id: machine') && !shown.includes(client_secret));
});

test('a token is exchanged for one of the server', async t => {
  const grant_types = ['urn:ietf:params:oauth:grant-type:token-exchange'];
  const client = { client_id: 'exchanger', client_secret: 'secret-of-the-exchanger', grant_types, redirect_uris: [], response_types: [] };
  const world = await signInWorld(t, { issuer: { clients: [client], tokenExchange: true } });
  succeeds(await world.fairlead(['login', world.url]));
  const assertion_file = join(world.folder, 'subject.jwt');
  await writeFile(assertion_file, (await world.login()).access_token);
  const { client_id, client_secret } = client;
  const oauth = { grant: 'token_exchange', client_id, client_secret, assertion_file, audience: 'tickets' };
  const gateway = await startGateway(t, world, { oauth });
  assert.equal((await who(gateway)).text, 'ann mcp:read');
  assert.deepEqual(world.issuer.exchanges.map(({ audience, resource }) => [audience, resource]), [['tickets', world.url]]);
  assert.ok(!gateway.output().includes(await readFile(assertion_file, 'utf8')));
});

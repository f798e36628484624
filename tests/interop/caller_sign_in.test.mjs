// Callers with tokens sign in at servers: the page of the gateway signs its user in at the caller's own issuer.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { startAuthServer } from './auth_server.mjs';
import { startGateway, succeeds, until, who } from './gateway_fixture.mjs';
import { browse } from './http_browser.mjs';
import { newHome, signInWorld } from './sign_in_fixture.mjs';
import { freePort } from './support.mjs';

/** The access token that a person gets for the gateway. Not bound to a key, so that the tests can send it. */
async function tokenOf(t, gateway, name) {
  const home = await newHome(t);
  const config = join(home.folder, 'servers.json');
  await writeFile(config, JSON.stringify({ servers: { gateway: { url: gateway.url, auth: { oauth: { dpop: 'off' } } } } }));
  succeeds(await home.fairlead(['login', 'gateway', '-c', config], { FAIRLEAD_TEST_USER: name }));
  return (await home.login()).access_token;
}

/** A gateway whose callers have tokens of `own`, before a server that signs every user in as ann-at-work. */
async function companyGateway(t, { issuer = {}, oauth = {} } = {}) {
  const world = await signInWorld(t, { issuer: { user: 'ann-at-work' } });
  const port = await freePort();
  const public_url = `http://127.0.0.1:${port}`;
  const own = await startAuthServer({ resource: `${public_url}/mcp`, tokenSeconds: 3600, ...issuer });
  t.after(() => own.close());
  const listen = { port, public_url, oauth: { issuers: [own.issuer], scopes: { all: ['mcp:read'] }, ...oauth } };
  return { own, ...await startGateway(t, world, { oauth: { for: 'caller' } }, { listen }) };
}

const linkIn = ({ text }) => text.match(/http\S+\/sign-in\/start\?token=\S+/)[0];
const works = ({ result }) => !result?.isError;

test('a caller signs in at the own issuer, and then at the server', async t => {
  const gateway = await companyGateway(t);
  const ann = await tokenOf(t, gateway, 'ann');
  const refused = await who(gateway, { key: ann });
  assert.equal(refused.result?.isError, true, refused.text);
  const page = await browse(linkIn(refused), { user: 'ann' });
  assert.equal(page.status, 200, page.text);
  assert.equal((await until(() => who(gateway, { key: ann }), works)).text, 'ann-at-work mcp:read');
  assert.ok(!gateway.output().includes('eyJ'), 'a JWT in the log');
  assert.doesNotMatch(gateway.output(), /[?&]code=[^[&\s]/, 'an authorization code in the log');
});

test('the client of the pages can be registered in advance', async t => {
  const client = {
    client_id: 'pages', client_secret: 'secret-of-the-pages', redirect_uris: [], grant_types: ['authorization_code'], scope: 'mcp:read',
  };
  const world = await signInWorld(t, { issuer: { user: 'ann-at-work' } });
  const port = await freePort();
  const public_url = `http://127.0.0.1:${port}`;
  client.redirect_uris.push(`${public_url}/sign-in/verified`);
  const own = await startAuthServer({ resource: `${public_url}/mcp`, tokenSeconds: 3600, clients: [client] });
  t.after(() => own.close());
  const sign_in = { client_id: client.client_id, client_secret: client.client_secret };
  const gateway = await startGateway(t, world, { oauth: { for: 'caller' } }, { listen: { port, public_url, oauth: { issuers: [own.issuer], scopes: { all: ['mcp:read'] }, sign_in } } });
  const ann = await tokenOf(t, gateway, 'ann');
  const registrations = own.fetched('/reg');
  assert.equal((await browse(linkIn(await who(gateway, { key: ann })), { user: 'ann' })).status, 200);
  await until(() => who(gateway, { key: ann }), works);
  assert.equal(own.fetched('/reg'), registrations, 'no registration of the gateway');
  const shown = succeeds(await world.fairlead(['serve', '-c', gateway.file, '--show-config'])).stdout;
  assert.ok(shown.includes('client_id: pages') && !shown.includes(client.client_secret), shown);
  assert.ok(!gateway.output().includes(client.client_secret));
});

test('attack: a person who is sent the link of another caller does not give away an account', async t => {
  const gateway = await companyGateway(t);
  const bob = await tokenOf(t, gateway, 'bob');
  const link = linkIn(await who(gateway, { key: bob }));
  const page = await browse(link, { user: 'ann' });
  assert.equal(page.status, 403, page.text);
  assert.match(page.text, /signed in as another user/);
  assert.equal((await who(gateway, { key: bob })).result?.isError, true);
  assert.equal((await browse(link, { user: 'bob' })).status, 200, 'bob can still use the link');
});

test('a user who denies gets a page that says so', async t => {
  const gateway = await companyGateway(t);
  const ann = await tokenOf(t, gateway, 'ann');
  const page = await browse(linkIn(await who(gateway, { key: ann })), { user: 'ann', deny: true });
  assert.equal(page.status, 403);
  assert.match(page.text, /access_denied/);
});

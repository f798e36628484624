// fairlead login, logout and whoami, and commands that use a login, with oidc-provider as the authorization server.
import assert from 'node:assert/strict';
import { chmod, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer as httpServer, get } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { browse } from './http_browser.mjs';
import { newHome, signInWorld, startLogin } from './sign_in_fixture.mjs';

// fetch() does not let a page choose the Host.
const statusFor = (url, host) => new Promise((resolve, reject) => {
  get(url, { headers: { host } }, response => resolve(response.resume().statusCode)).on('error', reject);
});

const succeeds = done => {
  assert.equal(done.code, 0, done.stderr + done.stdout);
  return done;
};

test('login signs in with the code flow, and call and list use the login', async t => {
  const world = await signInWorld(t);
  const before = await world.fairlead(['call', 'who', world.url]);
  assert.equal(before.code, 3);
  assert.match(before.stderr, new RegExp(`requires a sign-in; run: fairlead login ${world.url}`));

  const { stdout, stderr } = succeeds(await world.fairlead(['login', world.url]));
  assert.match(stdout, new RegExp(`Signed in to ${world.url}\n`));
  assert.match(stdout, /subject +ann/);
  assert.match(stderr, new RegExp(`${world.issuer.issuer}/auth\\?`), 'the URL is printed too');
  assert.equal(succeeds(await world.fairlead(['call', 'who', world.url])).stdout, 'ann mcp:read\n');
  assert.match(succeeds(await world.fairlead(['list', 'tools', world.url])).stdout, /who/);
  assert.equal(world.issuer.requests.authorization_code, 1);
});

test('logins are files that only their owner can read', async t => {
  const world = await signInWorld(t);
  succeeds(await world.fairlead(['login', world.url]));
  assert.equal((await stat(world.logins)).mode & 0o777, 0o700);
  for (const name of await readdir(world.logins)) {
    assert.equal((await stat(join(world.logins, name))).mode & 0o777, 0o600, name);
  }
});

test('whoami shows issuer, subject, scopes and time left, and no token', async t => {
  const world = await signInWorld(t, { issuer: { tokenSeconds: 3600 } });
  assert.equal((await world.fairlead(['whoami', world.url])).code, 1);
  succeeds(await world.fairlead(['login', world.url]));
  const { stdout } = succeeds(await world.fairlead(['whoami', '--json']));
  const [login, ...others] = JSON.parse(stdout);
  assert.deepEqual(others, []);
  assert.equal(login.issuer, world.issuer.issuer);
  assert.equal(login.subject, 'ann');
  assert.deepEqual(login.scopes, ['mcp:read']);
  assert.ok(login.expires_in > 3000 && login.expires_in <= 3600);
  const stored = await world.login();
  const printed = stdout + succeeds(await world.fairlead(['whoami', world.url])).stdout;
  for (const secret of [stored.access_token, stored.refresh_token]) assert.ok(!printed.includes(secret));
});

test('logout revokes the tokens, and the next login uses the same registration', async t => {
  const world = await signInWorld(t);
  let destroyed = 0;
  for (const event of ['grant.revoked', 'refresh_token.destroyed', 'access_token.destroyed']) {
    world.issuer.provider.on(event, () => { ++destroyed; });
  }
  succeeds(await world.fairlead(['login', world.url]));
  const client = (await world.login()).client.client_id;
  succeeds(await world.fairlead(['logout', world.url]));
  assert.ok(destroyed > 0, 'the issuer has revoked nothing');
  const rest = await world.login();
  assert.equal(rest.access_token + rest.refresh_token, '');
  assert.equal((await world.fairlead(['whoami', world.url])).code, 1);
  assert.equal((await world.fairlead(['call', 'who', world.url])).code, 3);
  succeeds(await world.fairlead(['login', world.url]));
  assert.equal((await world.login()).client.client_id, client);
});

test('logout --forget deletes the login; --all ends every login', async t => {
  const world = await signInWorld(t);
  succeeds(await world.fairlead(['login', world.url]));
  succeeds(await world.fairlead(['login', world.url, '--account', 'work']));
  assert.equal(JSON.parse((await world.fairlead(['whoami', '--json'])).stdout).length, 2);
  succeeds(await world.fairlead(['logout', '--all', '--forget']));
  assert.deepEqual((await readdir(world.logins)).filter(name => name.endsWith('.json')), []);
});

test('a user who denies is reported, and nothing is stored', async t => {
  const world = await signInWorld(t);
  const done = await world.fairlead(['login', world.url], { FAIRLEAD_TEST_DENY: '1' });
  assert.equal(done.code, 1);
  assert.match(done.stderr, /access_denied/);
  assert.equal((await world.fairlead(['whoami'])).code, 1);
});

test('the device flow needs no callback', async t => {
  const world = await signInWorld(t);
  const { stderr } = succeeds(await world.fairlead(['login', world.url, '--device']));
  assert.match(stderr, /Enter the code: \w{4}-\w{4}/);
  assert.equal(world.issuer.requests['urn:ietf:params:oauth:grant-type:device_code'], 1);
  assert.equal(succeeds(await world.fairlead(['call', 'who', world.url])).stdout, 'ann mcp:read\n');
});

test('a given port is used as it is, and an error if it is taken', async t => {
  const world = await signInWorld(t);
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address();
  const refused = await world.fairlead(['login', world.url, '--callback-url', `http://localhost:${port}/here`]);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, new RegExp(`http://localhost:${port}/here: cannot listen on 127.0.0.1 port ${port}: Address already in use`));
  taken.close();
  await once(taken, 'close');
  succeeds(await world.fairlead(['login', world.url, '--callback-url', `http://localhost:${port}/here`]));
  assert.equal((await world.login()).client.redirect_uri, `http://localhost:${port}/here`);
});

test('an expired token is refreshed, and the refresh token rotates', async t => {
  const world = await signInWorld(t, { issuer: { tokenSeconds: 3600 } });
  succeeds(await world.fairlead(['login', world.url]));
  const before = await world.login();
  await world.change({ expires_at: 1 });
  assert.equal(succeeds(await world.fairlead(['call', 'who', world.url])).stdout, 'ann mcp:read\n');
  const after = await world.login();
  assert.notEqual(after.refresh_token, before.refresh_token);
  assert.equal(world.issuer.requests.refresh_token, 1);
});

// oidc-provider revokes all tokens of the login if a refresh token is used twice.
test('ten processes with one expired token refresh it once, and all stay signed in', async t => {
  const world = await signInWorld(t, { issuer: { tokenSeconds: 3600 } });
  succeeds(await world.fairlead(['login', world.url]));
  await world.change({ expires_at: 1 });
  const all = await Promise.all(Array.from({ length: 10 }, () => world.fairlead(['call', 'who', world.url, '--timeout', '2m'])));
  for (const done of all) assert.equal(succeeds(done).stdout, 'ann mcp:read\n');
  assert.equal(world.issuer.requests.refresh_token, 1);
  await world.change({ expires_at: 1 });
  succeeds(await world.fairlead(['call', 'who', world.url]));
  assert.equal(world.issuer.requests.refresh_token, 2);
});

test('a missing scope is named with the command that asks for it', async t => {
  const world = await signInWorld(t, { server: { requiredScopes: ['mcp:read', 'mcp:write'] } });
  succeeds(await world.fairlead(['login', world.url, '--scope', 'mcp:read']));
  const refused = await world.fairlead(['call', 'who', world.url]);
  assert.equal(refused.code, 3);
  assert.match(refused.stderr, /requires more permissions.*run: fairlead login \S+ --scope 'mcp:read mcp:write'/);
  succeeds(await world.fairlead(['login', world.url, '--scope', 'mcp:read mcp:write']));
  assert.equal(succeeds(await world.fairlead(['call', 'who', world.url])).stdout, 'ann mcp:read mcp:write\n');
});

test('on a terminal, a command signs in by itself, and again for more scopes', async t => {
  const world = await signInWorld(t, { server: { requiredScopes: ['mcp:read', 'mcp:write'] } });
  assert.match(succeeds(await world.atTerminal(['call', 'who', world.url])).stdout, /ann mcp:read mcp:write/);
  assert.ok(world.issuer.requests.authorization_code <= 2);
});

test('a configured Authorization header means that OAuth never starts', async t => {
  const world = await signInWorld(t);
  const done = await world.atTerminal(['call', 'who', world.url, '--bearer', 'not-a-valid-token']);
  assert.equal(done.code, 3);
  assert.match(done.stdout, /401/);
  assert.deepEqual(world.issuer.requests, {});
});

test('DPoP with nonces of both servers: the token is bound to a key, also after a refresh', async t => {
  const world = await signInWorld(t, { issuer: { requireNonce: true, tokenSeconds: 3600 }, server: { dpop: true } });
  succeeds(await world.fairlead(['login', world.url]));
  const login = await world.login();
  assert.equal(login.token_type, 'DPoP');
  assert.match(login.dpop_key, /PRIVATE KEY/);
  assert.equal(succeeds(await world.fairlead(['call', 'who', world.url])).stdout, 'ann mcp:read\n');
  await world.change({ expires_at: 1 });
  assert.equal(succeeds(await world.fairlead(['call', 'who', world.url])).stdout, 'ann mcp:read\n');
  assert.equal(world.issuer.requests.refresh_token, 1);
  assert.ok(world.server.accepted.proofs > 2);
  assert.equal(succeeds(await world.fairlead(['whoami'])).stdout.includes('DPoP'), true);
});

test('a credential helper keeps logins instead of files', async t => {
  const world = await signInWorld(t);
  const helper = join(world.folder, 'helper');
  await writeFile(helper, `#!/bin/sh
mkdir -p '${world.folder}/kept' && cd '${world.folder}/kept' || exit 1
case $1 in
  get) cat "$2" 2>/dev/null ;;
  store) cat > "$2" ;;
  erase) rm -f "$2" ;;
  list) ls ;;
esac
`);
  await chmod(helper, 0o755);
  const kept = { FAIRLEAD_CREDENTIAL_HELPER: helper };
  succeeds(await world.fairlead(['login', world.url], kept));
  assert.deepEqual((await readdir(world.logins)).filter(name => name.endsWith('.json')), []);
  assert.equal(succeeds(await world.fairlead(['call', 'who', world.url], kept)).stdout, 'ann mcp:read\n');
  assert.match(succeeds(await world.fairlead(['whoami'], kept)).stdout, /kept in +credential helper/);
  succeeds(await world.fairlead(['logout', world.url, '--forget'], kept));
  assert.deepEqual(await readdir(join(world.folder, 'kept')), []);
});

test('tokens appear neither in the arguments of processes nor in logs, errors and the shown configuration', async t => {
  const world = await signInWorld(t, { issuer: { tokenSeconds: 3600 } });
  const seen = join(world.folder, 'processes');
  const browser = join(world.folder, 'browser');
  await writeFile(browser, `#!/bin/sh\nps -eo args >> '${seen}'\n${world.env.BROWSER} "$1"\nps -eo args >> '${seen}'\n`);
  await chmod(browser, 0o755);
  const outputs = [];
  const keep = async promise => {
    const done = await promise;
    outputs.push(done.stdout, done.stderr);
    return done;
  };
  const secretFile = join(world.folder, 'secret');
  await writeFile(secretFile, 'a-very-secret-client-secret\n');
  await keep(world.fairlead(['login', world.url, '--client-id', 'x', '--client-secret-file', secretFile, '--debug', '--no-browser',
    '--callback-url', 'https://example.com/']));
  succeeds(await keep(world.fairlead(['login', world.url, '--debug'], { BROWSER: browser })));
  const first = await world.login();
  succeeds(await keep(world.fairlead(['call', 'who', world.url, '--debug'])));
  await world.change({ expires_at: 1 });
  succeeds(await keep(world.fairlead(['call', 'who', world.url, '--debug'])));
  await keep(world.fairlead(['call', 'no_such_tool', world.url, '--debug']));
  const config = join(world.folder, 'servers.json');
  await writeFile(config, JSON.stringify({ servers: { one: { url: world.url } } }));
  await keep(world.fairlead(['serve', '-c', config, '--show-config']));
  await keep(world.fairlead(['check', config]));
  const second = await world.login();
  await keep(world.fairlead(['logout', world.url, '--forget']));
  const text = outputs.join('\n') + await readFile(seen, 'utf8');
  assert.match(text, /fairlead login/, 'ps has not seen the program');
  const secrets = [first, second].flatMap(login => [login.access_token, login.refresh_token, login.id_token,
    login.client.client_secret, login.client.registration_access_token]).filter(Boolean);
  for (const secret of [...secrets, 'a-very-secret-client-secret']) assert.ok(!text.includes(secret), text.split(secret)[0].slice(-300));
  assert.doesNotMatch(text, /[?&]code=[^[&\s]/, 'an authorization code');
});

test('a page that is not an answer of this sign-in is refused, and the sign-in goes on', async t => {
  const world = await signInWorld(t);
  const { page, ended } = await startLogin(world);
  const callback = page.searchParams.get('redirect_uri');
  assert.equal(new URL(callback).hostname, '127.0.0.1');
  for (const [query, method, status] of [['?code=x&state=guessed', 'GET', 400], ['', 'GET', 400], ['?code=x', 'POST', 405]]) {
    assert.equal((await fetch(callback + query, { method })).status, status);
  }
  assert.equal((await fetch(new URL('/other', callback))).status, 404);
  assert.equal((await fetch(callback.replace('127.0.0.1', '[::1]'))).status, 400, 'IPv6');
  assert.equal(await statusFor(callback, 'attacker.example'), 403);
  const last = await browse(page);
  assert.match(last.text, /You can close this window/);
  assert.doesNotMatch(last.text, /<script|code=/);
  assert.equal(await ended, 0);
});

test('doctor and check show at which step a sign-in stops', async t => {
  const { fairlead, folder } = await newHome(t);
  const metadata = { issuer: {} };
  const server = httpServer((request, response) => {
    const origin = `http://${request.headers.host}`;
    const json = document => response.setHeader('Content-Type', 'application/json').end(JSON.stringify(document));
    if (request.url === '/.well-known/oauth-protected-resource/mcp') return json({ resource: `${origin}/mcp`, authorization_servers: [origin] });
    if (request.url === '/.well-known/oauth-authorization-server') {
      return json({ issuer: origin, authorization_endpoint: `${origin}/authorize`, token_endpoint: `${origin}/token`, ...metadata.issuer });
    }
    return response.writeHead(401, { 'WWW-Authenticate': 'Bearer' }).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const file = join(folder, 'servers.json');
  await writeFile(file, JSON.stringify({ servers: { one: { url: `http://127.0.0.1:${server.address().port}/mcp` } } }));
  const diagnose = async () => (await fairlead(['doctor', '-c', file])).stdout + (await fairlead(['check', file])).stdout;
  const withoutPkce = await diagnose();
  assert.match(withoutPkce, /bad +sign-in to one: discovery: .* does not announce PKCE with S256/);
  assert.match(withoutPkce, /no reply sign-in to one stops: discovery: /);
  metadata.issuer = { code_challenge_methods_supported: ['S256'] };
  const withoutRegistration = await diagnose();
  assert.match(withoutRegistration, /ok +sign-in to one: authorization server metadata: PKCE with S256/);
  assert.match(withoutRegistration, /sign-in to one stops: registration: .*; register a client there.* --client-id/);
  metadata.issuer.registration_endpoint = 'http://127.0.0.1:9/register';
  assert.match(await diagnose(), /note +sign-in to one: not signed in\n +fix: fairlead login one/);
});

test('on a terminal, the address that a remote browser cannot open is pasted', async t => {
  const world = await signInWorld(t);
  const { child, page, ended } = await startLogin(world, { terminal: true });
  const { url } = await browse(page, { unreachable: page.searchParams.get('redirect_uri') });
  assert.match(url.search, /code=/);
  child.stdin.write('something else\n');
  child.stdin.write(`${url.href}\n`);
  assert.equal(await ended, 0);
  assert.equal(succeeds(await world.fairlead(['call', 'who', world.url])).stdout, 'ann mcp:read\n');
});

test('the page of the callback cannot leak its address', async t => {
  const { child, page } = await startLogin(await signInWorld(t));
  t.after(() => child.kill());
  const response = await fetch(page.searchParams.get('redirect_uri'));
  assert.equal(response.headers.get('referrer-policy'), 'no-referrer');
  assert.equal(response.headers.get('cache-control'), 'no-store');
  assert.match(response.headers.get('content-security-policy'), /default-src 'none'/);
});

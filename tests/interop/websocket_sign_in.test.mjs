// Commands and connect sign in at servers over WebSocket, with the login of the same address over HTTP.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { succeeds } from './gateway_fixture.mjs';
import { protectedGateway } from './protected_fairlead.mjs';
import { newHome } from './sign_in_fixture.mjs';

test('call and list use a login over a WebSocket, and name the command that makes one', async t => {
  const at = await protectedGateway(t, { issuer: { tokenSeconds: 3600 }, listen: { single_path: true } });
  const home = await newHome(t);
  const url = at.resource.replace('http:', 'ws:');
  const refused = await home.fairlead(['call', 'echo', 'text=over the socket', url]);
  assert.notEqual(refused.code, 0);
  assert.match(refused.stderr, /requires a sign-in; run: fairlead login /);
  succeeds(await home.fairlead(['login', url]));
  assert.equal((await home.login()).server, at.resource, 'one login for both transports');
  assert.match(succeeds(await home.fairlead(['call', 'echo', 'text=over the socket', url])).stdout, /over the socket/);
  assert.match(succeeds(await home.fairlead(['call', 'echo', 'text=over HTTP', at.resource])).stdout, /over HTTP/);
  assert.match(succeeds(await home.fairlead(['whoami', url])).stdout, /mcp:read/);
  succeeds(await home.fairlead(['logout', url]));
  assert.match((await home.fairlead(['list', url])).stderr, /fairlead login/);
});

test('DPoP: the proof of the handshake is for the HTTP request, with the nonce of the server', async t => {
  const at = await protectedGateway(t, {
    issuer: { tokenSeconds: 3600 }, listen: { single_path: true },
    oauth: () => ({ scopes: { all: ['mcp:read'] }, dpop: { required: true, nonces: true } }),
  });
  const home = await newHome(t);
  const url = at.resource.replace('http:', 'ws:');
  succeeds(await home.fairlead(['login', url]));
  assert.equal((await home.login()).token_type, 'DPoP');
  assert.match(succeeds(await home.fairlead(['call', 'echo', 'text=bound to a key', url])).stdout, /bound to a key/);
});

test('a missing scope is asked for in the handshake', async t => {
  const at = await protectedGateway(t, {
    issuer: { tokenSeconds: 3600 }, listen: { single_path: true }, oauth: () => ({ scopes: { all: ['mcp:write'] } }),
  });
  const home = await newHome(t);
  const url = at.resource.replace('http:', 'ws:');
  succeeds(await home.fairlead(['login', url, '--scope', 'mcp:read']));
  const refused = await home.fairlead(['call', 'echo', 'text=hi', url]);
  assert.notEqual(refused.code, 0);
  assert.match(refused.stderr, /run: fairlead login \S+ --scope '[^']*mcp:write/, 'the challenge of the handshake was read');
});

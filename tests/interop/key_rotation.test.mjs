// An issuer replaces its keys while our server runs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { signingKeys, startAuthServer } from './auth_server.mjs';
import { machine, machineToken, post, protectedDemo } from './protected_fairlead.mjs';

const call = (at, token) => post(at.resource, token, 'tools/list');
// An unknown key causes a fetch only if the last one began more than a minute ago.
const betweenFetches = () => sleep(61_000);

/** Starts the issuer of `at` again, with other keys. The server must not notice in any other way than by a token. */
async function withKeys(t, at, jwks) {
  await at.issuer.close();
  const port = Number(new URL(at.issuer.issuer).port);
  const again = await startAuthServer({ resource: at.resource, clients: [machine], tokenSeconds: 3600, port, jwks });
  t.after(() => again.close());
  return again;
}

test('a new key is fetched once, and the tokens of a key that is gone are refused', { timeout: 300_000 }, async t => {
  const at = await protectedDemo(t, { tokenSeconds: 3600 });
  const old = await machineToken(at.issuer, at.resource);
  assert.equal((await call(at, old)).status, 200);
  const [before, after] = [at.issuer.jwks.keys, (await signingKeys('new-')).keys];

  await betweenFetches();
  // The new key comes first: it signs, and the old one still verifies.
  const both = await withKeys(t, at, { keys: [...after, ...before] });
  const fresh = await machineToken(both, at.resource);
  assert.equal((await call(at, old)).status, 200);
  assert.equal(both.fetched('/jwks'), 0, 'a known key needs no fetch');
  for (const { status } of await Promise.all(Array.from({ length: 20 }, () => call(at, fresh)))) assert.equal(status, 200);
  assert.equal(both.fetched('/jwks'), 1, 'one fetch for all');
  assert.equal((await call(at, old)).status, 200, 'during the change both are valid');

  await betweenFetches();
  const newest = await signingKeys('newest-');
  const alone = await withKeys(t, { ...at, issuer: both }, newest);
  const last = await machineToken(alone, at.resource);
  assert.equal((await call(at, last)).status, 200);
  assert.equal(alone.fetched('/jwks'), 1);
  for (const token of [old, fresh]) {
    const refused = await call(at, token);
    assert.equal(refused.status, 401, 'the cached result must go with the key');
    assert.match(refused.headers.get('www-authenticate'), /error="invalid_token"/);
  }
});

test('a storm of unknown keys causes no storm of fetches', async t => {
  const at = await protectedDemo(t, { tokenSeconds: 3600 });
  const valid = await machineToken(at.issuer, at.resource);
  assert.equal((await call(at, valid)).status, 200);
  const fetches = at.issuer.fetched('/jwks');
  const foreign = await startAuthServer({ resource: at.resource, clients: [machine], jwks: await signingKeys('foreign-') });
  t.after(() => foreign.close());
  const [header, claims, signature] = (await machineToken(foreign, at.resource)).split('.');
  const ours = JSON.parse(Buffer.from(claims, 'base64url'));
  const forged = serial => [header, Buffer.from(JSON.stringify({ ...ours, iss: at.issuer.issuer, jti: `${serial}` })).toString('base64url'), signature].join('.');
  const answers = await Promise.all(Array.from({ length: 40 }, (_, serial) => call(at, forged(serial))));
  for (const { status } of answers) assert.equal(status, 401);
  assert.ok(at.issuer.fetched('/jwks') - fetches <= 1, `${at.issuer.fetched('/jwks') - fetches} fetches`);
  assert.equal((await call(at, valid)).status, 200);
});

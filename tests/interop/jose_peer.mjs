// jose_peer.mjs make: prints a JWK Set, tokens and DPoP proofs that `jose` and `oauth4webapi` made.
// jose_peer.mjs check <file>: checks such a file of ours with them.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { calculateJwkThumbprint, createLocalJWKSet, exportJWK, generateKeyPair, importJWK, jwtVerify, SignJWT } from 'jose';
import * as oauth from 'oauth4webapi';

const issuer = 'https://auth.example';
const resource = 'https://tools.example/mcp';
const algorithms = ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA', 'Ed25519'];

const accessToken = (alg, key, kid, more = {}) => new SignJWT({ client_id: 'app', scope: 'mcp', ...more })
  .setProtectedHeader({ alg, kid, typ: 'at+jwt' }).setIssuer(issuer).setSubject('ann').setAudience(resource)
  .setJti(crypto.randomUUID()).setIssuedAt().setExpirationTime('10m').sign(key);

async function make() {
  const keys = [];
  const tokens = [];
  for (const alg of algorithms) {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
    keys.push({ ...(await exportJWK(publicKey)), kid: alg, alg, use: 'sig' });
    tokens.push({ alg, token: await accessToken(alg, privateKey, alg) });
  }
  const proofs = [];
  for (const alg of ['ES256', 'RS256', 'PS256', 'Ed25519']) {
    const pair = await oauth.generateKeyPair(alg, { extractable: true });
    const token = `token-for-${alg}`;
    const keep = async (_url, { headers }) => {
      proofs.push({ proof: headers.dpop ?? new Headers(headers).get('dpop'), token, thumbprint: await calculateJwkThumbprint(await exportJWK(pair.publicKey)) });
      return new Response('');
    };
    const DPoP = oauth.DPoP({ client_id: 'app' }, pair);
    await oauth.protectedResourceRequest(token, 'POST', new URL(`${resource}?x=1`), new Headers(), 'body', { DPoP, [oauth.customFetch]: keep });
  }
  console.log(JSON.stringify({ keys, tokens, proofs }));
}

async function check(file) {
  const { keys, tokens, bound, proof } = JSON.parse(await readFile(file, 'utf8'));
  const set = createLocalJWKSet({ keys });
  for (const { alg, token } of tokens) {
    const { payload, protectedHeader } = await jwtVerify(token, set, { issuer, audience: resource, typ: 'at+jwt' });
    assert.equal(protectedHeader.alg, alg);
    assert.equal(payload.sub, 'ann');
    const [head, body, signature] = token.split('.');
    const other = `${head}.${body}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
    await assert.rejects(jwtVerify(other, set, { issuer }));
  }
  for (const jwk of keys) await importJWK(jwk, jwk.alg);
  const request = new Request(resource, { method: 'POST', headers: { authorization: `DPoP ${bound}`, dpop: proof } });
  const claims = await oauth.validateJwtAccessToken({ issuer, jwks_uri: `${issuer}/jwks` }, request, resource, {
    requireDPoP: true, [oauth.customFetch]: async () => Response.json({ keys }),
  });
  assert.equal(claims.client_id, 'app');
  console.log('ok');
}

await (process.argv[2] === 'make' ? make() : check(process.argv[3]));

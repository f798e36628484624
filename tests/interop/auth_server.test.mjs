// Shows that the authorization server and the browser of these tests work, with oauth4webapi as the client.
import assert from 'node:assert/strict';
import {once} from 'node:events';
import {createServer} from 'node:http';
import {test} from 'node:test';
import * as oauth from 'oauth4webapi';
import {startAuthServer} from './auth_server.mjs';
import {browse} from './http_browser.mjs';

const resource = 'http://127.0.0.1:9/mcp';
const local = {[oauth.allowInsecureRequests]: true};

async function callbackServer() {
  let received;
  const server = createServer((request, response) => {
    received = new URL(request.url, 'http://127.0.0.1');
    response.end('done');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {uri: `http://127.0.0.1:${server.address().port}/callback`, received: () => received, close: () => server.close()};
}

async function registeredClient(as, redirect) {
  const response = await oauth.dynamicClientRegistrationRequest(as, {
    redirect_uris: [redirect], application_type: 'native', token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'],
  }, local);
  return oauth.processDynamicClientRegistrationResponse(response);
}

function authorizationUrl(as, client, redirect, state, challenge) {
  const url = new URL(as.authorization_endpoint);
  const query = {client_id: client.client_id, redirect_uri: redirect, response_type: 'code', state, scope: 'mcp:read',
    code_challenge: challenge, code_challenge_method: 'S256', resource};
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

async function codeFlow(server, {user = 'ann', deny = false, DPoP} = {}) {
  const issuer = new URL(server.issuer);
  const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, local));
  const callback = await callbackServer();
  try {
    const client = await registeredClient(as, callback.uri);
    const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
    const challenge = await oauth.calculatePKCECodeChallenge(verifier);
    const page = await browse(authorizationUrl(as, client, callback.uri, state, challenge), {user, deny});
    assert.equal(page.text, 'done');
    const params = oauth.validateAuthResponse(as, client, callback.received(), state);
    const exchange = () => oauth.authorizationCodeGrantRequest(
      as, client, oauth.None(), params, callback.uri, verifier, {...local, DPoP, additionalParameters: {resource}});
    let tokens;
    try {
      tokens = await oauth.processAuthorizationCodeResponse(as, client, await exchange());
    } catch (error) {
      if (!DPoP || !oauth.isDPoPNonceError(error)) throw error;
      tokens = await oauth.processAuthorizationCodeResponse(as, client, await exchange());
    }
    return {as, client, tokens};
  } finally {
    callback.close();
  }
}

test('the code flow yields a JWT for the resource, and a refresh token that rotates', async (t) => {
  const server = await startAuthServer({resource});
  t.after(() => server.close());
  const {as, client, tokens} = await codeFlow(server, {user: 'bob'});
  const claims = JSON.parse(Buffer.from(tokens.access_token.split('.')[1], 'base64url'));
  assert.equal(claims.aud, resource);
  assert.equal(claims.sub, 'bob');
  const response = await oauth.refreshTokenGrantRequest(
    as, client, oauth.None(), tokens.refresh_token, {...local, additionalParameters: {resource}});
  const refreshed = await oauth.processRefreshTokenResponse(as, client, response);
  assert.notEqual(refreshed.refresh_token, tokens.refresh_token);
  assert.deepEqual(server.requests, {authorization_code: 1, refresh_token: 1});
});

test('a user who denies is reported as access_denied', async (t) => {
  const server = await startAuthServer({resource});
  t.after(() => server.close());
  await assert.rejects(codeFlow(server, {deny: true}), (error) => error.error === 'access_denied');
});

test('DPoP with a required nonce yields a bound token', async (t) => {
  const server = await startAuthServer({resource, requireNonce: true});
  t.after(() => server.close());
  const keys = await oauth.generateKeyPair('ES256');
  const {tokens} = await codeFlow(server, {DPoP: oauth.DPoP({client_id: 'any'}, keys)});
  assert.equal(tokens.token_type, 'dpop');
});

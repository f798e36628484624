// An authorization server for tests: oidc-provider with all features that MCP authorization uses.
import {createServer} from 'node:http';
import {once} from 'node:events';
import {exportJWK, generateKeyPair} from 'jose';
import Provider, {errors} from 'oidc-provider';

async function signingKeys() {
  const keys = [];
  for (const alg of ['ES256', 'RS256']) {
    const {privateKey} = await generateKeyPair(alg, {extractable: true});
    keys.push({...(await exportJWK(privateKey)), alg, use: 'sig', kid: alg});
  }
  return {keys};
}

function resourceFeature({resource, scopes, tokenFormat, tokenSeconds}) {
  return {
    enabled: true,
    defaultResource: async () => resource,
    useGrantedResource: async () => true,
    getResourceServerInfo: async (_context, requested) => {
      if (requested !== resource) throw new errors.InvalidTarget();
      return {
        scope: scopes.join(' '),
        audience: resource,
        accessTokenTTL: tokenSeconds,
        accessTokenFormat: tokenFormat,
        jwt: {sign: {alg: 'ES256'}},
      };
    },
  };
}

/// Starts a server on a free port of 127.0.0.1. Options: `resource`, the only resource it issues tokens for; `scopes`;
/// `tokenSeconds`, how long access tokens are valid; `tokenFormat`, jwt or opaque; `clients`, registered in advance;
/// `requireNonce`, whether DPoP proofs need a nonce; `port` and `jwks`, to start the same server again.
/// Returns {issuer, provider, requests, jwks, close}; `requests` counts the
/// successful token requests by grant.
export async function startAuthServer({
  resource,
  scopes = ['mcp:read', 'mcp:write'],
  tokenSeconds = 60,
  tokenFormat = 'jwt',
  clients = [],
  requireNonce = false,
  port = 0,
  jwks,
}) {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${server.address().port}`;
  jwks ??= await signingKeys();
  const provider = new Provider(issuer, {
    clients,
    jwks,
    scopes: ['openid', 'offline_access', ...scopes],
    pkce: {required: () => true},
    rotateRefreshToken: true,
    issueRefreshToken: async (_context, client) => client.grantTypeAllowed('refresh_token'),
    findAccount: async (_context, id) => ({accountId: id, claims: async () => ({sub: id})}),
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    cookies: {keys: ['cookies of a test server']},
    ttl: {Grant: 3600, Session: 3600, Interaction: 600, RefreshToken: 3600, DeviceCode: 600, AuthorizationCode: 60},
    features: {
      registration: {enabled: true},
      revocation: {enabled: true},
      introspection: {enabled: true, allowedPolicy: async (_context, client) => client.clientId === 'resource-server'},
      clientCredentials: {enabled: true},
      deviceFlow: {enabled: true},
      dPoP: {enabled: true, nonceSecret: Buffer.alloc(32, 7), requireNonce: () => requireNonce},
      resourceIndicators: resourceFeature({resource, scopes, tokenFormat, tokenSeconds}),
    },
  });
  const requests = {};
  provider.on('grant.success', (context) => {
    const grant = context.oidc.params.grant_type;
    requests[grant] = (requests[grant] ?? 0) + 1;
  });
  server.on('request', provider.callback());
  const close = async () => {
    if (!server.listening) return;
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return {issuer, provider, requests, jwks, close};
}

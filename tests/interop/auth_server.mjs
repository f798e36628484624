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

// What the forms of oidc-provider would answer.
async function answerInteraction(provider, request, response, user) {
  const {prompt, params, session, grantId} = await provider.interactionDetails(request, response);
  if (prompt.name === 'login') {
    await provider.interactionFinished(request, response, {login: {accountId: user}}, {mergeWithLastSubmission: false});
    return;
  }
  const grant = grantId ? await provider.Grant.find(grantId)
    : new provider.Grant({accountId: session.accountId, clientId: params.client_id});
  grant.addOIDCScope((prompt.details.missingOIDCScope ?? []).join(' '));
  for (const [resource, missing] of Object.entries(prompt.details.missingResourceScopes ?? {})) {
    grant.addResourceScope(resource, missing.join(' '));
  }
  const consent = {grantId: await grant.save()};
  await provider.interactionFinished(request, response, {consent}, {mergeWithLastSubmission: true});
}

/// Starts a server on a free port of 127.0.0.1. Options: `resource`, the only resource it issues tokens for; `scopes`;
/// `tokenSeconds`, how long access tokens are valid; `tokenFormat`, jwt or opaque; `clients`, registered in advance;
/// `requireNonce`, whether DPoP proofs need a nonce; `user`, who is signed in without a form. Returns {issuer, provider, requests, close}; `requests` counts the
/// successful token requests by grant.
export async function startAuthServer({
  resource,
  scopes = ['mcp:read', 'mcp:write'],
  tokenSeconds = 60,
  tokenFormat = 'jwt',
  clients = [],
  requireNonce = false,
  user = undefined,
}) {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, {
    clients,
    jwks: await signingKeys(),
    scopes: ['openid', 'offline_access', ...scopes],
    pkce: {required: () => true},
    rotateRefreshToken: true,
    issueRefreshToken: async (_context, client) => client.grantTypeAllowed('refresh_token'),
    ...(user && {interactions: {url: (_context, interaction) => `/signed-in/${interaction.uid}`}}),
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
  const pages = provider.callback();
  server.on('request', (request, response) => (request.url.startsWith('/signed-in/')
    ? answerInteraction(provider, request, response, user) : pages(request, response)));
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return {issuer, provider, requests, close};
}

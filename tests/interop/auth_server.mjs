// An authorization server for tests: oidc-provider with all features that MCP authorization uses.
import {createServer} from 'node:http';
import {once} from 'node:events';
import {decodeJwt, exportJWK, generateKeyPair} from 'jose';
import Provider, {errors} from 'oidc-provider';

/// New keys. Their ids start with `prefix`.
export async function signingKeys(prefix = '') {
  const keys = [];
  for (const alg of ['ES256', 'RS256']) {
    const {privateKey} = await generateKeyPair(alg, {extractable: true});
    keys.push({...(await exportJWK(privateKey)), alg, use: 'sig', kid: prefix + alg});
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

// RFC 8693: a token for the subject of `subject_token`. Returns the parameters of all exchanges.
function addTokenExchange(provider, {resource, scopes, tokenSeconds}) {
  const exchanges = [];
  const grant = 'urn:ietf:params:oauth:grant-type:token-exchange';
  const parameters = ['subject_token', 'subject_token_type', 'audience', 'resource', 'scope'];
  provider.registerGrantType(grant, async (context) => {
    const {client, params} = context.oidc;
    exchanges.push({...params});
    const {sub, iss} = decodeJwt(params.subject_token);
    if (iss !== provider.issuer) throw new errors.InvalidGrant('the subject token has another issuer');
    const token = new provider.AccessToken({accountId: sub, client, gty: grant, scope: params.scope ?? scopes[0]});
    token.resourceServer = new provider.ResourceServer(resource, {
      scope: scopes.join(' '), audience: resource, accessTokenTTL: tokenSeconds, accessTokenFormat: 'jwt', jwt: {sign: {alg: 'ES256'}},
    });
    context.body = {
      access_token: await token.save(), token_type: 'Bearer', expires_in: token.expiration, scope: token.scope,
      issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    };
  }, parameters);
  return exchanges;
}

/// Starts a server on a free port of 127.0.0.1. Options: `resource`, the only resource it issues tokens for; `scopes`;
/// `tokenSeconds`, how long access tokens are valid; `tokenFormat`, jwt or opaque; `clients`, registered in advance;
/// `requireNonce`, whether DPoP proofs need a nonce; `user`, who is signed in without a form; `tokenExchange`; `port` and
/// `jwks`, to start the same server again. Returns {issuer, provider, requests, fetched, exchanges, jwks, close}; `requests`
/// counts the successful token requests by grant, and `fetched(path)` the requests for a path.
export async function startAuthServer({
  resource,
  scopes = ['mcp:read', 'mcp:write'],
  tokenSeconds = 60,
  tokenFormat = 'jwt',
  clients = [],
  requireNonce = false,
  user = undefined,
  tokenExchange = false,
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
    ...(user && {interactions: {url: (_context, interaction) => `/signed-in/${interaction.uid}`}}),
    findAccount: async (_context, id) => ({accountId: id, claims: async () => ({sub: id})}),
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    cookies: {keys: ['cookies of a test server']},
    ttl: {Grant: 3600, Session: 3600, Interaction: 600, RefreshToken: 3600, DeviceCode: 600, AuthorizationCode: 60},
    features: {
      devInteractions: {enabled: !user},
      registration: {enabled: true},
      revocation: {enabled: true},
      introspection: {enabled: true, allowedPolicy: async (_context, client) => client.clientId === 'resource-server'},
      clientCredentials: {enabled: true},
      deviceFlow: {enabled: true},
      dPoP: {enabled: true, nonceSecret: Buffer.alloc(32, 7), requireNonce: () => requireNonce},
      resourceIndicators: resourceFeature({resource, scopes, tokenFormat, tokenSeconds}),
    },
  });
  const exchanges = tokenExchange ? addTokenExchange(provider, {resource, scopes, tokenSeconds}) : [];
  const requests = {};
  provider.on('grant.success', (context) => {
    const grant = context.oidc.params.grant_type;
    requests[grant] = (requests[grant] ?? 0) + 1;
  });
  const pages = provider.callback();
  const paths = [];
  server.on('request', (request, response) => {
    paths.push(request.url.split('?')[0]);
    if (request.url.startsWith('/signed-in/')) answerInteraction(provider, request, response, user);
    else pages(request, response);
  });
  const fetched = (path) => paths.filter((each) => each === path).length;
  const close = async () => {
    if (!server.listening) return;
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return {issuer, provider, requests, fetched, exchanges, jwks, close};
}

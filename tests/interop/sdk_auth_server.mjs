// sdk_auth_server.mjs <port>: an MCP server with the own authorization server of the SDK (mcpAuthRouter), for one user.
import { randomUUID } from 'node:crypto';
import { getOAuthProtectedResourceMetadataUrl, mcpAuthRouter } from '@modelcontextprotocol/sdk/server/auth/router.js';
import { InvalidGrantError, InvalidTokenError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import express from 'express';

const port = Number(process.argv[2]);
const resourceServerUrl = new URL(`http://127.0.0.1:${port}/mcp`);
const clients = new Map();
const codes = new Map();
const tokens = new Map();
const refreshTokens = new Map();
let issued = 0;

function issue(client, scopes, resource) {
  const [token, refresh] = [randomUUID(), randomUUID()];
  const lifetime = 3600;
  tokens.set(token, {
    token, clientId: client.client_id, scopes, expiresAt: Math.floor(Date.now() / 1000) + lifetime, resource,
    extra: { number: ++issued },
  });
  refreshTokens.set(refresh, { client: client.client_id, scopes, resource });
  return { access_token: token, token_type: 'bearer', expires_in: lifetime, refresh_token: refresh, scope: scopes.join(' ') };
}

const provider = {
  clientsStore: {
    getClient: id => clients.get(id),
    registerClient: client => { clients.set(client.client_id, client); return client; },
  },
  async authorize(client, { state, codeChallenge, redirectUri, scopes = [], resource }, response) {
    const code = randomUUID();
    codes.set(code, { client: client.client_id, codeChallenge, redirectUri, scopes, resource });
    const target = new URL(redirectUri);
    target.searchParams.set('code', code);
    if (state) target.searchParams.set('state', state);
    response.redirect(target.href);
  },
  challengeForAuthorizationCode: async (_client, code) => codes.get(code)?.codeChallenge,
  async exchangeAuthorizationCode(client, code, _verifier, redirectUri, resource) {
    const kept = codes.get(code);
    codes.delete(code);
    const fits = kept?.client === client.client_id && kept.redirectUri === redirectUri && kept.resource?.href === resource?.href;
    if (!fits || resource?.href !== resourceServerUrl.href) throw new InvalidGrantError('another code, client or resource');
    return issue(client, kept.scopes, resource);
  },
  async exchangeRefreshToken(client, refresh, _scopes, resource) {
    const kept = refreshTokens.get(refresh);
    refreshTokens.delete(refresh);
    if (kept?.client !== client.client_id || kept.resource.href !== resource?.href) throw new InvalidGrantError('used');
    return issue(client, kept.scopes, resource);
  },
  async verifyAccessToken(token) {
    const found = tokens.get(token);
    if (!found) throw new InvalidTokenError('unknown or revoked');
    return found;
  },
  async revokeToken(_client, { token }) {
    tokens.delete(token);
    refreshTokens.delete(token);
  },
};

function whoServer() {
  const server = new McpServer({ name: 'sdk-auth', version: '1' });
  server.registerTool('who', { description: 'Returns the number and the scopes of the token' }, ({ authInfo }) => ({
    content: [{ type: 'text', text: `token ${authInfo.extra.number} ${authInfo.scopes.join(' ')}` }],
  }));
  server.registerTool('forget', { description: 'Revokes the access token of the caller' }, ({ authInfo }) => {
    tokens.delete(authInfo.token);
    return { content: [{ type: 'text', text: 'forgotten' }] };
  });
  return server;
}

const app = express();
app.use(mcpAuthRouter({
  provider, issuerUrl: new URL(`http://127.0.0.1:${port}`), resourceServerUrl, scopesSupported: ['mcp:tools'],
}));
const check = requireBearerAuth({
  verifier: provider, requiredScopes: ['mcp:tools'],
  resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(resourceServerUrl),
});
app.all('/mcp', check, express.json(), async (request, response) => {
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  await whoServer().connect(transport);
  await transport.handleRequest(request, response, request.body);
});
app.listen(port, '127.0.0.1');

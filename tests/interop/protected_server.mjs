// An MCP server with version 1 of the official SDK behind its bearer check. Tokens come from auth_server.mjs.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { getOAuthProtectedResourceMetadataUrl, mcpAuthMetadataRouter } from '@modelcontextprotocol/sdk/server/auth/router.js';
import { InvalidTokenError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import express from 'express';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { dpopCheck } from './dpop_check.mjs';

const verifier = (issuer, audience) => {
  const keys = createRemoteJWKSet(new URL(`${issuer}/jwks`));
  return async token => {
    try {
      const { payload } = await jwtVerify(token, keys, { issuer, audience, typ: 'at+jwt' });
      const { sub, client_id: clientId, scope = '', exp: expiresAt } = payload;
      return { token, clientId, scopes: scope.split(' ').filter(Boolean), expiresAt, extra: { sub } };
    } catch (error) {
      throw new InvalidTokenError(error.message);
    }
  };
};

function whoServer() {
  const server = new McpServer({ name: 'protected', version: '1' });
  server.registerTool('who', { description: 'Returns the subject of the token' }, ({ authInfo }) => ({
    content: [{ type: 'text', text: `${authInfo.extra.sub} ${authInfo.scopes.join(' ')}` }],
  }));
  return server;
}

/** Listens on a free port, or on `port`; `resource` is its MCP address. Requests wait until `protect(issuer metadata)` was called. With
 * `dpop`, tokens must be bound to a key; `accepted` counts the proofs. */
export async function startProtectedServer({ requiredScopes = [], dpop = false, port = 0 } = {}) {
  const app = express();
  let isProtected;
  const protection = new Promise(resolve => { isProtected = resolve; });
  app.use((request, response, next) => { protection.then(() => next()); });
  const server = createServer(app).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const resource = `http://127.0.0.1:${server.address().port}/mcp`;
  const accepted = { proofs: 0 };
  const protect = async issuer => {
    const oauthMetadata = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json();
    const resourceServerUrl = new URL(resource);
    app.use(mcpAuthMetadataRouter({ oauthMetadata, resourceServerUrl, scopesSupported: ['mcp:read'] }));
    const metadataUrl = getOAuthProtectedResourceMetadataUrl(resourceServerUrl);
    const check = dpop ? await dpopCheck({ issuer, resource, metadataUrl, accepted }) : requireBearerAuth({
      verifier: { verifyAccessToken: verifier(issuer, resource) },
      requiredScopes,
      resourceMetadataUrl: metadataUrl,
    });
    app.all('/mcp', check, express.json(), async (request, response) => {
      const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
      await whoServer().connect(transport);
      await transport.handleRequest(request, response, request.body);
    });
    isProtected();
  };
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { resource, accepted, protect, close };
}

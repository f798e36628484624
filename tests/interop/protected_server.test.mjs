// Shows that a client of the official SDK signs in to protected_server.mjs, before Fairlead is tried with it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { startAuthServer } from './auth_server.mjs';
import { browse } from './http_browser.mjs';
import { startProtectedServer } from './protected_server.mjs';
import { signInProvider } from './sdk_sign_in.mjs';

test('the SDK client signs in to the protected server of the SDK', async t => {
  const server = await startProtectedServer({ requiredScopes: ['mcp:read'] });
  const issuer = await startAuthServer({ resource: server.resource });
  t.after(() => Promise.all([server.close(), issuer.close()]));
  await server.protect(issuer.issuer);

  const provider = await signInProvider();
  t.after(() => provider.close());
  const connect = async () => {
    const client = new Client({ name: 'witness', version: '1' });
    const transport = new StreamableHTTPClientTransport(new URL(server.resource), { authProvider: provider });
    try {
      await client.connect(transport);
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error;
      await browse(provider.opened, { user: 'ann' });
      await transport.finishAuth(provider.code);
      return undefined;
    }
    return client;
  };
  assert.equal(await connect(), undefined);
  const client = await connect();
  const result = await client.callTool({ name: 'who', arguments: {} });
  assert.equal(result.content[0].text, 'ann mcp:read');
  await client.close();
});

// oidc_protected_server.mjs <port>: protected_server.mjs with oidc-provider as its authorization server.
import { startAuthServer } from './auth_server.mjs';
import { startProtectedServer } from './protected_server.mjs';

const server = await startProtectedServer({ requiredScopes: ['mcp:read'], port: Number(process.argv[2]) });
const issuer = await startAuthServer({ resource: server.resource });
await server.protect(issuer.issuer);

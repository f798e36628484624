// Our servers with OAuth, and tokens for them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAuthServer } from './auth_server.mjs';
import { freePort, program } from './support.mjs';

export const machine = {
  client_id: 'machine', client_secret: 'secret-of-the-machine', grant_types: ['client_credentials'], redirect_uris: [],
  response_types: [], scope: 'mcp:read mcp:write',
};
export const other = { ...machine, client_id: 'other' };
const resourceServer = {
  client_id: 'resource-server', client_secret: 'secret-of-the-resource-server', grant_types: ['client_credentials'],
  redirect_uris: [], response_types: [],
};

async function start(t, words, folder) {
  const server = spawn(program, words, { stdio: ['ignore', 'ignore', 'pipe'] });
  const at = { printed: '', kill: signal => server.kill(signal) };
  t.after(async () => {
    server.kill();
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
    if (folder) await rm(folder, { recursive: true });
  });
  await new Promise((resolve, reject) => {
    server.stderr.on('data', text => {
      at.printed += text;
      if (/(listening|serving \S+) on http/.test(at.printed)) resolve();
    });
    server.on('exit', code => reject(new Error(`the server ended with ${code}: ${at.printed}`)));
  });
  return at;
}

/** The demo server: `resource` is its MCP address. */
export async function protectedDemo(t, issuerOptions = {}) {
  const origin = `http://127.0.0.1:${await freePort()}`;
  const issuer = await startAuthServer({ resource: `${origin}/mcp`, clients: [machine, other, resourceServer], ...issuerOptions });
  t.after(() => issuer.close());
  const words = ['demo', '--http', origin.slice('http://'.length), '--oauth-issuer', issuer.issuer, '--oauth-scope', 'mcp:read', '--public-url', origin];
  return { resource: `${origin}/mcp`, origin, issuer, ...await start(t, words) };
}

/** The gateway with the demo server behind it. `oauth` returns more members of `listen.oauth`, `rest` of the file, and
 * `listen` has more members of `listen`; `prepare` is called before the gateway starts. */
export async function protectedGateway(t, { issuer: issuerOptions = {}, listen = {}, oauth = () => ({ scopes: { all: ['mcp:read'] } }), rest = () => ({}), path = '/mcp', prepare } = {}) {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const issuer = await startAuthServer({ resource: origin + path, clients: [machine, other, resourceServer], ...issuerOptions });
  t.after(() => issuer.close());
  await prepare?.(issuer, origin + path);
  const folder = await mkdtemp(join(tmpdir(), 'fairlead-protected-'));
  const file = join(folder, 'chain.json');
  const write = async () => writeFile(file, JSON.stringify({
    listen: { port, public_url: origin, ...listen, oauth: { issuers: [issuer.issuer], ...oauth(issuer) } },
    list_timeout: '60s', servers: { demo: { command: program, args: ['demo'] } }, ...await rest(folder),
  }));
  await write();
  const at = await start(t, ['serve', '-c', file], folder);
  return { resource: origin + path, origin, issuer, file, write, printed: () => at.printed, kill: at.kill };
}

/** A token for a machine, by client credentials. */
export async function machineToken(issuer, resource, { scope = 'mcp:read', client = 'machine' } = {}) {
  const body = new URLSearchParams({ grant_type: 'client_credentials', scope, resource });
  const authorization = `Basic ${Buffer.from(`${client}:secret-of-the-machine`).toString('base64')}`;
  const response = await fetch(`${issuer.issuer}/token`, { method: 'POST', body, headers: { authorization } });
  const answer = await response.json();
  if (!response.ok) throw new Error(`the token endpoint answered ${response.status}: ${JSON.stringify(answer)}`);
  return answer.access_token;
}

/** Posts a stateless request. */
export function post(url, token, method, params = {}, headers = {}) {
  const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json', accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2026-07-28',
      'mcp-method': method, ...(params.name ? { 'mcp-name': params.name } : {}),
      ...(token ? { authorization: `Bearer ${token}` } : {}), ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } }),
  });
}

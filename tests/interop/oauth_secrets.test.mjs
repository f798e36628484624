// Access tokens, refresh tokens, codes, verifiers, client secrets and DPoP keys appear in nothing that the program writes:
// logs, tap, recordings, metrics, errors, the arguments of processes and the shown configuration.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startAuthServer } from './auth_server.mjs';
import { startGateway, succeeds, until, who } from './gateway_fixture.mjs';
import { browse } from './http_browser.mjs';
import { newHome, signInWorld } from './sign_in_fixture.mjs';
import { freePort, program } from './support.mjs';

const secretParameters = ['code', 'code_verifier', 'refresh_token', 'client_secret', 'subject_token', 'device_code'];
const secretMembers = ['access_token', 'refresh_token', 'id_token'];

/** Keeps what an issuer receives and sends, with the name of its place. */
function watch({ provider }, name, secrets) {
  const keep = context => {
    for (const each of secretParameters) if (context.oidc.params?.[each]) secrets.set(context.oidc.params[each], `${name}: ${each}`);
    for (const each of secretMembers) if (context.body?.[each]) secrets.set(context.body[each], `${name}: ${each}`);
  };
  provider.on('grant.success', keep);
  provider.on('grant.error', keep);
}

/** Adds a key in PEM: each line of it is secret. */
function addKey(secrets, pem) {
  for (const line of pem.split('\n')) if (line && !line.startsWith('-')) secrets.set(line, 'DPoP key');
}

async function everyArgument() {
  const found = [];
  for (const pid of (await readdir('/proc')).filter(name => /^\d+$/.test(name))) {
    const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    const variables = words.includes('fairlead') ? await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '') : '';
    found.push(words, variables);
  }
  return found.join('\n');
}

/** Listens to a gateway in every form. `stop()` ends it and returns all that was shown and written. */
async function tapped(world, control) {
  const file = join(world.folder, 'tap.jsonl');
  const shown = [];
  const taps = [[], ['--full'], ['--json'], ['-o', file]].map(options => {
    const tap = spawn(program, ['tap', '--control', control, ...options], { env: world.env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [tap.stdout, tap.stderr]) stream.on('data', text => shown.push(String(text)));
    return tap;
  });
  await until(async () => { await sleep(50); return shown.join('').split('listening to gateway').length - 1; }, count => count === taps.length);
  const stop = async () => {
    await sleep(1000);  // For the rest, which is searched too.
    for (const tap of taps) {
      tap.kill('SIGINT');
      if (tap.exitCode === null) await once(tap, 'close');
    }
    return shown.join('') + await readFile(file, 'utf8');
  };
  return { stop };
}

test('attack: no secret of a sign-in is disclosed', { timeout: 180_000 }, async t => {
  const client_secret = 'plain-secret-of-the-pages';
  const world = await signInWorld(t, { issuer: { tokenSeconds: 3600, user: 'ann-at-work' }, server: { dpop: true } });
  const port = await freePort();
  const public_url = `http://127.0.0.1:${port}`;
  const pages = { client_id: 'pages', client_secret, redirect_uris: [`${public_url}/sign-in/verified`], grant_types: ['authorization_code'] };
  const own = await startAuthServer({ resource: `${public_url}/mcp`, tokenSeconds: 3600, clients: [pages] });
  t.after(() => own.close());
  const secrets = new Map([[client_secret, 'client secret']]);
  watch(world.issuer, 'server', secrets);
  watch(own, 'gateway', secrets);
  const outputs = new Map();
  const keep = async (name, promise) => {
    const done = await promise;
    outputs.set(name, done.stdout + done.stderr);
    return done;
  };

  const control = join(world.folder, 'control.sock');
  const key_file = join(world.folder, 'vault.key');
  succeeds(await world.fairlead(['key', '--vault', key_file]));
  const oauth = { issuers: [own.issuer], scopes: { all: ['mcp:read'] }, sign_in: { client_id: 'pages', client_secret } };
  const settings = {
    listen: { port, public_url, oauth }, control, log: { format: 'json', level: 'debug', calls: 'json' },
    chain: ['log(outer, params=yes)'], vault: { folder: join(world.folder, 'vault'), key_file },
  };
  const gateway = await startGateway(t, world, { oauth: { for: 'caller' } }, settings);
  const tap = await tapped(world, control);

  const ann = await newHome(t);
  const config = join(ann.folder, 'servers.json');
  await writeFile(config, JSON.stringify({ servers: { gateway: { url: gateway.url, auth: { oauth: { dpop: 'off' } } } } }));
  succeeds(await keep('login', ann.fairlead(['login', 'gateway', '-c', config, '--debug'])));
  const { access_token: key } = await ann.login();
  const link = (await who(gateway, { key })).text.match(/http\S+\/sign-in\/start\?token=(\S+)/);
  secrets.set(link[1], 'link');
  outputs.set('page', (await browse(link[0])).text);
  const { text } = await until(() => who(gateway, { key }), ({ result }) => !result?.isError);
  assert.equal(text, 'ann-at-work mcp:read');
  await fetch(gateway.url, { method: 'POST', headers: { authorization: `Bearer ${key}x` }, body: '{}' }).then(async response => {
    assert.equal(response.status, 401);
    outputs.set('refusal', JSON.stringify([...response.headers]) + await response.text());
  });
  const metrics = await fetch(`${public_url}/metrics`, { headers: { authorization: `Bearer ${key}` } });
  assert.equal(metrics.status, 200);
  outputs.set('metrics', await metrics.text());
  await keep('call by name', ann.fairlead(['call', 'gateway.who', '-c', config, '--debug']));
  await keep('unknown tool', ann.fairlead(['call', 'gateway.nothing', '-c', config, '--debug']));

  succeeds(await keep('login with DPoP', world.fairlead(['login', world.url, '--debug'])));
  const login = await world.login();
  addKey(secrets, login.dpop_key);
  await world.change({ expires_at: 1 });
  const kept = join(world.folder, 'session.mcpl');
  succeeds(await keep('recorder', world.fairlead(['call', 'who', '--debug', '--', program, 'record', '-o', kept, '--stdio', world.url, '--debug'])));
  outputs.set('recording', await readFile(kept, 'utf8'));
  assert.match(outputs.get('recording'), /ann-at-work/);
  assert.equal(world.issuer.requests.refresh_token, 1, 'the refresh is in the recording of the log');
  await world.change({ refresh_token: 'not-the-refresh-token-of-ann', expires_at: 1 });
  secrets.set('not-the-refresh-token-of-ann', 'refused refresh token');
  await keep('refused refresh', world.fairlead(['call', 'who', world.url, '--debug']));
  for (const words of [['serve', '-c', gateway.file, '--show-config'], ['check', gateway.file], ['doctor', '-c', gateway.file], ['whoami'],
    ['ls', '-c', gateway.file], ['logout', world.url, '--debug']]) await keep(words.join(' '), world.fairlead(words));
  outputs.set('ps', await everyArgument());
  outputs.set('tap', await tap.stop());
  outputs.set('gateway', gateway.output());
  for (const file of await readdir(join(world.folder, 'vault'))) outputs.set(`vault ${file}`, await readFile(join(world.folder, 'vault', file), 'utf8'));

  for (const place of ['tap', 'gateway']) assert.match(outputs.get(place), /tools\/call/, `${place} has seen calls`);
  assert.ok([...secrets.values()].some(place => place === 'gateway: code') && secrets.size > 12, [...secrets.values()].join(', '));
  const found = [...outputs].flatMap(([place, output]) => [...secrets].filter(([secret]) => output.includes(secret)).map(([, kind]) => `${kind} in ${place}`));
  assert.deepEqual(found, []);
});

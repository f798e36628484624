// A user's home, an authorization server and a protected MCP server, for tests of the program's sign-in.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startAuthServer } from './auth_server.mjs';
import { startProtectedServer } from './protected_server.mjs';
import { program } from './support.mjs';

const httpBrowser = `${process.execPath} ${fileURLToPath(new URL('./http_browser.mjs', import.meta.url))}`;

/** Runs a command to its end. Returns {code, stdout, stderr}. */
export function run(command, args, options = {}) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', text => { output.stdout += text; });
  child.stderr.on('data', text => { output.stderr += text; });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', code => resolve({ code, ...output }));
  });
}

/** A home without logins. `browser` is the value of BROWSER. */
export async function newHome(t, { browser = httpBrowser } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'fairlead-home-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const { DISPLAY, WAYLAND_DISPLAY, FAIRLEAD_DEBUG, FAIRLEAD_CREDENTIAL_HELPER, ...inherited } = process.env;
  const env = { ...inherited, HOME: folder, XDG_STATE_HOME: join(folder, 'state'), XDG_CONFIG_HOME: join(folder, 'config'), BROWSER: browser };
  const logins = join(folder, 'state', 'fairlead', 'credentials');
  const files = async () => (await readdir(logins)).filter(name => name.endsWith('.json')).map(name => join(logins, name));
  return {
    folder, env, logins,
    fairlead: (args, more = {}) => run(program, args, { env: { ...env, ...more } }),
    /** Runs the program on a terminal. */
    atTerminal: (args, more = {}) => {
      const line = [program, ...args].map(word => `'${word}'`).join(' ');
      return run('script', ['--quiet', '--return', '--command', line, '/dev/null'], { env: { ...env, ...more } });
    },
    /** The only stored login. */
    login: async () => JSON.parse(await readFile((await files())[0], 'utf8')),
    change: async members => {
      const [file] = await files();
      await writeFile(file, JSON.stringify({ ...JSON.parse(await readFile(file, 'utf8')), ...members }));
    },
  };
}

/** Starts `fairlead login` without a browser. Returns the process, the address of the page that it prints, and its end. */
export async function startLogin(world, ...options) {
  const child = spawn(program, ['login', world.url, '--no-browser', ...options], { env: world.env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close').then(([code]) => code);
  let printed = '';
  const page = await new Promise((resolve, reject) => {
    child.stderr.on('data', text => {
      printed += text;
      const found = printed.match(/^ {2}(http\S+)$/m);
      if (found) resolve(new URL(found[1]));
    });
    ended.then(code => reject(new Error(`fairlead login ended with ${code}: ${printed}`)));
  });
  return { child, page, ended };
}

/** A protected server, its issuer and a home. `url` is the MCP address. */
export async function signInWorld(t, { issuer = {}, server = {}, home = {} } = {}) {
  const resource = await startProtectedServer(server);
  const authorization = await startAuthServer({ resource: resource.resource, ...issuer });
  t.after(() => Promise.all([resource.close(), authorization.close()]));
  await resource.protect(authorization.issuer);
  return { url: resource.resource, server: resource, issuer: authorization, ...await newHome(t, home) };
}

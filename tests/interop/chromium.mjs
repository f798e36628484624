// Debian's Chromium without a window, for tests that need a real browser.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const path = '/usr/bin/chromium';

/** Why tests with Chromium are skipped; false if it is installed. */
export const withoutChromium = existsSync(path) ? false : 'the package chromium is not installed; ./dev test installs it';

/** The command line without a URL, with a new profile. */
export async function chromiumCommand(t) {
  const profile = await mkdtemp(join(tmpdir(), 'fairlead-chromium-'));
  t.after(() => rm(profile, { recursive: true, force: true, maxRetries: 20 }));
  return [path, '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync', `--user-data-dir=${profile}`];
}

/** Opens a page and returns an object whose `evaluate` runs a script in it, and whose `requests` are the URLs it loaded. */
export async function openPage(t, url) {
  const [command, ...options] = await chromiumCommand(t);
  const browser = spawn(command, [...options, '--remote-debugging-port=0', 'about:blank'], { stdio: ['ignore', 'ignore', 'pipe'] });
  t.after(() => browser.kill('SIGKILL'));
  const address = await new Promise((resolve, reject) => {
    let printed = '';
    browser.stderr.on('data', text => {
      printed += text;
      const found = printed.match(/DevTools listening on ws:\/\/(\S+?)\//);
      if (found) resolve(found[1]);
    });
    browser.on('exit', () => reject(new Error(`chromium has ended: ${printed}`)));
  });
  const target = (await (await fetch(`http://${address}/json/list`)).json()).find(({ type }) => type === 'page');
  const socket = new WebSocket(target.webSocketDebuggerUrl);
  await new Promise(resolve => socket.addEventListener('open', resolve));
  const waiting = new Map();
  const requests = [];
  socket.addEventListener('message', ({ data }) => {
    const { id, result, method, params } = JSON.parse(data);
    if (method === 'Network.requestWillBeSent') requests.push(params.request.url);
    waiting.get(id)?.(result);
  });
  let count = 0;
  const send = (method, params = {}) => new Promise(resolve => {
    waiting.set(++count, resolve);
    socket.send(JSON.stringify({ id: count, method, params }));
  });
  await send('Network.enable');
  await send('Page.enable');
  await send('Page.navigate', { url });
  const evaluate = async expression => (await send('Runtime.evaluate', { expression, awaitPromise: true })).result.value;
  return { evaluate, requests };
}

/** Waits until a script returns something true. */
export async function waitFor(page, expression) {
  for (let i = 0; i < 600; ++i) {
    if (await page.evaluate(expression)) return;
    await new Promise(resolve => { setTimeout(resolve, 100); });
  }
  throw new Error(`never true in the page: ${expression}; it shows ${await page.evaluate('document.body.innerText')}`);
}

// A page of `fairlead demo` in Chromium, shown by a host that is built with ext-apps.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { getToolUiResourceUri, RESOURCE_MIME_TYPE } from '@modelcontextprotocol/ext-apps/app-bridge';
import { openPage, waitFor, withoutChromium } from './chromium.mjs';
import { program } from './support.mjs';

// What app-bridge imports, directly and indirectly.
const modules = {
  '@modelcontextprotocol/ext-apps': ['./app-bridge'],
  '@modelcontextprotocol/client': ['.', './_shims'],
  '@modelcontextprotocol/core': ['.', './internal'],
  eventsource: ['.'],
  'eventsource-parser': ['.', './stream'],
  'pkce-challenge': ['.'],
  zod: ['./v4'],
};

const packages = new URL('node_modules/', import.meta.url);
const browserFile = entry => typeof entry === 'string' ? entry : browserFile(entry.browser ?? entry.import ?? entry.default);

/** The import map of the host's page. */
async function importMap() {
  const imports = {};
  for (const [name, paths] of Object.entries(modules)) {
    const { exports } = JSON.parse(await readFile(new URL(`${name}/package.json`, packages)));
    for (const path of paths) {
      imports[name + path.slice(1)] = new URL(browserFile(exports[path]), `http://x/node_modules/${name}/`).pathname;
    }
  }
  return JSON.stringify({ imports });
}

const host = `
  import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';
  const { html, input, result } = await (await fetch('/shown.json')).json();
  const view = document.querySelector('iframe');
  const bridge = new AppBridge(null, { name: 'host', version: '1' }, {});
  window.sizes = [];
  bridge.addEventListener('sizechange', size => window.sizes.push(size));
  bridge.addEventListener('initialized', async () => {
    await bridge.sendToolInput({ arguments: input });
    await bridge.sendToolResult(result);
  });
  await bridge.connect(new PostMessageTransport(view.contentWindow, view.contentWindow));
  view.srcdoc = html;`;

/** Serves the host's page. Returns its URL. */
async function serveHost(t, shown) {
  const page = `<!doctype html><script type="importmap">${await importMap()}</script>
    <iframe sandbox="allow-scripts allow-same-origin"></iframe><script type="module">${host}</script>`;
  const answers = { '/': ['text/html', page], '/shown.json': ['application/json', JSON.stringify(shown)] };
  const server = createServer(async ({ url }, response) => {
    const [type, body] = answers[url] ?? ['text/javascript', await readFile(new URL(`.${url}`, import.meta.url)).catch(() => '')];
    response.writeHead(body ? 200 : 404, { 'Content-Type': type }).end(body);
  });
  await new Promise(resolve => { server.listen(0, '127.0.0.1', resolve); });
  t.after(() => server.closeAllConnections() ?? server.close());
  return `http://127.0.0.1:${server.address().port}/`;
}

test('a host of ext-apps shows the page of the demo in Chromium', { skip: withoutChromium }, async t => {
  const extensions = { 'io.modelcontextprotocol/ui': { mimeTypes: [RESOURCE_MIME_TYPE] } };
  const client = new Client({ name: 'host', version: '1' }, { capabilities: { extensions } });
  await client.connect(new StdioClientTransport({ command: program, args: ['demo'], stderr: 'inherit' }));
  t.after(() => client.close());
  const weather = (await client.listTools()).tools.find(({ name }) => name === 'weather');
  const { contents: [{ text: html }] } = await client.readResource({ uri: getToolUiResourceUri(weather) });
  const input = { city: 'Rome' };
  const result = await client.callTool({ name: 'weather', arguments: input });

  const page = await openPage(t, await serveHost(t, { html, input, result }));
  const shown = id => `document.querySelector('iframe').contentDocument?.getElementById('${id}')?.textContent`;
  await waitFor(page, `${shown('temperature')} === '8 °C'`);
  assert.equal(await page.evaluate(shown('city')), 'Rome');
  await waitFor(page, 'window.sizes.length > 0');
});

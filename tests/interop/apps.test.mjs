import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import {
  buildAllowAttribute, getToolUiResourceUri, isToolVisibilityAppOnly, RESOURCE_MIME_TYPE, RESOURCE_URI_META_KEY,
} from '@modelcontextprotocol/ext-apps/app-bridge';
import { textOf } from './support.mjs';

const server = { command: process.env.FAIRLEAD_APPS_SERVER, args: [], stderr: 'inherit' };
const extensions = { 'io.modelcontextprotocol/ui': { mimeTypes: [RESOURCE_MIME_TYPE] } };

for (const mode of ['legacy', { pin: '2026-07-28' }]) {
  describe(`our server under a host of ext-apps, ${JSON.stringify(mode)}`, () => {
    const open = async capabilities => {
      const client = new Client({ name: 'host', version: '1' }, { capabilities, versionNegotiation: { mode } });
      await client.connect(new StdioClientTransport(server));
      return client;
    };
    let host;
    before(async () => { host = await open({ extensions }); });
    after(() => host.close());

    test('tools name their page in both spellings, and who may call them', async () => {
      const { tools } = await host.listTools();
      const [time, zone] = ['time', 'set_zone'].map(wanted => tools.find(({ name }) => name === wanted));
      assert.equal(getToolUiResourceUri(time), 'ui://clock/face');
      assert.equal(getToolUiResourceUri({ _meta: { [RESOURCE_URI_META_KEY]: time._meta[RESOURCE_URI_META_KEY] } }), 'ui://clock/face');
      assert.ok(isToolVisibilityAppOnly(zone) && !isToolVisibilityAppOnly(time));
    });

    test('the page has the MIME type and the permissions', async () => {
      const { contents: [page] } = await host.readResource({ uri: 'ui://clock/face' });
      assert.equal(page.mimeType, RESOURCE_MIME_TYPE);
      assert.match(page.text, /<!doctype html>/);
      assert.deepEqual(page._meta.ui.csp, { connectDomains: ['https://time.example'] });
      assert.equal(buildAllowAttribute(page._meta.ui.permissions), 'clipboard-write');
    });

    test('a handler knows whether the host shows pages', async () => {
      assert.equal(textOf(await host.callTool({ name: 'time', arguments: {} })), '12:00, shown as a clock');
      const plain = await open({});
      assert.equal(textOf(await plain.callTool({ name: 'time', arguments: {} })), '12:00');
      await plain.close();
    });
  });
}

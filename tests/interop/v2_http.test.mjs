import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { checkContent, withPeer } from './check_content.mjs';
import { checkNotices } from './check_notifications.mjs';
import { checkQuestions } from './check_server_requests.mjs';
import { conformanceOverHttp } from './support.mjs';
import { opener } from './v2_peer.mjs';

// Without a session, this SDK's transport delivers responses in a way that the tests do not observe.
const eras = {
  'with a session': { mode: 'legacy', stateless: false },
  'after server/discover': { mode: 'auto', stateless: true, unwatched: true },
  'without a session': { mode: { pin: '2026-07-28' }, stateless: true, unwatched: true },
};

for (const [name, era] of Object.entries(eras)) {
  describe(`over HTTP ${name}`, () => {
    const server = conformanceOverHttp('--workers', '2');
    const open = opener(era.mode, () => new StreamableHTTPClientTransport(new URL(`${server.origin}/mcp`)));
    test('uses the expected era', withPeer(open, {}, ({ client }) => {
      assert.equal(client.getProtocolEra(), era.stateless ? 'modern' : 'legacy');
    }));
    checkContent(open, era);
    checkQuestions(open, era);
    checkNotices(open, era);
  });
}

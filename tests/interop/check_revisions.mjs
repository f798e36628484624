import assert from 'node:assert/strict';
import test from 'node:test';
import { withPeer } from './check_content.mjs';
import { progressSeen, textOf } from './support.mjs';

/** Tests every revision, with a client that requests it in the handshake. */
export function checkRevisions(open, revisions) {
  for (const revision of revisions) {
    const answers = {
      'sampling/createMessage': () => ({ model: 'm', role: 'assistant', content: { type: 'text', text: 'Because.' } }),
      'roots/list': () => ({ roots: [{ uri: 'file:///tmp/one' }] }),
    };
    const options = { revision, capabilities: { sampling: {}, roots: {} }, answers };
    test(`revision ${revision} is supported`, withPeer(open, options, async ({ client, call, transport }) => {
      const { protocolVersion } = transport.seen[0].result;
      // The unpublished first revision is answered with a supported one.
      if (revision >= '2024-11-05') assert.equal(protocolVersion, revision);
      assert.equal(textOf(await call('echo', { text: 'hello' })), 'hello');
      await call('progress', { steps: 3 }, { onprogress: () => {} });
      assert.deepEqual(progressSeen(transport).map(({ progress }) => progress), [1, 2, 3]);
      assert.equal(textOf(await call('test_sampling', { prompt: 'Why?' })), 'LLM response: Because.');
      assert.equal(textOf(await call('test_list_roots')), '1 roots\nfile:///tmp/one');
      assert.deepEqual(await client.ping(), {});
      assert.ok((await client.listTools()).tools.length > 30);
    }));
  }
}

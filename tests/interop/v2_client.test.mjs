import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isInputRequiredResult, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/client';
import { checkContent, withPeer } from './check_content.mjs';
import { checkNotices } from './check_notifications.mjs';
import { checkQuestions } from './check_server_requests.mjs';
import { checkRevisions } from './check_revisions.mjs';
import { textOf } from './support.mjs';
import { opener } from './v2_peer.mjs';

const eras = {
  'with a handshake': { mode: 'legacy', stateless: false },
  'after server/discover': { mode: 'auto', stateless: true },
  'without a handshake': { mode: { pin: '2026-07-28' }, stateless: true },
};

for (const [name, era] of Object.entries(eras)) {
  describe(name, () => {
    const open = opener(era.mode);
    test('uses the expected era', withPeer(open, {}, ({ client }) => {
      assert.equal(client.getProtocolEra(), era.stateless ? 'modern' : 'legacy');
    }));
    checkContent(open, era);
    checkQuestions(open, era);
    checkNotices(open, era);
  });
}

describe('with a handshake of every revision', () => {
  checkRevisions(opener('legacy'), SUPPORTED_PROTOCOL_VERSIONS.filter(revision => revision < '2026'));
});

describe('input rounds driven by the client', () => {
  const options = { capabilities: { elicitation: { form: {} } }, options: { inputRequired: { autoFulfill: false } } };
  const it = (name, body) => test(name, withPeer(opener('auto'), options, body));
  const round = (client, params) => client.request({ method: 'tools/call', params }, { allowInputRequired: true });

  it('an input request is a result, and its state is returned', async ({ client }) => {
    const call = { name: 'test_input_required_result_request_state', arguments: {} };
    const firstRound = await round(client, call);
    assert.ok(isInputRequiredResult(firstRound));
    assert.deepEqual(Object.keys(firstRound.inputRequests), ['confirm']);
    const inputResponses = { confirm: { action: 'accept', content: { ok: true } } };
    const done = await round(client, { ...call, inputResponses, requestState: firstRound.requestState });
    assert.equal(textOf(done), 'state-ok: confirmed');
  });

  it('a modified state is rejected', async ({ client }) => {
    const call = { name: 'test_input_required_result_tampered_state', arguments: {} };
    const firstRound = await round(client, call);
    const inputResponses = { confirm: { action: 'accept', content: { ok: true } } };
    const requestState = `${firstRound.requestState.slice(0, -4)}AAAA`;
    await assert.rejects(round(client, { ...call, inputResponses, requestState }), { code: -32602 });
  });

  it('a missing answer is requested again', async ({ client }) => {
    const call = { name: 'test_input_required_result_elicitation', arguments: {} };
    const firstRound = await round(client, call);
    const again = await round(client, { ...call, inputResponses: {}, requestState: firstRound.requestState });
    assert.ok(isInputRequiredResult(again));
  });
});

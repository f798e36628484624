import assert from 'node:assert/strict';
import test from 'node:test';
import { withPeer } from './check_content.mjs';
import { textOf } from './support.mjs';

const forms = { elicitation: { form: {}, url: {} } };
const accept = content => ({ action: 'accept', content });
const model = text => ({ model: 'm', role: 'assistant', stopReason: 'endTurn', content: { type: 'text', text } });

/** Options of a client with roots, sampling and elicitation. */
const everything = {
  capabilities: { ...forms, sampling: {}, roots: { listChanged: true } },
  answers: {
    'elicitation/create': ({ params }) => {
      if (params.mode === 'url') return { action: 'accept' };
      const values = { string: 'Ann', boolean: true, integer: 7, number: 7 };
      const fields = Object.entries(params.requestedSchema.properties);
      return accept(Object.fromEntries(fields.map(([name, schema]) => [name, values[schema.type]])));
    },
    'sampling/createMessage': ({ params }) => model(`about "${params.messages[0].content.text}"`),
    'roots/list': () => ({ roots: [{ uri: 'file:///tmp/one', name: 'One' }, { uri: 'file:///tmp/two' }] }),
  },
};

/** Tests server requests. The tools send requests in the handshake era and input-required results in the stateless era. */
export function checkQuestions(open, { stateless, shared }) {
  const it = (name, options, body) => test(name, withPeer(open, options, body));
  const answerElicitation = (answer, capabilities = forms) => ({ capabilities, answers: { 'elicitation/create': answer } });

  it('a form is elicited', answerElicitation(({ params }) => {
    assert.equal(params.message, 'Who?');
    assert.deepEqual(params.requestedSchema.required, ['username', 'email']);
    return accept({ username: 'ann', email: 'a@example.com' });
  }), async ({ call }) => {
    const resultText = textOf(await call('test_elicitation', { message: 'Who?' }));
    assert.match(resultText, /action=accept.*"username":"ann"/);
  });

  for (const action of ['decline', 'cancel']) {
    it(`the user may ${action}`, answerElicitation(() => ({ action })), async ({ call }) => {
      assert.match(textOf(await call('test_elicitation', { message: 'Who?' })), new RegExp(`action=${action}`));
    });
  }

  it('a form has its defaults', answerElicitation(() => accept({}), { elicitation: { form: { applyDefaults: true } } }), async ({ call }) => {
    assert.match(textOf(await call('test_elicitation_sep1034_defaults')), /"name":"John Doe","age":30,"score":95\.5,"status":"active"/);
  });

  it('every kind of choice passes', answerElicitation(({ params }) => {
    assert.equal(params.requestedSchema.properties.titledSingle.oneOf[0].title, 'First Option');
    assert.deepEqual(params.requestedSchema.properties.legacyEnum.enumNames, ['Option One', 'Option Two']);
    return accept({ untitledSingle: 'option1', titledSingle: 'value2', legacyEnum: 'opt1', untitledMulti: ['option1', 'option3'], titledMulti: ['value1'] });
  }), async ({ call }) => {
    assert.match(textOf(await call('test_elicitation_sep1330_enums')), /"untitledMulti":\["option1","option3"\]/);
  });

  it('a URL is elicited', answerElicitation(({ params }) => {
    assert.deepEqual([params.mode, params.url], ['url', 'https://example.com/1']);
    return { action: 'accept' };
  }), async ({ call }) => {
    assert.equal(textOf(await call('test_elicitation_url', { url: 'https://example.com/1' })), 'The user agreed to go there');
  });

  it('sampling works', everything, async ({ call }) => {
    assert.equal(textOf(await call('test_sampling', { prompt: 'Why?' })), 'LLM response: about "Why?"');
  });

  const roots = [{ uri: 'file:///tmp/one' }];
  it('roots are listed, and listed again after a change', {
    capabilities: { roots: { listChanged: true } }, answers: { 'roots/list': () => ({ roots }) },
  }, async ({ client, call }) => {
    assert.equal(textOf(await call('test_list_roots')), '1 roots\nfile:///tmp/one');
    roots.push({ uri: 'file:///tmp/two' });
    // The stateless era has no such notification: roots are requested with every call.
    if (!stateless) await client.sendRootsListChanged();
    assert.equal(textOf(await call('test_list_roots')), '2 roots\nfile:///tmp/one\nfile:///tmp/two');
  });

  it('input requests may come in sequence, together, and with a state', everything, async ({ call }) => {
    const resultText = async tool => textOf(await call(`test_input_required_result_${tool}`));
    assert.equal(await resultText('elicitation'), 'Hello, Ann!');
    assert.equal(await resultText('sampling'), 'about "What is the capital of France?"');
    assert.equal(await resultText('list_roots'), '2 roots\nfile:///tmp/one\nfile:///tmp/two');
    assert.equal(await resultText('request_state'), 'state-ok: confirmed');
    assert.equal(await resultText('multi_round'), 'Ann likes Ann');
    assert.equal(await resultText('multiple_inputs'), 'about "Generate a greeting" Ann, 2 roots');
    assert.equal(textOf(await call('multi_input')), 'Ann and Ann');
    assert.equal(textOf(await call('confirm_delete', { filename: 'a.txt' })), 'Deleted a.txt');
    assert.equal(textOf(await call('test_tool_with_task')), 'Hello, Ann!');
  });

  it('a prompt may send server requests', everything, async ({ client }) => {
    const { messages } = await client.getPrompt({ name: 'test_input_required_result_prompt' });
    assert.equal(messages[0].content.text, 'Use this context: Ann');
  });

  it('a client without the capability gets no server request', {}, async ({ call }) => {
    // A shared server has one handshake, so it does not know the capabilities of each client.
    if (!shared) assert.equal(textOf(await call('test_input_required_result_capabilities')), 'Asked for:');
    if (stateless) {
      await assert.rejects(call('test_missing_capability'), { code: -32021 });
    } else {
      assert.equal((await call('test_missing_capability')).isError, true);
    }
  });

  // In the stateless era the request is a result, so nothing waits on our side.
  if (!stateless) {
    it('cancelling the call also ends a pending server request', answerElicitation(
      () => new Promise(() => {})), async ({ call }) => {
      const given_up = new AbortController();
      const pending = call('test_elicitation', { message: 'Who?' }, { signal: given_up.signal });
      setTimeout(() => given_up.abort('never mind'), 100);
      await assert.rejects(pending);
      assert.equal(textOf(await call('echo', { text: 'still here' })), 'still here');
    });
  }
}

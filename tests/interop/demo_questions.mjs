import assert from 'node:assert/strict';
import test from 'node:test';
import { withPeer } from './demo_content.mjs';
import { textOf } from './support.mjs';

const forms = { elicitation: { form: {}, url: {} } };
const accept = content => ({ action: 'accept', content });
const model = text => ({ model: 'm', role: 'assistant', stopReason: 'endTurn', content: { type: 'text', text } });

/** The roots, the model and the user of a client that has all three. */
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

/** What a server asks of its client. The same tools ask by requests in the one era and by results in the other. */
export function checkQuestions(open, { stateless, shared }) {
  const it = (name, options, body) => test(name, withPeer(open, options, body));
  const userSays = (answer, capabilities = forms) => ({ capabilities, answers: { 'elicitation/create': answer } });

  it('the user fills in a form', userSays(({ params }) => {
    assert.equal(params.message, 'Who?');
    assert.deepEqual(params.requestedSchema.required, ['username', 'email']);
    return accept({ username: 'ann', email: 'a@example.com' });
  }), async ({ call }) => {
    const said = textOf(await call('test_elicitation', { message: 'Who?' }));
    assert.match(said, /action=accept.*"username":"ann"/);
  });

  for (const action of ['decline', 'cancel']) {
    it(`the user may ${action}`, userSays(() => ({ action })), async ({ call }) => {
      assert.match(textOf(await call('test_elicitation', { message: 'Who?' })), new RegExp(`action=${action}`));
    });
  }

  it('a form has its defaults', userSays(() => accept({}), { elicitation: { form: { applyDefaults: true } } }), async ({ call }) => {
    assert.match(textOf(await call('test_elicitation_sep1034_defaults')), /"name":"John Doe","age":30,"score":95\.5,"status":"active"/);
  });

  it('every kind of choice passes', userSays(({ params }) => {
    assert.equal(params.requestedSchema.properties.titledSingle.oneOf[0].title, 'First Option');
    assert.deepEqual(params.requestedSchema.properties.legacyEnum.enumNames, ['Option One', 'Option Two']);
    return accept({ untitledSingle: 'option1', titledSingle: 'value2', legacyEnum: 'opt1', untitledMulti: ['option1', 'option3'], titledMulti: ['value1'] });
  }), async ({ call }) => {
    assert.match(textOf(await call('test_elicitation_sep1330_enums')), /"untitledMulti":\["option1","option3"\]/);
  });

  it('the user is sent to a page', userSays(({ params }) => {
    assert.deepEqual([params.mode, params.url], ['url', 'https://example.com/1']);
    return { action: 'accept' };
  }), async ({ call }) => {
    assert.equal(textOf(await call('test_elicitation_url', { url: 'https://example.com/1' })), 'The user agreed to go there');
  });

  it('the model answers', everything, async ({ call }) => {
    assert.equal(textOf(await call('test_sampling', { prompt: 'Why?' })), 'LLM response: about "Why?"');
  });

  const roots = [{ uri: 'file:///tmp/one' }];
  it('roots are listed, and listed anew when they change', {
    capabilities: { roots: { listChanged: true } }, answers: { 'roots/list': () => ({ roots }) },
  }, async ({ client, call }) => {
    assert.equal(textOf(await call('test_list_roots')), '1 roots\nfile:///tmp/one');
    roots.push({ uri: 'file:///tmp/two' });
    // There is no such notice without a handshake: there the roots are asked for with every call.
    if (!stateless) await client.sendRootsListChanged();
    assert.equal(textOf(await call('test_list_roots')), '2 roots\nfile:///tmp/one\nfile:///tmp/two');
  });

  it('questions may come one after the other, all at once, and with a state to keep', everything, async ({ call }) => {
    const said = async tool => textOf(await call(`test_input_required_result_${tool}`));
    assert.equal(await said('elicitation'), 'Hello, Ann!');
    assert.equal(await said('sampling'), 'about "What is the capital of France?"');
    assert.equal(await said('list_roots'), '2 roots\nfile:///tmp/one\nfile:///tmp/two');
    assert.equal(await said('request_state'), 'state-ok: confirmed');
    assert.equal(await said('multi_round'), 'Ann likes Ann');
    assert.equal(await said('multiple_inputs'), 'about "Generate a greeting" Ann, 2 roots');
    assert.equal(textOf(await call('multi_input')), 'Ann is 7');
    assert.equal(textOf(await call('confirm_delete', { filename: 'a.txt' })), 'Deleted a.txt');
    assert.equal(textOf(await call('test_tool_with_task')), 'Hello, Ann!');
  });

  it('a prompt may ask as well', everything, async ({ client }) => {
    const { messages } = await client.getPrompt({ name: 'test_input_required_result_prompt' });
    assert.equal(messages[0].content.text, 'Use this context: Ann');
  });

  it('nothing is asked of a client that cannot answer', {}, async ({ call }) => {
    // A server that several clients share, and that shook hands once, knows of none what it can do.
    if (!shared) assert.equal(textOf(await call('test_input_required_result_capabilities')), 'Asked for:');
    if (stateless) {
      await assert.rejects(call('test_missing_capability'), { code: -32021 });
    } else {
      assert.equal((await call('test_missing_capability')).isError, true);
    }
  });

  // Without a handshake the question has been a result: there is nobody on our side who waits.
  if (!stateless) {
    it('an answer that does not come in time is not waited for any longer when the call is cancelled', userSays(
      () => new Promise(() => {})), async ({ call }) => {
      const given_up = new AbortController();
      const pending = call('test_elicitation', { message: 'Who?' }, { signal: given_up.signal });
      setTimeout(() => given_up.abort('never mind'), 100);
      await assert.rejects(pending);
      assert.equal(textOf(await call('echo', { text: 'still here' })), 'still here');
    });
  }
}

import assert from 'node:assert/strict';
import test from 'node:test';
import { withPeer } from './check_content.mjs';
import { ReceivedMessages, eventually, progressSeen, textOf } from './support.mjs';

const changes = {
  tools: 'test_trigger_tool_change',
  prompts: 'test_trigger_prompt_change',
  resources: 'test_trigger_resource_change',
};

/** Tests progress, cancellation, log messages and change notifications. */
export function checkNotices(open, { stateless, unwatched }) {
  const it = (name, options, body) => test(name, withPeer(open, options, body));

  it('progress is reported', {}, async ({ call, transport }) => {
    const received = new ReceivedMessages();
    await call('test_tool_with_progress', {}, { onprogress: received.add });
    const expected = [[0, 100, 'started'], [50, 100, 'half way'], [100, 100, 'done']];
    const plain = all => all.map(({ progress, total, message }) => [progress, total, message]);
    // The SDK drops progress that arrives together with the response, which under load may be all of it (support.mjs). The
    // next test shows that progress arrives at all.
    assert.deepEqual(plain(received.all), expected.slice(0, received.all.length));
    if (!unwatched) assert.deepEqual(plain(progressSeen(transport)), expected);
  });

  it('progress keeps a call alive that takes longer than its timeout', {}, async ({ call }) => {
    const options = { onprogress: () => {}, timeout: 2500, resetTimeoutOnProgress: true };
    // On a busy machine, a notification may come too late. Without notifications, every round fails.
    const round = () => call('slow_compute', { seconds: 3, label: 'sum' }, options).then(textOf, error => error.message);
    await eventually(round, outcome => outcome === 'sum done', 10);
  });

  it('a cancelled call gets no response', {}, async ({ call, transport }) => {
    const received = new ReceivedMessages();
    const given_up = new AbortController();
    const pending = call('slow_compute', { seconds: 60 }, { onprogress: received.add, signal: given_up.signal });
    pending.catch(() => {});
    await received.first(1);
    given_up.abort('enough');
    await assert.rejects(pending, /enough/);
    const before = transport.seen.length;
    assert.equal(textOf(await call('echo', { text: 'next' })), 'next');
    if (unwatched) return;
    const answers = transport.seen.slice(before).filter(message => message.id !== undefined);
    assert.equal(answers.length, 1);
  });

  it('a slow call times out', {}, async ({ call }) => {
    await assert.rejects(call('slow_compute', { seconds: 60 }, { timeout: 200 }), /tim/i);
    assert.equal(textOf(await call('echo', { text: 'next' })), 'next');
  });

  it('every list sends list_changed', {}, async ({ client, call, subscribe, onNotification }) => {
    const received = new ReceivedMessages();
    for (const list of Object.keys(changes)) onNotification(`notifications/${list}/list_changed`, () => received.add(list));
    await subscribe({ lists: true });
    for (const tool of Object.values(changes)) await call(tool);
    assert.deepEqual([...await received.first(3)].sort(), ['prompts', 'resources', 'tools']);
    assert.ok((await client.listTools()).tools.some(({ name }) => name === 'test_passing_tool'));
    assert.ok((await client.listPrompts()).prompts.some(({ name }) => name === 'test_passing_prompt'));
    assert.ok((await client.listResources()).resources.some(({ uri }) => uri === 'test://passing-resource'));
  });

  it('a subscribed resource sends updates until it is unsubscribed', {}, async ({ client, call, subscribe, onNotification }) => {
    const received = new ReceivedMessages();
    onNotification('notifications/resources/updated', ({ params }) => received.add(params.uri));
    await call('test_trigger_resource_update');
    const stop = await subscribe({ uri: 'test://watched-resource' });
    await call('test_trigger_resource_update');
    assert.deepEqual(await received.first(1), ['test://watched-resource']);
    assert.equal((await client.readResource({ uri: 'test://watched-resource' })).contents[0].text, 'Version 3');
    await stop();
    await call('test_trigger_resource_update');
    await call('echo', { text: 'what was sent before this is here now' });
    assert.equal(received.all.length, 1);
  });

  it('log messages respect the log level', {}, async ({ callWithLog, onNotification }) => {
    const received = new ReceivedMessages();
    onNotification('notifications/message', ({ params }) => received.add(params.level));
    await callWithLog('test_logging_tool', 'error');
    assert.deepEqual(await received.first(4), ['error', 'critical', 'alert', 'emergency']);
    await callWithLog('test_logging_tool', 'debug');
    assert.equal((await received.first(12)).length, 12);
  });

  if (stateless) {
    it('there are no log messages unless a request asks for them', {}, async ({ call, onNotification }) => {
      const received = new ReceivedMessages();
      onNotification('notifications/message', received.add);
      await call('test_logging_tool');
      await call('echo', { text: 'x' });
      assert.equal(received.all.length, 0);
    });
  } else {
    it('a ping is answered', {}, async ({ client }) => assert.deepEqual(await client.ping(), {}));
  }
}

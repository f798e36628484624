import assert from 'node:assert/strict';
import test from 'node:test';
import { textOf } from './support.mjs';

/** Runs `body` with its own client. */
export const withPeer = (open, options, body) => async () => {
  const peer = await open(options);
  try {
    await body(peer);
  } finally {
    await peer.client.close();
  }
};

/** Tests tools, resources, prompts and completions, for clients of either era. */
export function checkContent(open, { stateless, unwatched }) {
  const it = (name, body) => test(name, withPeer(open, {}, body));

  it('the server sends its info', ({ client }) => {
    const info = client.getServerVersion();
    assert.equal(info.name, 'fairlead-conformance');
    assert.equal(info.title, 'Fairlead conformance server');
    assert.equal(info.icons.length, 1);
    assert.match(client.getInstructions(), /testing clients/);
    const capabilities = client.getServerCapabilities();
    for (const feature of ['tools', 'resources', 'prompts', 'completions', 'logging']) assert.ok(capabilities[feature], feature);
    assert.equal(capabilities.resources.subscribe, true);
    for (const list of ['tools', 'resources', 'prompts']) assert.equal(capabilities[list].listChanged, true, list);
  });

  it('tools are listed with their schemas, titles, hints and icons', async ({ client }) => {
    const { tools } = await client.listTools();
    const named = Object.fromEntries(tools.map(tool => [tool.name, tool]));
    assert.equal(named.echo.title, 'Echo');
    assert.equal(named.echo.annotations.readOnlyHint, true);
    assert.equal(named.echo.icons[0].mimeType, 'image/svg+xml');
    assert.deepEqual(named.echo.inputSchema.required, ['text']);
    assert.equal(named.weather.outputSchema.type, 'object');
    assert.equal(named.json_schema_2020_12_tool.inputSchema.$defs.address.$anchor, 'addressDef');
  });

  it('a tool returns text, image, audio, resource, link, and several blocks', async ({ call }) => {
    assert.equal(textOf(await call('echo', { text: 'Grüße, 世界 🌍\n"quoted"' })), 'Grüße, 世界 🌍\n"quoted"');
    const [picture] = (await call('test_image_content')).content;
    assert.equal(Buffer.from(picture.data, 'base64').subarray(1, 4).toString(), 'PNG');
    const [sound] = (await call('test_audio_content')).content;
    assert.equal(sound.type, 'audio');
    assert.equal(Buffer.from(sound.data, 'base64').subarray(0, 4).toString(), 'RIFF');
    const [embedded] = (await call('test_embedded_resource')).content;
    assert.equal(embedded.resource.text, 'This is an embedded resource content.');
    const [link] = (await call('test_resource_link')).content;
    assert.deepEqual([link.type, link.uri], ['resource_link', 'test://static-text']);
    const kinds = (await call('test_multiple_content_types')).content.map(block => block.type);
    assert.deepEqual(kinds, ['text', 'image', 'resource']);
    const [annotated] = (await call('test_annotated_content')).content;
    assert.deepEqual(annotated.annotations, { audience: ['user', 'assistant'], priority: 0.7 });
  });

  it('a structured result matches its schema', async ({ client, call }) => {
    await client.listTools();  // After this the SDK validates results against their schemas.
    const { structuredContent, content } = await call('weather', { city: 'Rome', details: ['wind'] });
    assert.deepEqual(structuredContent, { city: 'Rome', temperature: 8, unit: 'celsius', details: ['wind'] });
    assert.deepEqual(JSON.parse(content[0].text), structuredContent);
    assert.equal(textOf(await call('add', { a: 1.5, b: 2 })), '3.5');
    const given = { name: 'Ann', contactMethod: 'email', email: 'a@example.com' };
    assert.match(textOf(await call('json_schema_2020_12_tool', given)), /a@example\.com/);
  });

  it('a large result arrives completely', async ({ call }) => {
    assert.equal(textOf(await call('blob', { size: 4 << 20 })).length, 4 << 20);
  });

  it('many calls run concurrently', async ({ call }) => {
    const numbers = Array.from({ length: 100 }, (_, number) => `${number}`);
    const answers = await Promise.all(numbers.map(text => call('echo', { text })));
    assert.deepEqual(answers.map(textOf), numbers);
  });

  it('a tool failure or wrong arguments become a tool error', async ({ call }) => {
    const failed = await call('test_error_handling');
    assert.equal(failed.isError, true);
    assert.match(textOf(failed), /intentionally/);
    const wrong = await call('add', { a: 'one' });
    assert.equal(wrong.isError, true);
    assert.match(textOf(wrong), /\ba\b[^]*\bb\b/);
  });

  it('protocol errors have the codes of the revision', async ({ client, call, transport }) => {
    await assert.rejects(call('no_such_tool'), { code: -32602 });
    await assert.rejects(call('protocol_error_job'), { code: -32603 });
    await assert.rejects(client.readResource({ uri: 'test://nowhere' }));
    // SDK version 2 always shows the newest code to its users.
    if (!unwatched) assert.equal(transport.seen.at(-1).error.code, stateless ? -32602 : -32002);
    await assert.rejects(client.getPrompt({ name: 'no_such_prompt' }), { code: -32602 });
    await assert.rejects(client.getPrompt({ name: 'test_prompt_with_arguments', arguments: {} }), { code: -32602 });
    await assert.rejects(client.listTools({ cursor: 'made up' }), { code: -32602 });
  });

  it('resources are listed and read as text, as bytes, and from a template', async ({ client }) => {
    const { resources } = await client.listResources();
    const text = resources.find(resource => resource.uri === 'test://static-text');
    assert.deepEqual([text.mimeType, text.annotations.priority, text.size], ['text/plain', 0.9, 48]);
    const { contents } = await client.readResource({ uri: 'test://static-text' });
    assert.deepEqual(contents, [{ uri: 'test://static-text', mimeType: 'text/plain', text: 'This is the content of the static text resource.' }]);
    const [{ blob }] = (await client.readResource({ uri: 'test://static-binary' })).contents;
    assert.equal(Buffer.from(blob, 'base64').subarray(1, 4).toString(), 'PNG');
    const { resourceTemplates } = await client.listResourceTemplates();
    assert.ok(resourceTemplates.some(({ uriTemplate }) => uriTemplate === 'test://template/{id}/data'));
    const [item] = (await client.readResource({ uri: 'test://template/42/data' })).contents;
    assert.equal(JSON.parse(item.text).data, 'Data for ID: 42');
  });

  it('prompts are listed and returned', async ({ client }) => {
    const { prompts } = await client.listPrompts();
    const prompt = prompts.find(({ name }) => name === 'test_prompt_with_arguments');
    assert.deepEqual(prompt.arguments.map(argument => [argument.name, argument.required]), [['arg1', true], ['arg2', true]]);
    const filled = await client.getPrompt({ name: prompt.name, arguments: { arg1: 'x', arg2: 'y' } });
    assert.deepEqual(filled.messages[0], { role: 'user', content: { type: 'text', text: "Prompt with arguments: arg1='x', arg2='y'" } });
    const pictured = await client.getPrompt({ name: 'test_prompt_with_image' });
    assert.deepEqual(pictured.messages.map(message => message.content.type), ['image', 'text']);
    const embedding = await client.getPrompt({ name: 'test_prompt_with_embedded_resource', arguments: { resourceUri: 'test://x' } });
    assert.equal(embedding.messages[0].content.resource.uri, 'test://x');
  });

  it('arguments of prompts and templates are completed', async ({ client }) => {
    const prompt = { type: 'ref/prompt', name: 'test_prompt_with_arguments' };
    const { completion } = await client.complete({ ref: prompt, argument: { name: 'arg1', value: 'par' } });
    assert.deepEqual(completion.values, ['paris', 'park', 'party']);
    const template = { type: 'ref/resource', uri: 'test://template/{id}/data' };
    const ids = await client.complete({ ref: template, argument: { name: 'id', value: '7' } });
    assert.deepEqual(ids.completion.values, ['71', '72', '73']);
  });
}

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { conformanceOverHttp, conformanceServer, program, textOf } from './support.mjs';

// The Inspector stores files in the home directory; use a temporary one.
let home;
before(async () => { home = await mkdtemp(join(tmpdir(), 'fairlead-inspector-')); });
after(() => rm(home, { recursive: true }));

/** Runs the Inspector's command line on the conformance server. */
const inspect = (era, ...words) => inspectAt([conformanceServer.command], era, ...words);

function inspectAt(server, era, ...words) {
  const options = ['--cli', ...server, '--protocol-era', era, '--format', 'json', '--method', ...words];
  return new Promise(resolve => {
    execFile('mcp-inspector', options, { env: { ...process.env, HOME: home }, maxBuffer: 1 << 26 }, (error, out, problems) =>
      resolve({ code: error?.code ?? 0, problems, result: out ? (({ result }) => result)(JSON.parse(out)) : undefined }));
  });
}

async function result(...words) {
  const inspected = await inspect(...words);
  assert.equal(inspected.code, 0, inspected.problems);
  return inspected.result;
}

for (const era of ['legacy', 'auto', 'modern']) {
  describe(`era ${era}`, { concurrency: 2 }, () => {
    test('the server sends its info', async () => {
      const inspected = await result(era, 'initialize');
      assert.equal(inspected.serverInfo.name, 'fairlead-conformance');
      assert.equal(inspected.protocolVersion, era === 'legacy' ? '2025-11-25' : '2026-07-28');
    });

    test('tools are listed, and their schemas are portable', async () => {
      const { tools } = await result(era, 'tools/list', '--strict');
      assert.ok(tools.some(({ name }) => name === 'echo'));
    });

    test('tools are called', async () => {
      const echo = await result(era, 'tools/call', '--tool-name', 'echo', '--tool-arg', 'text=hello');
      assert.equal(textOf(echo), 'hello');
      const weather = await result(era, 'tools/call', '--tool-name', 'weather', '--tool-args-json', '{"city":"Rome"}');
      assert.equal(weather.structuredContent.city, 'Rome');
    });

    test('a failing tool and an unknown tool give different errors', async () => {
      const failed = await inspect(era, 'tools/call', '--tool-name', 'test_error_handling');
      assert.match(failed.problems, /tool_is_error/);
      assert.match((await inspect(era, 'tools/call', '--tool-name', 'nope')).problems, /tool_not_found/);
    });

    test('resources are listed and read', async () => {
      assert.ok((await result(era, 'resources/list')).resources.some(({ uri }) => uri === 'test://static-text'));
      assert.equal((await result(era, 'resources/templates/list')).resourceTemplates[0].uriTemplate, 'test://template/{id}/data');
      const { contents } = await result(era, 'resources/read', '--uri', 'test://static-text');
      assert.match(contents[0].text, /static text resource/);
    });

    test('prompts are listed and returned', async () => {
      assert.ok((await result(era, 'prompts/list')).prompts.some(({ name }) => name === 'test_simple_prompt'));
      const words = ['--prompt-name', 'test_prompt_with_arguments', '--prompt-args', 'arg1=x', 'arg2=y'];
      const { messages } = await result(era, 'prompts/get', ...words);
      assert.match(messages[0].content.text, /arg1='x', arg2='y'/);
    });

    test('concurrent calls do not fail', async () => {
      const words = ['--tool-name', 'echo', '--tool-arg', 'text=x', '--load', '--load-requests', '200'];
      const inspected = await inspect(era, 'tools/call', ...words);
      assert.equal(inspected.code, 0, inspected.problems);
    });
  });
}

describe('the demo', () => {
  for (const era of ['legacy', 'auto', 'modern']) {
    test(`has portable schemas and a structured result in era ${era}`, async () => {
      const inspectDemo = (...words) => inspectAt([program, 'demo'], era, ...words);
      const listed = await inspectDemo('tools/list', '--strict');
      assert.equal(listed.code, 0, listed.problems);
      assert.equal(listed.result.tools.length, 15);
      const weather = await inspectDemo('tools/call', '--tool-name', 'weather', '--tool-arg', 'city=Rome');
      assert.equal(weather.result.structuredContent.city, 'Rome');
    });
  }
});

test('the log level is set', async () => {
  assert.deepEqual(await result('legacy', 'logging/setLevel', '--log-level', 'debug'), {});
});

describe('over HTTP', () => {
  const server = conformanceOverHttp();
  for (const era of ['legacy', 'auto', 'modern']) {
    test(`a tool is called in era ${era}`, async () => {
      const words = ['tools/call', '--tool-name', 'echo', '--tool-arg', 'text=hello'];
      const inspected = await inspectAt([`${server.origin}/mcp`, '--transport', 'http'], era, ...words);
      assert.equal(inspected.code, 0, inspected.problems);
      assert.equal(textOf(inspected.result), 'hello');
    });
  }
});

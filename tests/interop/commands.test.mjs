import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { program } from './support.mjs';

let folder;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fairlead-commands-'));
  await writeFile(join(folder, 'a.txt'), 'hello from a file');
});
after(() => rm(folder, { recursive: true }));

/** The output of a fairlead command, with a third-party server after `--`. */
function run(server, ...words) {
  const options = { env: { ...process.env, MEMORY_FILE_PATH: join(folder, 'memory.jsonl') } };
  return new Promise(resolve => {
    execFile(program, [...words, '--', ...server], options, (error, out, problems) =>
      resolve({ code: error?.code ?? 0, out: out.trim(), problems }));
  });
}

async function output(server, ...words) {
  const finished = await run(server, ...words);
  assert.equal(finished.code, 0, finished.problems);
  return finished.out;
}

const json = async (server, ...words) => JSON.parse(await output(server, ...words, '--json'));

describe('server-everything', { concurrency: 2 }, () => {
  const everything = ['mcp-server-everything'];

  test('discover and ping', async () => {
    assert.equal((await json(everything, 'discover')).revision, '2025-11-25');
    assert.match(await output(everything, 'ping'), /everything/);
  });

  test('list', async () => {
    assert.match(await output(everything, 'list'), /get-sum[^]*features\.md[^]*\{resourceId\}[^]*args-prompt/);
    assert.match(await output(everything, 'list', 'tools', '--long'), /message/);
  });

  test('call', async () => {
    assert.equal(await output(everything, 'call', 'get-sum', 'a=1', 'b=2'), 'The sum of 1 and 2 is 3.');
    assert.equal((await json(everything, 'call', 'get-structured-content', 'location=Chicago')).structuredContent.humidity, 82);
    const wrong = await run(everything, 'call', 'get-structured-content', 'location=Nowhere');
    assert.notEqual(wrong.code, 0);
  });

  test('call, with answers to server requests', async () => {
    assert.match(await output(everything, 'call', 'trigger-elicitation-request', '--answer', 'name=Ann'), /- Name: Ann/);
    assert.match(await output(everything, 'call', 'trigger-sampling-request', 'prompt=x', '--sample', 'Because.'), /Because\./);
    assert.match(await output(everything, 'call', 'get-roots-list', '--root', 'file:///tmp/one'), /file:\/\/\/tmp\/one/);
  });

  test('record and replay', async () => {
    const file = join(folder, 'session.mcpl');
    const recorded = [program, 'record', '-o', file, '--stdio', '--', ...everything];
    const finished = await output(recorded, 'call', 'get-sum', 'a=1', 'b=2');
    assert.equal(finished, 'The sum of 1 and 2 is 3.');
    assert.equal(await output([program, 'replay', file, '--as-server'], 'call', 'get-sum', 'a=1', 'b=2'), finished);
    const other = await run([program, 'replay', file, '--as-server'], 'call', 'get-sum', 'a=1', 'b=3');
    assert.match(other.problems, /3 instead of 2/);
    assert.match(await output(everything, 'replay', file, '--as-client'), / 0 differences/);
  });

  test('read and prompt', async () => {
    assert.match(await output(everything, 'read', 'demo://resource/dynamic/text/7'), /^Resource 7/);
    assert.match(await output(everything, 'prompt', 'args-prompt', 'city=Rome'), /What's weather in Rome\?/);
  });

  test('smoke', async () => assert.match(await output(everything, 'smoke'), /3 responses: passed/));
});

describe('server-filesystem and server-memory', { concurrency: 2 }, () => {
  test('a file is read from the directory given as an argument', async () => {
    const filesystem = ['mcp-server-filesystem', folder];
    assert.equal(await output(filesystem, 'call', 'read_text_file', `path=${join(folder, 'a.txt')}`), 'hello from a file');
    assert.equal((await run(filesystem, 'call', 'read_text_file', 'path=/etc/passwd')).code, 1);
  });

  test('a file is read from a directory that is a root', async () => {
    const words = ['call', 'list_allowed_directories', '--root', `file://${folder}`];
    assert.match(await output(['mcp-server-filesystem', folder], ...words), new RegExp(folder));
  });

  test('an entity is stored', async () => {
    const entities = JSON.stringify({ entities: [{ name: 'Ann', entityType: 'person', observations: [] }] });
    await output(['mcp-server-memory'], 'call', 'create_entities', '--args', entities);
    const { structuredContent } = await json(['mcp-server-memory'], 'call', 'read_graph');
    assert.equal(structuredContent.entities[0].name, 'Ann');
  });
});

for (const era of ['handshake', 'stateless', 'auto']) {
  describe(`server of SDK version 2, era ${era}`, { concurrency: 2 }, () => {
    const words = (...given) => [['node', 'v2_server.mjs'], ...given, '--era', era];

    test('discover, list and ping', async () => {
      assert.equal((await json(...words('discover'))).revision, era === 'handshake' ? '2025-11-25' : '2026-07-28');
      assert.match(await output(...words('list')), /echo[^]*note:\/\/one[^]*greeting/);
      await output(...words('ping'));
    });

    test('call, read and prompt', async () => {
      assert.equal((await json(...words('call', 'sum', 'a=1', 'b=2'))).structuredContent.total, 3);
      assert.equal(await output(...words('read', 'about://tea')), 'about tea');
      assert.match(await output(...words('prompt', 'greeting', 'name=Ann')), /Hello Ann/);
    });

    test('input requests, in one round and in several', async () => {
      assert.equal(await output(...words('call', 'greet', '--answer', 'name=Ann')), 'Hello, Ann!');
      assert.equal(await output(...words('call', 'survey', '--sample', 'yes', '--root', 'file:///tmp')), 'yes, file:///tmp');
      assert.equal(await output(...words('call', 'deploy', '--answer', 'what=it', '--answer', 'where=there')), 'Deployed it to there');
    });

    test('log messages and progress go to stderr', async () => {
      const { problems } = await run(...words('call', 'say', '--log-level', 'warning'));
      assert.match(problems, /careful/);
      assert.doesNotMatch(problems, /by the way/);
    });
  });
}

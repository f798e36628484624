import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import {
  getSkill, listSkills, readDirectory, readSkill, readSkillResource, serverSupportsDirectoryRead, serverSupportsSkills, walkDirectory,
} from '@olaservo/ext-skills/client';
import { parse } from 'yaml';
import { program } from './support.mjs';

// Values that YAML parsers read differently.
const yaml = `name: pdf
description: >-
  Fill in
  forms
date: 2026-07-28
version: 1.10
words: [yes, No, on, off, y, 12:30, 1_000, 0b1, "true", '1', ~, null, Null, '', =, <<]
numbers: [+1, 007, 0o17, 0x1F, .5, 1., 1e3, 2.5E-1, -1.50, 123456789012345678901234567890, 1e999]
odd: [., +, -., 1e, 0x, 0o8, "-", .nan.]
truth: [true, True, TRUE, tRUE, false]
block: |+
  a

  b

folded: >
  a
  b

    c
quoted: "\\u00e9\\t\\"\\x41 \\
  end"
single: 'it''s'
plain: two
  lines # comment
anchors: {base: &base [1, {a: 2}], again: *base}
? key
: value
1: number
2.50: float
null: nothing
true: boolean
empty:
nested: {"a": {b: [c, {d: }]}}
`;

// Each is a front matter of its own.
const cases = [
  'a: |\n  x', 'a: |+\n  x', 'a: |+\n  x\n', 'a: |-\n  x', 'a: >\n  x\n  y', 'a: >+\n  x\n\n', 'a: |\n  x\n  ', 'a: |2\n    x',
  'a: >\n\n  x', "a: 'x'  ", 'a: x #c', 'a: x#y', "a: '#'", "a: ''''", 'a:\t1', "'a' : 1", '? a', 'a: &x\nb: *x', 'a: &b',
  'a: {b}', 'a: {b, c: }', 'a: [b: c]', 'a: 1 2', 'a: -.5', 'a: +.5e-3', 'a: 0XFF', 'a: +0x1', 'a: -0o7', 'a: null b', 'a: nULL',
  'a: x:y', 'a: http://x', 'a: [http://x]', 'a: {k: http://x}', 'a: ?x', 'a: -x', 'a: :x', 'a: [-x, :x]', '<<: {a: 1}\nb: 2',
  'a: \u00e9\u2028\ud83d\ude00', 'a: !!map {}', 'a: !!seq []', 'a: "\\u00e9\\n\\/"',
].map((text, index) => `name: case-${index}\ndescription: x\n${text}`);

let folder;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fairlead-skills-'));
  const files = {
    'pdf/SKILL.md': `---\n${yaml}---\n# Forms\n`,
    'pdf/references/fields.md': 'Fields\n',
    'pdf/icon.bin': Buffer.from([0, 1, 255]),
    'team/notes/SKILL.md': '---\nname: notes\ndescription: Take notes\n---\n',
  };
  for (const [path, contents] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), contents);
  }
});
after(() => rm(folder, { recursive: true }));

function run(...words) {
  return new Promise((resolve, reject) => {
    execFile(program, ['skills', ...words], (error, out, problems) => error ? reject(new Error(problems)) : resolve(out));
  });
}

test('the front matter is that of the yaml package', async () => {
  const { skills: [skill] } = JSON.parse(await run('list', '--json', folder));
  assert.deepEqual(skill.frontmatter, JSON.parse(JSON.stringify(parse(yaml))));
});

test('short front matters are those of the yaml package', async () => {
  const place = await mkdtemp(join(tmpdir(), 'fairlead-cases-'));
  try {
    for (const [index, text] of cases.entries()) {
      await mkdir(join(place, `case-${index}`));
      await writeFile(join(place, `case-${index}`, 'SKILL.md'), `---\n${text}\n---\n`);
    }
    const { skills } = JSON.parse(await run('list', '--json', place));
    const found = Object.fromEntries(skills.map(({ frontmatter }) => [frontmatter.name, frontmatter]));
    for (const [index, text] of cases.entries()) assert.deepEqual(found[`case-${index}`], parse(text), text);
  } finally {
    await rm(place, { recursive: true });
  }
});

for (const mode of ['legacy', { pin: '2026-07-28' }]) {
  describe(`our server under ext-skills, ${JSON.stringify(mode)}`, () => {
    let client;
    before(async () => {
      client = new Client({ name: 'interop', version: '1' }, { versionNegotiation: { mode } });
      await client.connect(new StdioClientTransport({ command: program, args: ['skills', 'serve', folder], stderr: 'inherit' }));
    });
    after(() => client.close());

    test('it lists and verifies skills', async () => {
      assert.ok(serverSupportsSkills(client) && serverSupportsDirectoryRead(client));
      const skills = await listSkills(client);
      assert.deepEqual(skills.map(({ uri }) => uri), ['skill://pdf/SKILL.md', 'skill://team/notes/SKILL.md']);
      for (const skill of skills) {
        assert.deepEqual(await getSkill(client, skill.uri), skill);
        await readSkill(client, skill);
        for (const { uri } of skill.resources) await readSkillResource(client, skill, uri);
      }
      await assert.rejects(getSkill(client, 'skill://none/SKILL.md'), { code: -32602 });
    });

    test('it reads directories', async () => {
      const { resources } = await readDirectory(client, 'skill://pdf');
      assert.deepEqual(resources.map(({ name }) => name).sort(), ['SKILL.md', 'icon.bin', 'references']);
      const files = await walkDirectory(client, 'skill://pdf');
      assert.deepEqual(files.map(({ uri }) => uri).sort(),
        ['skill://pdf/SKILL.md', 'skill://pdf/icon.bin', 'skill://pdf/references/fields.md']);
    });
  });
}

for (const era of ['handshake', 'stateless']) {
  test(`our commands verify skills of an ext-skills server, ${era}`, async () => {
    const server = ['--era', era, '--', process.execPath, 'skills_server.mjs', folder];
    assert.match(await run('list', ...server), /pdf[^]*notes/);
    assert.match(await run('check', ...server), /pdf +3 files[^]*notes +1 file/);
    assert.match(await run('get', 'pdf', ...server), /# Forms/);
    assert.equal(await run('get', 'pdf', '--file', 'references/fields.md', ...server), 'Fields\n');
  });
}

import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call } from '../team/play.ts';

/** A small repository with real tests, a plan in layers of three, and what its engineers do: the first of each layer is wrong at first. */
export function setUp(place: string, count: number) {
  const [path, plan, script] = ['repository', 'plan.json', 'script.json'].map((name) =>
    join(place, name),
  ) as [string, string, string];
  mkdirSync(path);
  const files = {
    'sum.js': 'exports.sum = (left, right) => left + right;\n',
    'sum.test.js': testOf('sum', 'sum(1, 2), 3'),
    'package.json': '{"name":"numbers","scripts":{"test":"node --test"}}\n',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  const git = (...args: string[]) =>
    spawnSync('git', ['-c', 'user.name=lab', '-c', 'user.email=lab@example.org', ...args], { cwd: path });
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-qm', 'first');
  const write = (file: string, content: string) => call('write_file', { path: file, content });
  const function_ = (name: string, body: string) =>
    `const { sum } = require('./sum.js');\nexports.${name} = (value) => ${body};\n`;
  const nodes = Array.from({ length: count }, (_, at) => {
    const id = `plus${String.fromCharCode(65 + at)}`;
    const body = `sum(value, ${at})`;
    const depends_on = at < 3 ? [] : [`plus${String.fromCharCode(62 + at)}`];
    return {
      id,
      body,
      wrong: at % 3 === 0 ? 'sum(value, 100)' : body,
      expected: `${id}(3), ${3 + at}`,
      depends_on,
    };
  });
  const spec = nodes.map(({ id, depends_on }) => ({
    id,
    agent: 'engineer',
    prompt: `Write ${id}`,
    depends_on,
  }));
  writeFileSync(plan, JSON.stringify({ prompt: 'Numbers', nodes: spec }));
  const conversations = nodes.map(({ id, body, wrong, expected }) => ({
    when: `# Task\nWrite ${id}`,
    steps: [
      write(`${id}.js`, function_(id, wrong)),
      write(`${id}.test.js`, testOf(id, expected)),
      call('signal_complete', { result: `Wrote ${id}.` }),
      call('read_file', { path: `${id}.js` }),
      write(`${id}.js`, function_(id, body)),
      call('signal_complete', { result: `Wrote ${id}.` }),
    ],
  }));
  writeFileSync(script, JSON.stringify({ price: { input: 3, output: 15 }, conversations }));
  const env = { ...process.env, SYLK_HOME: join(place, 'home') };
  return { path, env, flags: ['--from', plan, '--model', `script:${script}`] };
}

function testOf(name: string, expected: string): string {
  return `const { ${name} } = require('./${name}.js');\nrequire('node:test')('${name}', () => require('assert').equal(${expected}));\n`;
}

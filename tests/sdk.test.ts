import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from './support/temporary.ts';

const root = join(import.meta.dirname, '..');
const run = (args: string[], cwd: string) => spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });

test('a clone builds the SDK: a program imports it, with types, on the Node that the package asks for', () => {
  expect(run([join(root, 'scripts/build.ts'), '--sdk'], root)).toMatchObject({ status: 0 });
  const program = temporaryDirectory('program');
  mkdirSync(join(program, 'node_modules/@types'), { recursive: true });
  symlinkSync(root, join(program, 'node_modules/sylk'));
  symlinkSync(join(root, 'node_modules/@types/node'), join(program, 'node_modules/@types/node'));
  writeFileSync(
    join(program, 'main.mts'),
    `import { compositeSource, createSkillEngine, memorySource, type SkillDescriptor } from 'sylk';
const engine = createSkillEngine({ source: compositeSource([{ name: 'mine', source: memorySource([]) }]) });
const skills: SkillDescriptor[] = await engine.usableSkills();
console.log(skills.length);
`,
  );
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const flags = '--strict --noEmit --module nodenext --target es2024 --types node'.split(' ');
  expect(run([compiler, ...flags, 'main.mts'], program)).toMatchObject({ status: 0, stdout: '' });
  expect(run(['main.mts'], program)).toMatchObject({ status: 0, stdout: '0\n' });
});

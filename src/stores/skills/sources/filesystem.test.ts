import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { skillText, writeSkills } from '../../../../tests/support/skills.ts';
import { temporaryDirectory } from '../../../../tests/support/temporary.ts';
import { filesystemSource } from './filesystem.ts';

const idsOf = async (root: string) => (await filesystemSource({ root }).list()).map((skill) => skill.id);

describe('a tree of directories', () => {
  test('is scanned to any depth, and the path is the id', async () => {
    const root = writeSkills(temporaryDirectory('skills'), {
      'pdf-processing/SKILL.md': 'Handles PDFs',
      'extraction/email/SKILL.md': 'Reads mail',
      'extraction/medical/imaging/deep/er/ct-scan/SKILL.md': 'Reads scans',
      '.curated/linear/SKILL.md': 'Hidden directories hold skills too',
      'node_modules/x/SKILL.md': 'not a skill of ours',
      'README.md': 'ignored',
    });
    expect(await idsOf(root)).toEqual([
      '.curated/linear',
      'extraction/email',
      'extraction/medical/imaging/deep/er/ct-scan',
      'pdf-processing',
    ]);
  });

  test('describes a collection by the one line of its COLLECTION.md, at every level', async () => {
    const root = writeSkills(temporaryDirectory('skills'), {
      'extraction/COLLECTION.md': 'Entity and relationship extraction\n\nmore that is not shown\n',
      'extraction/medical/COLLECTION.md': '\ufeffMedical extraction',
      'extraction/medical/diagnosis/SKILL.md': 'd',
      'extraction/email/SKILL.md': 'd',
      'formatting/markdown/SKILL.md': 'd',
    });
    expect(await filesystemSource({ root }).collections!()).toEqual([
      { path: 'extraction', description: 'Entity and relationship extraction', count: 2 },
      { path: 'extraction/medical', description: 'Medical extraction', count: 1 },
      { path: 'formatting', description: '1 skills', count: 1 },
    ]);
  });

  test('a skill is a leaf: a skill inside it is a problem, not a skill', async () => {
    const root = writeSkills(temporaryDirectory('skills'), {
      'a/SKILL.md': 'outer',
      'a/b/SKILL.md': 'inner',
    });
    expect(await idsOf(root)).toEqual(['a']);
    const problems = await filesystemSource({ root }).problems!();
    expect(problems).toMatchObject([{ severity: 'error', code: 'nested', file: 'a/b/SKILL.md' }]);
  });

  test('SKILL.md in any spelling is a skill, with a word about its name', async () => {
    const root = writeSkills(temporaryDirectory('skills'), { 'a/SKILL.MD': skillText('a', 'Shouted') });
    expect(await idsOf(root)).toEqual(['a']);
    expect((await filesystemSource({ root }).load('a')).body).toBe('How to a.');
    expect(await filesystemSource({ root }).problems!()).toMatchObject([{ code: 'file-name', id: 'a' }]);
  });

  test('a second link to one place is said, not passed over', async () => {
    const root = writeSkills(temporaryDirectory('skills'), { 'own/a/SKILL.md': 'one' });
    for (const name of ['first', 'second']) symlinkSync(join(root, 'own/a'), join(root, name));
    const source = filesystemSource({ root, scope: 'user' });
    expect((await source.list()).map((skill) => skill.id)).toEqual(['first', 'own/a']);
    const problems = await source.problems!();
    expect(problems.filter(({ severity }) => severity === 'note')).toMatchObject([
      { code: 'link-again', file: 'second' },
    ]);
  });

  test('a repository that is one single skill takes its name as id', async () => {
    const root = writeSkills(temporaryDirectory('skills'), { 'SKILL.md': skillText('lonely', 'One skill') });
    expect(await idsOf(root)).toEqual(['lonely']);
    expect((await filesystemSource({ root }).load('lonely')).body).toBe('How to lonely.');
  });

  test('one bad skill never hides the others', async () => {
    const root = writeSkills(temporaryDirectory('skills'), {
      'bad/SKILL.md': 'no front\nmatter here\n',
      'good/SKILL.md': 'fine',
    });
    mkdirSync(join(root, 'strange', 'SKILL.md'), { recursive: true });
    expect(await idsOf(root)).toEqual(['good']);
  });

  test('a directory that is missing holds no skills', async () => {
    expect(await idsOf(join(temporaryDirectory('skills'), 'nowhere'))).toEqual([]);
  });

  test('an edit is seen by the next question', async () => {
    const root = writeSkills(temporaryDirectory('skills'), { 'a/SKILL.md': 'before' });
    const source = filesystemSource({ root });
    expect((await source.list())[0]!.description).toBe('before');
    writeSkills(root, { 'a/SKILL.md': 'afterwards', 'b/SKILL.md': 'new' });
    expect((await source.list()).map((skill) => skill.description)).toEqual(['afterwards', 'new']);
  });
});

describe('links and files of a hostile tree', () => {
  test('no link of a repository is followed; of a person those that stay inside are', async () => {
    const outside = writeSkills(temporaryDirectory('outside'), { 'secret/SKILL.md': 'secret' });
    const root = writeSkills(temporaryDirectory('skills'), { 'real/here/SKILL.md': 'd', 'file/x.md': 'x' });
    symlinkSync(outside, join(root, 'out'));
    symlinkSync(join(root, 'real'), join(root, 'again'));
    symlinkSync('nowhere', join(root, 'dangling'));
    symlinkSync(root, join(root, 'loop'));
    symlinkSync(join(outside, 'secret/SKILL.md'), join(root, 'file/SKILL.md'));
    const look = async (scope: 'project' | 'user') => {
      const source = filesystemSource({ root, scope });
      const links = (await source.problems!()).filter((problem) => problem.code === 'link');
      return {
        skills: (await source.list()).map((skill) => skill.id),
        refused: links.map((problem) => problem.file).sort(),
      };
    };
    expect(await look('project')).toEqual({
      skills: ['real/here'],
      refused: ['again', 'dangling', 'file/SKILL.md', 'loop', 'out'],
    });
    expect(await look('user')).toEqual({
      skills: ['again/here', 'real/here'],
      refused: ['dangling', 'file/SKILL.md', 'out'],
    });
  });

  test('resources are the files beside the text, and nothing outside of them can be read', async () => {
    const root = writeSkills(temporaryDirectory('skills'), {
      'a/SKILL.md': 'd',
      'a/scripts/run.py': 'print(1)\n',
      'a/references/deep/b.md': 'b\n',
      'a-evil/SKILL.md': 'sibling',
    });
    writeFileSync(join(root, 'secret.txt'), 'secret');
    symlinkSync(join(root, 'secret.txt'), join(root, 'a/link.txt'));
    const source = filesystemSource({ root });
    expect(await source.resources!('a')).toEqual([
      { path: 'references/deep/b.md', bytes: 2 },
      { path: 'scripts/run.py', bytes: 9 },
    ]);
    expect(Buffer.from(await source.readResource!('a', 'scripts/run.py')).toString()).toBe('print(1)\n');
    for (const path of [
      '../secret.txt',
      '/etc/passwd',
      'link.txt',
      '../a-evil/SKILL.md',
      'scripts/../../secret.txt',
      'x\0',
    ])
      await expect(source.readResource!('a', path), path).rejects.toMatchObject({ code: 'DENIED' });
    await expect(source.readResource!('a', 'no.txt')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(source.load('../a')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  test('a body of ten megabytes is listed by its head and cut when loaded', async () => {
    const root = writeSkills(temporaryDirectory('skills'), {
      'big/SKILL.md': skillText('big', 'Large', 'word '.repeat(2_000_000)),
    });
    const source = filesystemSource({ root });
    expect((await source.list())[0]!.description).toBe('Large');
    expect((await source.load('big')).body.length).toBeLessThan(4_200_000);
  });

  test('the digest covers every file: an edit, a new script and a new name all change it', async () => {
    const root = writeSkills(temporaryDirectory('skills'), { 'a/SKILL.md': 'd', 'a/x.sh': 'echo 1' });
    const source = filesystemSource({ root });
    const seen = new Set([await source.digest!('a')]);
    expect(await source.digest!('a')).toBe([...seen][0]);
    writeSkills(root, { 'a/x.sh': 'echo 2' });
    seen.add(await source.digest!('a'));
    writeSkills(root, { 'a/y.sh': 'echo 2' });
    seen.add(await source.digest!('a'));
    writeSkills(root, { 'a/SKILL.md': skillText('a', 'd', `${'\n'.repeat(100_000)}payload`) });
    seen.add(await source.digest!('a'));
    expect(seen.size).toBe(4);
  });
});

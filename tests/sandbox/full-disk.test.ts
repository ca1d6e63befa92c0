import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { launcher } from '../support/program.ts';

function onSmallDisk(script: string): { stdout: string; stderr: string } {
  const before = `
    export TMPDIR=/dev/shm HOME=/mnt/home SYLK_HOME=/mnt/home/sylk GIT_CONFIG_NOSYSTEM=1
    mkdir -p /mnt/home /mnt/work && cd /mnt/work && git init -q
    sylk() { sh ${launcher()} "$@" --set embedding.enabled=false; }
    fill() { dd if=/dev/zero of=/mnt/fill bs=4k 2>/dev/null; }`;
  const room = ['--size', String(24 * 1024 * 1024), '--tmpfs', '/mnt'];
  return spawnSync(
    'bwrap',
    [
      ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
      ...[...room, 'sh', '-c', `${before}\n${script}`],
    ],
    { encoding: 'utf8' },
  );
}

test('on a full disk the memory is read, and a write says why it can not be kept', () => {
  const { stdout, stderr } = onSmallDisk(`
    sylk memory add 'We escape in C for speed.' --category decision > /dev/null 2>&1 || exit 9
    fill
    sylk brief; echo "brief ended with $?"
    sylk memory add 'Nobody can keep this.' 2>&1; echo "add ended with $?"`);
  expect(stdout, stderr).toMatch(/We escape in C for speed\.[\s\S]*brief ended with 0\n/);
  expect(stdout).toMatch(/cannot be written: the disk is full[\s\S]*add ended with 6\n/);
}, 300_000);

test('on a full disk a search finds what is indexed and what changed since, and says that the index is not kept', () => {
  const { stdout, stderr } = onSmallDisk(`
    echo 'export function escapeText() {}' > a.ts
    sylk index > /dev/null 2>&1 || exit 9
    echo 'export function writtenLater() {}' > b.ts
    fill
    sylk search escapeText 2>&1; echo "first ended with $?"
    sylk search writtenLater 2>&1; echo "second ended with $?"
    ls /dev/shm | grep sylk-index || echo 'no copy is left'`);
  expect(stdout, stderr).toMatch(
    /The disk is full: the index is read and updated in a copy that is not kept/,
  );
  expect(stdout).toMatch(/^a\.ts:1\b[\s\S]*^first ended with 0$/m);
  expect(stdout).toMatch(/^b\.ts:1\b[\s\S]*^second ended with 0$/m);
  expect(stdout).toContain('no copy is left');
}, 300_000);

import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { launcher } from '../support/program.ts';

test('on a full disk the memory is read, and a write says why it can not be kept', () => {
  const script = `
    export TMPDIR=/dev/shm HOME=/mnt/home SYLK_HOME=/mnt/home/sylk GIT_CONFIG_NOSYSTEM=1
    mkdir -p /mnt/home /mnt/work && cd /mnt/work && git init -q
    sylk() { sh ${launcher()} "$@" --set embedding.enabled=false; }
    sylk memory add 'We escape in C for speed.' --category decision > /dev/null 2>&1 || exit 9
    dd if=/dev/zero of=/mnt/fill bs=4k 2>/dev/null
    sylk brief; echo "brief ended with $?"
    sylk memory add 'Nobody can keep this.' 2>&1; echo "add ended with $?"`;
  const room = ['--size', String(24 * 1024 * 1024), '--tmpfs', '/mnt'];
  const { stdout, stderr } = spawnSync(
    'bwrap',
    ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', ...room, 'sh', '-c', script],
    { encoding: 'utf8' },
  );
  expect(stdout, stderr).toMatch(/We escape in C for speed\.[\s\S]*brief ended with 0\n/);
  expect(stdout).toMatch(/cannot be written: the disk is full[\s\S]*add ended with 6\n/);
}, 300_000);

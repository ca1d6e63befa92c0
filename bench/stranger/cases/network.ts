import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { StrangerCase } from '../case.ts';
import type { Place } from '../place.ts';

/** What a server of skills does, by the first part of its path; `misbehaving-server.ts` has one for each. */
const modes = [
  'redirect-to-the-listener',
  'redirect-to-a-file',
  'redirect-to-metadata',
  'redirect-to-itself',
  'endless-body',
  'slow-drip',
  'silence',
  'compressed-bomb',
  'deep-json',
  'wrong-types',
  'names-that-lead-out',
  'the-name-of-a-built-in-skill',
  'many-skills',
  'git-redirect',
  'git-asks-for-a-password',
  'git-endless-refs',
  'git-slow-drip',
  'git-silence',
  'git-plain-files',
];

/** The person chose this source and allowed its host: everything but the misbehaviour is in order. */
function choose(place: Place, mode: string): void {
  const type = mode.startsWith('git-') ? 'git' : 'http';
  const url = `${place.server.url}/${mode}${type === 'git' ? '/skills.git' : ''}`;
  const toml = `[[repositories]]\nname = "company"\ntype = "${type}"\nurl = "${url}"\nrefresh_seconds = 0\n`;
  for (const folder of ['.sylk', '.config/sylk']) {
    const at = (name: string) => join(place.home, folder, name);
    mkdirSync(dirname(at('x')), { recursive: true });
    writeFileSync(at('skills.toml'), toml);
    writeFileSync(at('config.yaml'), `network:\n  allow_hosts: ["${place.server.host}"]\n`);
  }
}

const good = (place: Place): void => choose(place, 'good');
const aims = ['skills sources', 'then: skills', 'skills browse', 'skills load'];
const forgedLines = [/^## The person wants$/, /^- CANARY-WANTS/];

const sources: StrangerCase[] = modes.map((mode) => ({
  name: `network: a source of skills with ${mode.replaceAll('-', ' ')}`,
  make: (place) => choose(place, mode),
  twin: good,
  absent: ['CANARY-REMOTE'],
  forgedLines,
  aims,
}));

/** A decision at a terminal, as a person makes it; `script` is the terminal. */
function trustAtTerminal(place: Place, ...args: string[]): void {
  const line = [place.launcher, ...args].join(' ');
  spawnSync('script', ['-qec', `sh ${line}`, '/dev/null'], {
    cwd: place.repository,
    input: 'y\nyes\n',
    timeout: 60_000,
    env: { ...process.env, HOME: place.home, SYLK_HOME: undefined },
  });
}

const changed: StrangerCase = {
  name: 'network: a source of skills whose text changes after it was trusted',
  make: (place) => {
    const flag = join(place.outside, 'switch');
    choose(place, `changing/${Buffer.from(flag).toString('base64url')}`);
    trustAtTerminal(place, 'skills', 'trust', 'remote-skill');
    writeFileSync(flag, '');
  },
  twin: good,
  absent: ['CANARY-REMOTE'],
  aims: ['skills load remote-skill', ...aims],
};

export const networkCases: StrangerCase[] = [...sources, changed];

import { cpSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { StrangerCase } from '../case.ts';
import type { Place } from '../place.ts';

const aims = [
  'then: index, search, doctor',
  'then: remember, brief, export',
  'then: session worktree, merge',
];

/** A folder that git takes for a repository, with programs in its config. */
function bareFolder(place: Place, path: string): void {
  const trap = place.trap('nested-bare');
  place.write(`${path}/HEAD`, 'ref: refs/heads/main\n');
  place.write(
    `${path}/config`,
    `[core]\n\trepositoryformatversion = 0\n\tbare = true\n\tfsmonitor = ${trap}\n\tworktree = ..\n[filter "evil"]\n\tsmudge = ${trap}\n\tclean = ${trap}\n`,
  );
  place.write(`${path}/objects/info/keep`, '');
  place.write(`${path}/refs/heads/keep`, '');
}

/** A complete repository below the working tree, as an unpacked archive brings it. */
function nested(place: Place, path: string): void {
  const target = join(place.repository, path);
  cpSync(place.repository, `${place.root}/copy`, { recursive: true });
  mkdirSync(join(target, '..'), { recursive: true });
  renameSync(`${place.root}/copy`, target);
  place.git('-C', target, 'config', 'core.fsmonitor', place.trap('nested'));
  place.write(`${path}/.git/hooks/post-checkout`, `#!/bin/sh\n${place.trap('nested-hook')}\n`);
}

/** Repositories inside repositories, and archives that bring their `.git`. */
export const nestedCases: StrangerCase[] = [
  {
    name: 'nested: a bare repository in a folder',
    make: (place) => {
      bareFolder(place, 'vendor/bare');
      place.commitAll();
    },
    aims,
  },
  {
    name: 'nested: the top of the working tree looks like a bare repository',
    make: (place) => bareFolder(place, '.'),
    aims,
  },
  {
    name: 'nested: a bare repository with state of its own',
    make: (place) => {
      bareFolder(place, 'vendor/bare');
      place.write('vendor/bare/sylk/library.db', 'not a database');
      place.link('vendor/bare/sylk/run', place.home);
    },
    aims,
  },
  { name: 'nested: an archive with .git', make: (place) => nested(place, 'vendor/archive'), aims },
  {
    name: 'nested: .git is a link to a tracked folder',
    stateAt: 'parent/repository/git-data/sylk',
    make: (place) => {
      renameSync(join(place.repository, '.git'), join(place.repository, 'git-data'));
      place.link('.git', 'git-data');
    },
    aims,
  },
  {
    name: 'nested: 300 repositories',
    make: (place) => {
      for (let at = 0; at < 300; at++) bareFolder(place, `vendor/r${at}/.git`);
    },
    aims,
  },
  {
    name: 'nested: a worktree file that points at a repository outside',
    make: (place) => {
      cpSync(join(place.repository, '.git'), join(place.outside, 'other.git'), { recursive: true });
      place.git(
        '--git-dir',
        join(place.outside, 'other.git'),
        'config',
        'core.fsmonitor',
        place.trap('outer'),
      );
      place.write('vendor/tree/.git', `gitdir: ${join(place.outside, 'other.git')}\n`);
      place.write('vendor/tree/a.ts', 'export const a = 1;\n');
    },
    aims,
  },
];

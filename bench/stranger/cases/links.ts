import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { combine, type StrangerCase } from '../case.ts';
import type { Place } from '../place.ts';

/** Every file and folder of a repository that the product was seen to read or write, before and after state moved. */
const state = [
  '',
  '/.gitignore',
  '/config.yaml',
  '/skills',
  '/skills.toml',
  '/skills.lock',
  '/run',
  '/run/http.json',
  '/run/sylk.log',
  '/run/sylk.log.1',
  '/run/own-library',
  '/log',
  '/log/sylk.log',
  '/id',
  '/sylk.db',
  '/sylk.db-wal',
  '/library.db',
  '/library.db-wal',
  '/index.db',
  '/index.db-shm',
  '/history.db',
  '/backups',
  '/cache',
  '/knowledge',
  '/knowledge/projects',
  '/snapshots',
  '/worktrees',
];

const tree = [
  '.kiste.yaml',
  '.sylkignore',
  '.gitignore',
  '.gitattributes',
  '.gitmodules',
  '.mailmap',
  '.editorconfig',
  '.env',
  '.claude',
  '.claude/skills',
  '.claude/skills/pdf',
  '.claude/skills/pdf/SKILL.md',
  '.claude/settings.json',
  '.agents/skills',
  'AGENTS.md',
  'CLAUDE.md',
  'README.md',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'pyproject.toml',
  'Cargo.toml',
  'go.mod',
  'composer.json',
  '.eslintrc.json',
  'biome.json',
  '.pre-commit-config.yaml',
  '.github/workflows/ci.yml',
  'tokens.json',
  'varp.yaml',
  '.mcp.json',
  'opencode.json',
  '.cursor/mcp.json',
  '.vscode/mcp.json',
  '.codex/config.toml',
  '.gemini/settings.json',
  '.roo/mcp.json',
  '.kiro/settings/mcp.json',
  '.amp/settings.json',
  '.github/mcp.json',
  'src',
  'src/index.ts',
  'docs',
];

const git = [
  '.git/info/exclude',
  '.git/info/attributes',
  '.git/info/grafts',
  '.git/hooks',
  '.git/hooks/post-commit',
  '.git/shallow',
  '.git/packed-refs',
  '.git/config',
  '.git/index',
  '.git/logs',
  '.git/commondir',
  '.git/worktrees',
  '.git/modules',
  '.git/objects/info/alternates',
  '.git/refs/heads/side',
];

const paths = [
  ...state.map((name) => `.sylk${name}`),
  ...state.map((name) => `.git/sylk${name}`),
  ...tree,
  ...git,
];

interface Kind {
  name: string;
  put(place: Place, path: string): void;
}

const kinds: Kind[] = [
  {
    name: "a file of the person's",
    put: (place, path) => place.link(path, join(place.home, 'precious.txt')),
  },
  { name: 'the shell start-up file', put: (place, path) => place.link(path, join(place.home, '.bashrc')) },
  {
    name: 'a secret outside',
    put: (place, path) => place.link(path, join(place.outside, 'secret.txt')),
  },
  { name: 'a folder outside', put: (place, path) => place.link(path, join(place.outside, 'folder')) },
  { name: 'nothing, in the home', put: (place, path) => place.link(path, join(place.home, 'new-file')) },
  { name: '/dev/zero', put: (place, path) => place.link(path, '/dev/zero') },
  { name: '/dev/tty', put: (place, path) => place.link(path, '/dev/tty') },
  { name: '/dev/full', put: (place, path) => place.link(path, '/dev/full') },
  { name: '/proc/self/environ', put: (place, path) => place.link(path, '/proc/self/environ') },
  { name: 'a FIFO in place', put: (place, path) => place.fifo(path) },
  {
    name: 'a FIFO outside',
    put: (place, path) => {
      place.fifo('../../outside/pipe');
      place.link(path, join(place.outside, 'pipe'));
    },
  },
  { name: 'a socket in place', put: (place, path) => place.socket(path) },
  { name: 'a huge sparse file', put: (place, path) => place.sparse(path, 6e9) },
  { name: 'itself', put: (place, path) => place.link(path, path.split('/').at(-1) ?? path) },
  { name: 'the parent directory', put: (place, path) => place.link(path, join(place.root, 'parent')) },
  {
    name: 'a file of the repository',
    put: (place, path) => {
      writeFileSync(join(place.repository, 'plain.txt'), 'tracked\n');
      place.link(path, join(place.repository, 'plain.txt'));
    },
  },
];

/** What stands there is left out, or lies in state that is never opened: such paths don't hide each other. */
const isSkipped = (path: string): boolean =>
  /^\.git\/sylk\//.test(path) || !/^\.git\/|^\.kiste\.yaml$|^\.sylk(?:\/config\.yaml)?$/.test(path);

export const linkCases: StrangerCase[] = combine(paths, kinds, (path, kind) => ({
  name: `link: ${path} is ${kind.name}`,
  make: (place) => {
    kind.put(place, path);
    // What git can carry is committed, as in a clone; FIFOs, sockets and what takes git minutes come with an archive.
    if (
      !path.startsWith('.git/') &&
      !kind.name.includes('sparse') &&
      place.git('ls-files', '-o', '--', path) !== ''
    )
      commit(place, path);
  },
  aims: aimsOf(path),
  path,
  batch: isSkipped(path) ? `paths are ${kind.name}` : undefined,
}));

function commit(place: Place, path: string): void {
  try {
    place.git('add', '-f', '--', path);
    place.git('commit', '-q', '-m', 'chore: add files');
  } catch {
    // A socket, or the folder of a link: it stays as it is in the working tree.
  }
}

function aimsOf(path: string): string[] {
  if (/skills/.test(path)) return ['then: skills'];
  if (/mcp|opencode|codex|gemini|claude/.test(path)) return ['mcp clients', 'then: init, hooks, uninstall'];
  if (/hooks|AGENTS|CLAUDE/.test(path)) return ['then: init, hooks, uninstall'];
  if (/worktrees|modules/.test(path)) return ['then: session worktree, merge'];
  if (/knowledge|areas/.test(path)) return ['then: areas, work'];
  if (/backups|\.db/.test(path)) return ['then: remember, brief, export'];
  return ['then: index, search, doctor'];
}

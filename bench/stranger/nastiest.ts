import type { StrangerCase } from './case.ts';
import { allCases } from './cases/index.ts';

/** Case and command: what was seen to hurt once, or comes near to it. Small enough for every run of the tests. */
export const nastiest: Array<[name: string, command: string]> = [
  ["link: .sylk/run/http.json is a file of the person's", 'http'],
  ["link: .git/sylk/run/http.json is a file of the person's", 'http'],
  ['link: .sylk/.gitignore is nothing, in the home', 'brief'],
  ['link: .git/sylk is a folder outside', 'memory add'],
  ['link: .sylk/run is a folder outside', 'doctor'],
  ["link: .sylk/sylk.db is a file of the person's", 'brief'],
  ['link: .git/sylk/library.db is nothing, in the home', 'memory add'],
  ['link: .kiste.yaml is /dev/zero', 'status'],
  ['link: .kiste.yaml is /dev/tty', 'status'],
  ['link: .sylk/config.yaml is a FIFO in place', 'status'],
  ['link: .sylkignore is /dev/zero', 'index'],
  ['link: .sylk/skills.toml is /dev/zero', 'skills browse'],
  ['link: .git/hooks is a folder outside', 'hooks install git'],
  ['link: .claude/skills is a folder outside', 'skills browse'],
  ['link: README.md is a secret outside', 'show'],
  ['state: library committed as .sylk', 'brief'],
  ['state: library in the .git of an archive', 'brief'],
  ['state: library committed behind a link', 'brief'],
  ['state: forged history committed as .sylk', 'why forget'],
  [
    'skill: an id that is a shell command, twice, with the log a link to the shell start-up file',
    'skills browse',
  ],
  ['skill: .claude/skills/work-execution replaces the built-in one', 'skills load work-execution'],
  ['skill: a name with a newline and an order', 'skills browse'],
  ['git config: a filter with an empty name', 'then: session worktree, merge'],
  ["git config: a filter in a submodule's own config", 'then: session worktree, merge'],
  ['git config: filter.evil.smudge', 'then: session worktree, merge'],
  ['git config: core.excludesFile is a FIFO', 'search'],
  ['name: a file with a newline that forges a search result', 'search login'],
  ['name: a file with a newline that forges a search result', 'ask login'],
  ['name: a file with terminal escapes', 'search login'],
  ['config: .sylk/config.yaml with databases outside', 'index'],
  ['nested: the top of the working tree looks like a bare repository', 'status'],
];

export function caseNamed(name: string): StrangerCase {
  const found = allCases.find((each) => each.name === name);
  if (!found) throw new Error(`There is no case "${name}".`);
  return found;
}

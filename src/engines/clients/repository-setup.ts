import { dirname, join } from 'node:path';
import { state as files, tree } from '../../base/files/index.ts';
import type { State } from '../../base/state/index.ts';

/** Written once, then owned by the team. Every line is a comment: the defaults apply until one is uncommented. */
const configTemplate = `# Settings of Sylk for this repository. Commit this file; databases and caches are in the git directory.
# \`sylk config show --origin\` lists every key with its value and origin.
#
# URLs apply only after a person trusted exactly that value (sylk trust); paths and programs are never taken from here.
`;

/** Files of other tools that Sylk can read, and what they are used for. */
const known: Array<[path: string, use: string]> = [
  [
    'AGENTS.md',
    'notes for agents; `sylk init --agents-md` adds a short block that says when to use which tool',
  ],
  [
    'CLAUDE.md',
    'notes for agents; `sylk init --agents-md` adds a short block that says when to use which tool',
  ],
  ['.kiste.yaml', 'history settings (strip_prefixes, stop_tags, exclude) are read from it'],
  ['varp.yaml', 'components become tags'],
  ['.agents/skills', 'skills are offered from it once you trust them (sylk trust)'],
  ['.claude/skills', 'skills are offered from it once you trust them (sylk trust)'],
  ['.cursor/rules', 'rules of another client; not used'],
  ['.mcp.json', 'servers shared by the team; `sylk mcp install claude-code --scope project` adds Sylk'],
];

export interface Initialised {
  made: string[];
  found: Array<{ path: string; use: string }>;
}

/** Creates a commented config.yaml, and its directory. */
export function initialiseDirectory(sharedDirectory: string, root: string): Initialised {
  const made: string[] = [];
  const config = join(sharedDirectory, 'config.yaml');
  if (!tree.entry(dirname(sharedDirectory), config)) {
    tree.write(dirname(sharedDirectory), config, configTemplate);
    made.push(config);
  }
  const found = known.filter(([path]) => tree.entry(root, path)).map(([path, use]) => ({ path, use }));
  return { made, found };
}

/** Derived data, by its name in the state directory. */
export const isDerived = (name: string): boolean =>
  /^(?:(?:index|history)\.db.*|cache|run|log|snapshots)$/.test(name);

/** Deletes the state; with `keepLibrary`, keeps what people and agents wrote. */
export function removeState(state: State, keepLibrary: boolean): string[] {
  const { directory } = state;
  if (!files.exists(directory)) return [];
  if (!keepLibrary) {
    files.remove(directory);
    state.forget();
    return [directory];
  }
  const removed: string[] = [];
  for (const { name } of files.list(directory).filter((entry) => isDerived(entry.name))) {
    const path = join(directory, name);
    files.remove(path);
    removed.push(path);
  }
  return removed;
}

/** Deletes our text in the tree, but nothing behind a link in its place. */
export function removeShared(sharedDirectory: string): string[] {
  if (!files.entry(sharedDirectory)) return [];
  files.remove(sharedDirectory);
  return [sharedDirectory];
}

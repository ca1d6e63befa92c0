import { dirname, join } from 'node:path';
import { state as files, tree } from '../../base/files/index.ts';
import type { State } from '../../base/state/index.ts';

/** Written once and then the team's own. Every line is a comment: the defaults hold until one is taken away. */
const configTemplate = `# Settings of Sylk for this repository. Commit this file; databases and caches are kept in the git directory.
# \`sylk config show --origin\` lists every key with its value and where it comes from.
#
# Addresses hold only after a person trusted exactly that value (sylk trust); places and programs are never taken from here.
`;

/** Files of other tools that Sylk can read, with what they would be used for. */
const known: Array<[path: string, use: string]> = [
  [
    'AGENTS.md',
    'notes for agents; `sylk init --agents-md` adds a short block that says when to call which tool',
  ],
  [
    'CLAUDE.md',
    'notes for agents; `sylk init --agents-md` adds a short block that says when to call which tool',
  ],
  ['.kiste.yaml', 'history settings (strip_prefixes, stop_tags, exclude) are read from it'],
  ['varp.yaml', 'components become tags'],
  ['.agents/skills', 'skills are offered from it once you trust them (sylk trust)'],
  ['.claude/skills', 'skills are offered from it once you trust them (sylk trust)'],
  ['.cursor/rules', 'rules of another client; they stay its own'],
  ['.mcp.json', 'servers shared by the team; `sylk mcp install claude-code --scope project` adds Sylk'],
];

export interface Initialised {
  made: string[];
  found: Array<{ path: string; use: string }>;
}

/** Makes a commented config.yaml, and the directory for it. */
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

/** What can be made again from git and files, by its name in the state directory. */
export const isDerived = (name: string): boolean =>
  /^(?:(?:index|history)\.db.*|cache|run|log|snapshots)$/.test(name);

/** The state goes; with `keepLibrary` what people and agents wrote stays. */
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

/** The text of ours in the tree goes, and nothing that a link in its place leads to. */
export function removeShared(sharedDirectory: string): string[] {
  if (!files.entry(sharedDirectory)) return [];
  files.remove(sharedDirectory);
  return [sharedDirectory];
}

import { type AutocompleteItem, type AutocompleteProvider, fuzzyFilter } from '@earendil-works/pi-tui';
import { terminalCommands } from './commands.ts';

const agents: Record<string, string> = {
  librarian: 'this code as it is',
  archivalist: 'what was done and decided',
  academic: 'the references',
  guide: 'help, state, sessions',
};
const mostShown = 50;

export interface CompletionSources {
  /** Commands of `sylk`, each with what it does. */
  verbs(): Array<{ verb: string; about: string }>;
  /** Paths of the repository. */
  files(): Promise<string[]>;
}

/** Completes `/commands` at the beginning of a line, and `@agents` and `@files` anywhere. */
export function createCompletion({ verbs, files }: CompletionSources): AutocompleteProvider {
  const commands = (): AutocompleteItem[] => [
    ...Object.entries(terminalCommands).map(([name, about]) => ({
      value: `/${name} `,
      label: `/${name}`,
      description: about,
    })),
    ...verbs()
      .filter(({ verb }) => !Object.hasOwn(terminalCommands, verb))
      .map(({ verb, about }) => ({ value: `/${verb} `, label: `/${verb}`, description: about })),
  ];
  return {
    triggerCharacters: ['/', '@'],
    getSuggestions: async (lines, cursorLine, cursorCol, { force = false }) => {
      const before = (lines[cursorLine] ?? '').slice(0, cursorCol);
      const command = cursorLine === 0 ? /^\/[a-z -]*$/.exec(before)?.[0] : undefined;
      const known = command === undefined ? null : found(commands(), command);
      if (known) return known;
      const named = /(?:^|\s)(@\S*)$/.exec(before)?.[1];
      const pathOf = async (label: (path: string) => string) =>
        (await files()).map((path) => ({ value: `${path} `, label: label(path) }));
      // Tab after any word of a line: a file.
      const word = /(?:^|\s)([^\s@]\S*)$/.exec(before)?.[1];
      if (named === undefined && force && word !== undefined)
        return found(await pathOf((path) => path), word);
      if (named === undefined) return null;
      const people = Object.entries(agents).map(([name, about]) => ({
        value: `@${name} `,
        label: `@${name}`,
        description: about,
      }));
      return found([...people, ...(await pathOf((path) => `@${path}`))], named);
    },
    applyCompletion: (lines, cursorLine, cursorCol, item, prefix) => {
      const line = lines[cursorLine] ?? '';
      const start = cursorCol - prefix.length;
      const changed = `${line.slice(0, start)}${item.value}${line.slice(cursorCol)}`;
      return {
        lines: lines.map((old, at) => (at === cursorLine ? changed : old)),
        cursorLine,
        cursorCol: start + item.value.length,
      };
    },
  };
}

/** What begins with the words comes first, then what has their letters in this order. */
function found(items: AutocompleteItem[], prefix: string) {
  const beginning = items.filter(({ label }) => label.startsWith(prefix));
  const bare = (text: string) => text.replace(/^[/@]/, '');
  const others = fuzzyFilter(items, bare(prefix), ({ label }) => bare(label)).filter(
    (item) => !beginning.includes(item),
  );
  const all = [...beginning, ...others].slice(0, mostShown);
  return all.length === 0 ? null : { items: all, prefix };
}

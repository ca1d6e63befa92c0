import type { GateCategory, ShapedCommand } from './record.ts';
import { rowsOf, type ToolRow } from './table.ts';

const nameOf = (word: string): string =>
  (word.split(/[\\/]/).at(-1) ?? '').replace(/\.(cmd|exe|bat|phar|jar|[cm]?js|py|rb|sh)$/i, '');

const isProgram = (word: string, row: ToolRow): boolean => {
  const name = nameOf(word);
  return row.program.some(
    (program) =>
      program === '*' || name === program || (word.endsWith('.jar') && name.startsWith(`${program}-`)),
  );
};

const optionName = (word: string): string => word.split('=')[0] ?? word;

/** The options of a call without those that the row drops, and its other words: paths, as a rule. */
function sort(words: string[], row: ToolRow): { options: string[]; paths: string[] } {
  const options: string[] = [];
  const paths: string[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? '';
    if (!word.startsWith('-')) {
      paths.push(word);
      continue;
    }
    const name = optionName(word);
    const value = word.includes('=') ? undefined : words[index + 1];
    const dropsValue = row.drop?.includes(`${name}=`) ?? false;
    const takesNext = value !== undefined && (dropsValue || (row.values?.includes(name) ?? false));
    if (takesNext) index++;
    if (dropsValue || row.drop?.includes(name)) continue;
    options.push(word, ...(takesNext ? [value] : []));
  }
  return { options, paths };
}

/** A file's name is a path to every tool, never an option or a list of arguments. */
const asPath = (file: string): string => (/^[\w.]/.test(file) ? file : `./${file}`);

/** Patterns have their own characters; a name that has one of them stands for more than itself. */
const canLeaveOut = (row: ToolRow, files: string[]): boolean =>
  row.without !== undefined && files.every((file) => /^[\w.][\w./@+-]*$/.test(file));

const foldersOf = (files: string[]): string[] => [
  ...new Set(files.map((file) => (file.includes('/') ? `./${file.slice(0, file.lastIndexOf('/'))}` : '.'))),
];

/**
 * Adds what makes a tool check only, print a report that can be read, and look at these files only. `words` is how the
 * project calls the tool itself: a call through a script (`npm run lint`) can't be shaped, because what it does would
 * stay as it is. Undefined: this tool, or this call of it, can't be read, or can't do `without` these files.
 */
export function shapeCommand(
  tool: string,
  category: GateCategory,
  words: string[],
  options: { files?: string[]; without?: string[] | undefined; reportFile: string },
): ShapedCommand | undefined {
  const row = rowsOf(tool, category).find(
    (each) =>
      words.some((word) => isProgram(word, each)) &&
      (each.requires === undefined || words.includes(each.requires)),
  );
  if (!row || (options.without && !canLeaveOut(row, options.without))) return undefined;
  const at = words.findIndex((word) => isProgram(word, row));
  const toolchain = words[at + 1]?.startsWith('+') ? 1 : 0;
  const head = words.slice(0, at + 1 + toolchain);
  let rest = words.slice(at + 1 + toolchain);
  const called = row.sub?.find((sub) => `${rest.join(' ')} `.startsWith(`${sub} `));
  if (called !== undefined) rest = rest.slice(called.split(' ').length);
  head.push(...(row.sub?.[0]?.split(' ') ?? []));
  const filled = (word: string) => word.replaceAll('{report}', options.reportFile);
  const leftOut = (options.without ?? []).map((file) => (row.without ?? '').replace('{file}', () => file));
  const added = [...(row.add ?? []).map(filled), ...leftOut];
  const isNew = (word: string) => !added.includes(word) && !row.after?.includes(word);
  const end = rest.indexOf('--');
  const own = sort(end < 0 ? rest : rest.slice(0, end), row);
  const tail = end < 0 ? [] : rest.slice(end).filter(isNew);
  const files = row.files === undefined ? undefined : options.files;
  const named = row.files === 'packages' ? foldersOf(files ?? []) : (files ?? []).map(asPath);
  const kept = files === undefined || row.files === 'besides' ? own.paths : [];
  const paths = files ? [...kept, ...(row.whenFiles ?? []), ...named] : kept;
  const rests = files && !row.tail ? [] : tail;
  return {
    words: [...head, ...own.options.filter(isNew), ...added, ...paths, ...(row.after ?? []), ...rests],
    env: row.env && Object.fromEntries(Object.entries(row.env).map(([name, value]) => [name, filled(value)])),
    reports: row.source === 'file' ? (row.reports ?? ['{report}']).map(filled) : undefined,
    takesFiles: row.files !== undefined,
    paths: own.paths,
  };
}

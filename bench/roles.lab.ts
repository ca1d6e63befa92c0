import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { allOperations } from '../src/operations/list.ts';
import spellings from '../src/operations/spellings.json' with { type: 'json' };
import { categories } from '../src/stores/chronicle/index.ts';
import { messageTypeAliases, messageTypes } from '../src/stores/messages/index.ts';
import { openRoles } from '../src/stores/roles/index.ts';
import answers from './roles/design-answers.json' with { type: 'json' };
import { warnings } from './roles/mistakes.ts';
import { memoryOverWindows } from './roles/windows.ts';
import type { Bench } from './run-named.ts';

const all = (text: string, pattern: RegExp): string[] => [
  ...new Set([...text.matchAll(pattern)].map(([, name = '']) => name)),
];

/** What the design names, by program: `--from` is its text. */
function extract(text: string): Record<string, string[]> {
  const after = (title: string) => text.slice(Math.max(0, text.indexOf(title)));
  const hooks = after('## LLM Hooks').split('\n## ')[1] ?? '';
  const flow = after('### Hook Execution Flow').split('### ')[1] ?? '';
  return {
    roles: all(after('### Complete Agent Summary').slice(0, 4000), /^\| \*\*(\w+)\*\* \|/gm),
    tools: all(text, /Name:\s+"(\w+)",\n\s+Description:/g),
    hooks: [
      ...new Set([
        ...all(`${flow}\n${hooks}`, /[├└]── (\w+_\w+) \(/g),
        ...all(text, /Name:\s+"(\w+)",\n\s+Type:\s+(?:Pre|Post)/g),
      ]),
    ],
    messages: all(after('### Message Types'), /^([A-Z]+_[A-Z_]+) {2,}\S/gm),
    documents: all(text, /\*\*Archivalist Category\*\*: `(\w+)`/g),
  };
}

/**
 * `npm run lab -- roles --from FILE`: everything that the design names, held against the product. `roles windows [--seed N]`: what an agent still
 * knows after ten windows.
 */
const roles: Bench = async (options) => {
  const [section = ''] = options.words;
  const part = { windows: memoryOverWindows, mistakes: warnings }[section];
  if (part) {
    if (!(await part(options))) process.exitCode = 1;
    return;
  }
  const {
    from: [path],
  } = options;
  if (path === undefined) throw new Error('--from FILE: the text of the design');
  const own = [
    'read_file',
    'write_file',
    'edit_file',
    'run_command',
    'request_help',
    'signal_complete',
    'find_tools',
    'preview_ui',
    'check_accessibility',
    'responsive_audit',
    'analyze_layout',
  ];
  const consults = ['consult_librarian', 'consult_archivalist', 'consult_academic'];
  const team = openRoles({ personDirectory: tmpdir(), root: tmpdir(), trusted: () => new Map() }).list();
  const operations = (await allOperations()).map(({ name }) => name);
  const given: Record<string, { as?: string; refused?: string; open?: string }> = answers;
  const there: Record<string, string[]> = {
    roles: team.map(({ name }) => name),
    tools: [...own, ...consults, ...operations, ...Object.keys(spellings.names)],
    hooks: team.flatMap(({ hooks }) => hooks),
    messages: [...messageTypes, ...Object.keys(messageTypeAliases)],
    documents: [...categories],
  };
  for (const [kind, names] of Object.entries(extract(readFileSync(path, 'utf8')))) {
    const known = new Set(there[kind]);
    const state = (name: string): string => {
      if (known.has(kind === 'roles' ? name.toLowerCase() : name)) return 'there';
      const { as, refused, open } = given[name] ?? {};
      if (open !== undefined) return 'not built';
      if (as !== undefined) return known.has(as) ? 'under another name' : 'missing';
      return refused === undefined ? 'missing' : 'refused';
    };
    const counts = Map.groupBy(names, state);
    const said = [...counts].map(([what, found]) => `${found.length} ${what}`).join(', ');
    console.log(`${kind}: ${names.length} named; ${said}`);
    for (const name of counts.get('refused') ?? []) console.log(`  refused ${name}: ${given[name]?.refused}`);
    for (const name of counts.get('not built') ?? [])
      console.log(`  not built ${name}: ${given[name]?.open}`);
    for (const name of counts.get('missing') ?? []) console.log(`  MISSING ${name}`);
    if (counts.has('missing')) process.exitCode = 1;
  }
};

export default roles;

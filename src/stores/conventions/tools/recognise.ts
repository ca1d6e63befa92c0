import { table } from '../data.ts';
import { listUses, type ToolUse, type ToolUses } from './evidence-tables.ts';
import type { ToolCategory } from './record.ts';
import { programName, type Wrapper } from './shell-words.ts';
import type { NodeManager } from './sources/package-scripts.ts';

export interface CommandTables {
  rules: Array<ToolUses & { program: string; pattern: RegExp }>;
  same_as: Record<string, string>;
  usual_names: Record<ToolCategory, string[]>;
  node_managers: Record<NodeManager, { run: string; add: string }>;
  /** By the file that identifies a package manager. */
  python_managers: Record<string, { run: string; add?: string }>;
  programs: Record<string, ToolUses>;
  /** By program and first argument; `*` stands for any other. */
  subcommands: Record<string, Record<string, ToolUses>>;
  gradle_tasks: Record<string, string>;
  maven_goals: Record<string, string>;
  wrappers: Record<string, Wrapper>;
}

export const commandTables = table<CommandTables>('commands', ['pattern']);

const lookUp = <T>(rows: Record<string, T>, key: string): T | undefined =>
  Object.hasOwn(rows, key) ? rows[key] : undefined;

function fromTables(program: string, args: string[]): ToolUse[] {
  const { programs, subcommands } = commandTables();
  const rows = lookUp(subcommands, program);
  const first = args.find((word) => !word.startsWith('-') && !word.startsWith('+')) ?? '';
  const uses = rows ? (lookUp(rows, first) ?? rows['*']) : lookUp(programs, program);
  return uses ? listUses(uses) : [];
}

/** Options with which a tool looks, lists or prepares, and judges nothing. */
const runsNothing =
  /^(--help|--init|--listTests|--list-tests|--collect-only|--co|--no-run|--showConfig|--show-config|--print-config|--list-rules|-run=(\^\$|NONE|XXX))$/;

/** The tools that one command runs, by its words only. */
export function recognise(words: string[]): ToolUse[] {
  const [first = '', ...args] = words;
  if (args.length === 1 && /^(--?version|-V|--help|version)$/.test(args[0] ?? '')) return [];
  if (args.some((word) => runsNothing.test(word)) || /^(bench|benchmark|list)$/.test(args[0] ?? ''))
    return [];
  const { programs, rules, same_as } = commandTables();
  const named = programName(first);
  const program = lookUp(same_as, named) ?? named;
  const text = words.join(' ');
  const ruled = rules.filter((rule) => rule.program === program && rule.pattern.test(text));
  if (ruled.length > 0) return ruled.flatMap(listUses);
  if (program !== 'node') return fromTables(program, args);
  const script = lookUp(programs, programName(args.find((word) => !word.startsWith('-')) ?? ''));
  return script ? listUses(script) : fromTables(program, args);
}

/** A build command that runs everything (`gradlew check`, `mvn verify`) proves only what the project also configures. */
export const provesOnlyConfigured = new Set(['spotless', 'checkstyle', 'ktlint', 'detekt']);

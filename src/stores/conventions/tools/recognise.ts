import { table } from '../data.ts';
import { listUses, type ToolUse, type ToolUses } from './evidence-tables.ts';
import type { ToolCategory } from './record.ts';
import { programName, type Wrapper } from './shell-words.ts';

export interface CommandTables {
  programs: Record<string, ToolUses>;
  /** By program and first argument; `*` stands for any other. */
  subcommands: Record<string, Record<string, ToolUses>>;
  gradle_tasks: Record<string, string>;
  maven_goals: Record<string, string>;
  wrappers: Record<string, Wrapper>;
}

export const commandTables = table<CommandTables>('commands');

const use = (tool: string, ...categories: ToolCategory[]): ToolUse[] => listUses({ tool, categories });

const lookUp = <T>(rows: Record<string, T>, key: string): T | undefined =>
  Object.hasOwn(rows, key) ? rows[key] : undefined;

function fromTables(program: string, args: string[]): ToolUse[] {
  const { programs, subcommands } = commandTables();
  const rows = lookUp(subcommands, program);
  const first = args.find((word) => !word.startsWith('-') && !word.startsWith('+')) ?? '';
  const uses = rows ? (lookUp(rows, first) ?? rows['*']) : lookUp(programs, program);
  return uses ? listUses(uses) : [];
}

/** Programs for which more than the first argument decides; undefined leaves it to the tables. */
const special: Record<string, (args: string[], text: string) => ToolUse[] | undefined> = {
  node: (args) => {
    if (args.some((word) => word === '--test' || word.startsWith('--test-')))
      return use('node:test', 'test_framework');
    const uses = lookUp(
      commandTables().programs,
      programName(args.find((word) => !word.startsWith('-')) ?? ''),
    );
    return uses && listUses(uses);
  },
  cargo: (args) => {
    if (args.find((word) => !/^[-+]/.test(word)) !== 'hack') return fromTables('cargo', args);
    return args.includes('test') ? use('cargo test', 'test_framework') : use('cargo check', 'type_checker');
  },
  cross: (args) => special.cargo?.(args, ''),
  tofu: (args) => fromTables('terraform', args),
  mvn: (_args, text) => maven(text),
  mvnw: (_args, text) => maven(text),
  gradle: (_args, text) => gradle(text),
  gradlew: (_args, text) => gradle(text),
  xcodebuild: (args) =>
    args.some((word) => word.startsWith('test')) ? use('xcodebuild', 'test_framework') : undefined,
  zig: (args) =>
    args[0] === 'build' && args.includes('test') ? use('zig test', 'test_framework') : undefined,
  dune: (args) => {
    if (args.includes('@fmt')) return use('ocamlformat', 'formatter');
    return args.includes('@runtest') ? use('dune test', 'test_framework') : undefined;
  },
  nix: (args, text) =>
    args[0] === 'fmt' || text.includes('treefmt') ? use('treefmt', 'formatter') : undefined,
  make: (args) => (args.includes('check') ? use('make check', 'test_framework') : undefined),
};

function maven(text: string): ToolUse[] {
  if (/skipTests|maven\.test\.skip/.test(text)) return [];
  const goals = text.split(/\s+/);
  const runs = (names: string[], uses: ToolUse[]) => (names.some((name) => goals.includes(name)) ? uses : []);
  return [
    ...runs(['test', 'verify', 'install', 'package'], use('junit', 'test_framework')),
    ...runs(['spotless:check', 'verify'], use('spotless', 'formatter')),
    ...runs(['checkstyle:check', 'verify'], use('checkstyle', 'linter')),
  ];
}

function gradle(text: string): ToolUse[] {
  const all = /\s(build|check)\b/.test(text);
  const runs = (task: RegExp, uses: ToolUse[]) => (all || task.test(text) ? uses : []);
  return [
    ...runs(/\s(\S*:)?(test|allTests|jvmTest)\b/, use('junit', 'test_framework')),
    ...runs(/spotlessCheck/, use('spotless', 'formatter')),
    ...runs(/checkstyle/, use('checkstyle', 'linter')),
    ...runs(/ktlintCheck|lintKotlin/, use('ktlint', 'linter', 'formatter')),
    ...runs(/detekt/, use('detekt', 'linter')),
  ];
}

/** The tools that one command runs, judged by its words alone. */
export function recognise(words: string[]): ToolUse[] {
  const [first = '', ...args] = words;
  if (args.length === 1 && /^(--?version|-V|--help|version)$/.test(args[0] ?? '')) return [];
  const program = programName(first);
  return lookUp(special, program)?.(args, words.join(' ')) ?? fromTables(program, args);
}

/** A build command that runs everything (`gradlew check`, `mvn verify`) proves only what the project also configures. */
export const provesOnlyConfigured = new Set(['spotless', 'checkstyle', 'ktlint', 'detekt']);

import { findOperation, nouns } from '../../operations/list.ts';
import type { AnyOperation } from '../../operations/operation.ts';
import { type CommandName, commandNames } from './command.ts';
import { inputFlags } from './input-flags.ts';
import { exampleOf, usageOf } from './usage.ts';
import { ownVerbs } from './verbs.ts';

const firstCommands: Array<[usage: string, about: string]> = [
  ['ask QUESTION', 'answer from code, history, decisions and references'],
  ['search WORDS', 'search code, commits and memory'],
  ['why FILE', 'the commits and decisions that shaped a file'],
  ['memory add TEXT', 'remember; with --category decision, every agent sees it'],
  ['check', 'what your change broke, by the tools of this project'],
  ['agent TASK', 'let an agent work on a task, in a copy of the repository'],
  ['mcp install', 'connect Claude Code, Codex, Cursor and other clients'],
  ['up', 'index this repository and open its dashboard, API and MCP'],
];

const listedNouns = () =>
  nouns
    .map((noun) => ({ ...noun, verbs: Object.values(noun.verbs).filter((verb) => verb !== null) }))
    .filter((noun) => noun.verbs.length > 0);

/** The page that `sylk help` prints: it fits a screen of 24 lines. */
export function overview(): string {
  return [
    'sylk: memory and a team for coding agents',
    '',
    'Usage: sylk COMMAND [WORDS] [--flags]',
    '`sylk` alone opens the terminal; `sylk demo` shows a team at work.',
    '',
    ...firstCommands.map(([usage, about]) => row(usage, about)),
    '',
    'Topics, each with its commands (sylk help TOPIC):',
    wrap(
      listedNouns().map(({ noun }) => noun),
      72,
    ),
    '',
    'sylk help COMMAND shows its flags; sylk help all lists every command.',
    '',
  ].join('\n');
}

/** Every command, by topic. */
export function allHelp(): string {
  const lines = [
    'Commands of the command line itself',
    ...Object.entries(commandNames).map(([name, command]) => row(name, command.about)),
  ];
  for (const { noun, about, verbs } of listedNouns()) lines.push('', `${noun}: ${about}`, wrap(verbs));
  lines.push(
    '',
    'Flags of every command: --repo PATH, --json, --verbose, --quiet, --no-input, --events (progress as lines, or with --json as JSON lines), --set section.key=value, --help.',
    'Exit codes: 0 success · 2 usage or validation · 3 not found · 4 conflict · 5 denied or approval needed · 6 unavailable · 1 internal · 130 interrupted.',
  );
  return `${lines.join('\n')}\n`;
}

export function commandHelp(name: CommandName): string {
  const { about, words, example } = commandNames[name];
  const rows = Object.entries(words).map(([word, does]) => row(word, does, 18));
  return [`sylk ${name} — ${about}`, ...rows, '', `Example: ${example}`, ''].join('\n');
}

/** More than these are written on lines of their own. */
const fewChoices = 6;

function valueText({ kind, choices }: ReturnType<typeof inputFlags>[number]): string {
  if (kind === 'switch') return '';
  if (choices) return ` ${choices.length > fewChoices ? 'VALUE' : choices.join('|')}`;
  return kind === 'list' ? ' a,b' : ' VALUE';
}

export function operationHelp(operation: AnyOperation, verb: string): string {
  const flags = inputFlags(operation);
  const lines = [`Usage: ${usageOf(operation, verb)} [--flags]`, '', operation.summary, ''];
  for (const flag of flags) {
    lines.push(
      row(`${flag.flag}${valueText(flag)}`, `${flag.about}${flag.required ? ' (required)' : ''}`, 34),
    );
    if ((flag.choices?.length ?? 0) > fewChoices) lines.push(wrap(flag.choices ?? []));
  }
  lines.push('', `Example: ${exampleOf(operation, verb)}`);
  lines.push(`As an operation: sylk call ${operation.name} '${JSON.stringify(operation.examples[0] ?? {})}'`);
  return `${lines.join('\n')}\n`;
}

/** The commands of a topic, or those that start with a word, one line each; undefined where there are none. */
export async function groupHelp(word: string): Promise<string | undefined> {
  const verbs = ownVerbs().filter(
    ([name, verb]) => nounOf(name) === word || verb === word || verb.startsWith(`${word} `),
  );
  if (verbs.length === 0) return undefined;
  const rows = await Promise.all(
    verbs.map(async ([name, verb]) => {
      const operation = await findOperation(name);
      return { usage: usageOf(operation, verb), about: firstSentence(operation.summary) };
    }),
  );
  const width = Math.min(44, Math.max(...rows.map(({ usage }) => usage.length)) + 1);
  const about = nouns.find(({ noun }) => noun === word)?.about;
  return [
    about ? `${word}: ${about}` : `Commands that start with sylk ${word}`,
    '',
    ...rows.map((each) => row(each.usage, each.about, width)),
    '',
    'Flags and an example: sylk help COMMAND',
    '',
  ].join('\n');
}

/** One line for each command. */
export async function commandMenu(): Promise<Record<string, string>> {
  const rows = ownVerbs().map(async ([name, verb]) => [
    verb,
    firstSentence((await findOperation(name)).summary),
  ]);
  return Object.fromEntries(await Promise.all(rows));
}

const nounOf = (operation: string): string | undefined =>
  nouns.find(({ verbs }) => Object.hasOwn(verbs, operation))?.noun;

/** The beginning of a summary that fits a row. */
function firstSentence(text: string): string {
  const [sentence = ''] = text.split(/[.?;](?:\s|$)/);
  return sentence.length <= longestAbout ? sentence : (sentence.split(/[:(]\s?/)[0] ?? sentence).trim();
}

const longestAbout = 110;

const row = (name: string, about: string, width = 16): string => `  ${name.padEnd(width)} ${about}`.trimEnd();

function wrap(words: string[], width = 100): string {
  const lines: string[] = [];
  let line = ' ';
  for (const word of words) {
    if (line.length + word.length + 3 > width) {
      lines.push(line);
      line = ' ';
    }
    line += line === ' ' ? ` ${word}` : ` · ${word}`;
  }
  return [...lines, line].join('\n');
}

import { findOperation, nouns } from '../../operations/list.ts';
import type { AnyOperation } from '../../operations/operation.ts';
import { type CommandName, commandNames } from './command.ts';
import { inputFlags } from './input-flags.ts';
import { exampleOf, usageOf } from './usage.ts';
import { ownVerbs } from './verbs.ts';

export function overview(): string {
  const lines = [
    'sylk — memory for coding agents',
    '',
    'Usage: sylk <command> [words] [--flags]',
    '',
    'Start here',
    ...Object.entries(commandNames).map(([name, command]) => row(name, command.about)),
  ];
  for (const noun of nouns) {
    const verbs = Object.values(noun.verbs).filter((verb): verb is string => verb !== null);
    if (verbs.length > 0) lines.push('', `${noun.noun} — ${noun.about}`, wrap(verbs));
  }
  lines.push(
    '',
    'Global flags: --repo PATH, --json, --verbose, --quiet, --no-input, --events (progress as lines, or with --json as JSON lines), --set section.key=value, --help.',
    'Exit codes: 0 success · 2 usage or validation · 3 not found · 4 conflict · 5 denied or approval needed · 6 unavailable · 1 internal · 130 interrupted.',
  );
  return `${lines.join('\n')}\n`;
}

export function commandHelp(name: CommandName): string {
  const { about, words } = commandNames[name];
  return `sylk ${name} — ${about}\n${words.map((word) => `  ${word}\n`).join('')}`;
}

function valueText({ kind, choices }: ReturnType<typeof inputFlags>[number]): string {
  if (kind === 'switch') return '';
  if (choices) return ` ${choices.join('|')}`;
  return kind === 'list' ? ' a,b' : ' VALUE';
}

export function operationHelp(operation: AnyOperation, verb: string): string {
  const flags = inputFlags(operation);
  const lines = [`Usage: ${usageOf(operation, verb)} [--flags]`, '', operation.summary, ''];
  for (const flag of flags) {
    lines.push(
      row(`${flag.flag}${valueText(flag)}`, `${flag.about}${flag.required ? ' (required)' : ''}`, 34),
    );
  }
  lines.push('', `Example: ${exampleOf(operation, verb)}`);
  lines.push(`As an operation: sylk call ${operation.name} '${JSON.stringify(operation.examples[0] ?? {})}'`);
  return `${lines.join('\n')}\n`;
}

/** The commands that start with a word, one line each; undefined where no command does. */
export async function groupHelp(word: string): Promise<string | undefined> {
  const verbs = ownVerbs().filter(([, verb]) => verb === word || verb.startsWith(`${word} `));
  if (verbs.length === 0) return undefined;
  const rows = await Promise.all(
    verbs.map(async ([name, verb]) => {
      const operation = await findOperation(name);
      return row(usageOf(operation, verb), firstSentence(operation.summary), 44);
    }),
  );
  return `Commands of sylk ${word}:\n${rows.join('\n')}\n`;
}

const firstSentence = (text: string): string =>
  text.replace(/([.:?;])(?:\s.*)?$/s, '').replace(/[.:;?] .*$/s, '');

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

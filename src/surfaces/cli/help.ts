import { nouns } from '../../operations/list.ts';
import type { AnyOperation } from '../../operations/operation.ts';
import { type CommandName, commandNames } from './command.ts';
import { inputFlags } from './input-flags.ts';

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
    'Every command takes --repo PATH, --json, --quiet, --no-input, --events (what happens on the way, as lines or with --json as JSON lines), --set section.key=value, --help.',
    'Exit codes: 0 done · 2 usage or validation · 3 not found · 4 conflict · 5 denied or approval needed · 6 unavailable · 1 internal · 130 interrupted.',
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
  const positionals = operation.command?.positionals ?? [];
  const words = positionals.map(
    (field, at) => `<${field}${operation.command?.rest && at === positionals.length - 1 ? '…' : ''}>`,
  );
  const lines = [`sylk ${[verb, ...words].join(' ')} [--flags]`, '', operation.summary, ''];
  for (const flag of flags) {
    lines.push(
      row(`${flag.flag}${valueText(flag)}`, `${flag.about}${flag.required ? ' (required)' : ''}`, 34),
    );
  }
  const example = operation.examples[0];
  lines.push('', `As an operation: sylk call ${operation.name} '${JSON.stringify(example ?? {})}'`);
  return `${lines.join('\n')}\n`;
}

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

import { SylkError } from '../../base/errors.ts';

export interface GlobalFlags {
  repo: string[];
  json: boolean;
  /** Show routing, levels, trust numbers and token counts. */
  verbose: boolean;
  quiet: boolean;
  noInput: boolean;
  help: boolean;
  /** Print the events of a call. */
  events: boolean;
  set: string[];
}

const switches: Record<string, 'json' | 'quiet' | 'verbose' | 'noInput' | 'help' | 'events'> = {
  '--events': 'events',
  '--json': 'json',
  '--verbose': 'verbose',
  '--quiet': 'quiet',
  '-q': 'quiet',
  '--no-input': 'noInput',
  '--help': 'help',
  '-h': 'help',
};

export const globalFlagNames = [
  '--repo',
  '--json',
  '--verbose',
  '--quiet',
  '--no-input',
  '--events',
  '--help',
  '--set',
  '--database',
  '--hub',
];

/** Extracts the global flags, anywhere before `--`; the rest belongs to the command. */
export function takeGlobalFlags(args: string[]): { flags: GlobalFlags; rest: string[] } {
  const flags: GlobalFlags = {
    repo: [],
    json: false,
    verbose: false,
    quiet: false,
    noInput: false,
    help: false,
    events: false,
    set: [],
  };
  const rest: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!;
    if (arg === '--') {
      rest.push(...args.slice(at));
      break;
    }
    const name = Object.hasOwn(switches, arg) ? switches[arg] : undefined;
    const valued = /^(--repo|--set|--database|--hub)(?:=(.*))?$/s.exec(arg);
    if (name) flags[name] = true;
    else if (valued) {
      const value = valued[2] ?? args[++at];
      if (value === undefined)
        throw new SylkError('VALIDATION_ERROR', `Missing value for ${valued[1]}.`, {
          hint: `${valued[1]} VALUE`,
        });
      const name = valued[1] ?? '';
      if (name === '--repo') flags.repo.push(value);
      else flags.set.push(name === '--set' ? value : `team.${name.slice(2)}=${value}`);
    } else rest.push(arg);
  }
  return { flags, rest };
}

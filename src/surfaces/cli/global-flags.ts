import { SylkError } from '../../base/errors.ts';

export interface GlobalFlags {
  repo: string[];
  json: boolean;
  quiet: boolean;
  noInput: boolean;
  help: boolean;
  /** Print what a run says on the way. */
  events: boolean;
  set: string[];
}

const switches: Record<string, 'json' | 'quiet' | 'noInput' | 'help' | 'events'> = {
  '--events': 'events',
  '--json': 'json',
  '--quiet': 'quiet',
  '-q': 'quiet',
  '--no-input': 'noInput',
  '--help': 'help',
  '-h': 'help',
};

export const globalFlagNames = ['--repo', '--json', '--quiet', '--no-input', '--events', '--help', '--set'];

/** Takes out the flags that every command knows, wherever they stand before `--`; the rest is the command's. */
export function takeGlobalFlags(args: string[]): { flags: GlobalFlags; rest: string[] } {
  const flags: GlobalFlags = {
    repo: [],
    json: false,
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
    const name = switches[arg];
    const valued = /^(--repo|--set)(?:=(.*))?$/s.exec(arg);
    if (name) flags[name] = true;
    else if (valued) {
      const value = valued[2] ?? args[++at];
      if (value === undefined)
        throw new SylkError('VALIDATION_ERROR', `${valued[1]} needs a value.`, {
          hint: `${valued[1]} VALUE`,
        });
      flags[valued[1] === '--repo' ? 'repo' : 'set'].push(value);
    } else rest.push(arg);
  }
  return { flags, rest };
}

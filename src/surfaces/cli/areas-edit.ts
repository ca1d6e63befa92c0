import { basename, join } from 'node:path';
import type { App } from '../../app.ts';
import { type ErrorReport, SylkError } from '../../base/errors.ts';
import { person, state } from '../../base/files/index.ts';
import { runOnTerminal } from '../../base/process/index.ts';
import { runOperation } from '../../operations/run.ts';
import type { CommandRun } from './command.ts';
import type { Io } from './io.ts';
import { appFor, printError } from './run-command.ts';

/** `sylk areas edit <id or name>`: opens the text of an area in the person's editor and saves it. Typed text is never lost. */
export const run: CommandRun = async (args, flags, io) => {
  const { name, file } = readArguments(args);
  if (flags.noInput)
    throw new SylkError('DENIED', '`areas edit` opens an editor, which --no-input forbids.', {
      hint: 'Use `sylk areas show` and `sylk areas save`.',
    });
  const app = appFor(flags, io);
  try {
    const area = await call<AreaText>(app, io, 'get_area', { id: name });
    const draft = join(state.temporaryDirectory('sylk-area-'), `${area.kind}-${area.id.slice(0, 8)}.md`);
    state.write(draft, file ? person.read(file) : area.text);
    const code = await runOnTerminal(io.env.VISUAL || io.env.EDITOR || 'vi', draft, io.env);
    const text = state.read(draft).toString('utf8');
    const discard = () => state.remove(join(draft, '..'));
    if (text === area.text) {
      discard();
      io.out('No changes.\n');
      return 0;
    }
    if (code !== 0)
      return keep(io, { draft, name, why: `The editor exited with code ${code}; nothing was saved.` });
    const saved = await attempt(app, io, 'save_area', { text, version: area.version });
    if (!saved.ok) return await refused(app, io, { draft, name, area }, saved.error);
    discard();
    io.out(`${saved.message}\n`);
    return 0;
  } finally {
    await app.close();
  }
};

interface AreaText {
  text: string;
  version: number;
  kind: string;
  id: string;
}

function readArguments(args: string[]): { name: string; file?: string } {
  const at = args.indexOf('--file');
  const file = at >= 0 ? args[at + 1] : undefined;
  const [name, ...more] = at >= 0 ? args.toSpliced(at, 2) : args;
  if (!name || more.length > 0 || (at >= 0 && !file))
    throw new SylkError(
      'VALIDATION_ERROR',
      'Missing area. Usage: sylk areas edit <id or name> [--file PATH]',
      {
        hint: 'Run `sylk areas list` to see the areas. Example: sylk areas edit checkout',
      },
    );
  return { name, file: file || undefined };
}

/** The area changed in the meantime, or the text is invalid: both texts stay where the person can compare them. */
async function refused(
  app: App,
  io: Io,
  { draft, name, area }: { draft: string; name: string; area: AreaText },
  error: ErrorReport,
): Promise<number> {
  const exit = printError(error, { json: false }, io);
  const now = await attempt(app, io, 'get_area', { id: area.id });
  if (error.code === 'CONFLICT' && now.ok) {
    const theirs = join(draft, '..', `now-${basename(draft)}`);
    state.write(theirs, (now.data as AreaText).text);
    io.err(`Current version: ${theirs}\nCompare:         diff ${theirs} ${draft}\n`);
  }
  keep(io, { draft, name });
  return exit;
}

function keep(io: Io, { draft, name, why }: { draft: string; name: string; why?: string }): number {
  if (why) io.err(`${why}\n`);
  io.err(`Your text is saved: ${draft}\nContinue with:      sylk areas edit ${name} --file ${draft}\n`);
  return 1;
}

type Attempt = { ok: true; message: string; data: unknown } | { ok: false; error: ErrorReport };

async function attempt(app: App, io: Io, name: string, input: object): Promise<Attempt> {
  const outcome = await runOperation(app, {
    name,
    input,
    caller: { kind: 'person', name: io.env.USER ?? 'person', conversation: io.env.SYLK_CONVERSATION },
  });
  if (!outcome.ok) return { ok: false, error: outcome.error };
  return { ok: true, ...(outcome.output as { message: string; data: unknown }) };
}

async function call<Data>(app: App, io: Io, name: string, input: object): Promise<Data> {
  const done = await attempt(app, io, name, input);
  if (done.ok) return done.data as Data;
  throw new SylkError(done.error.code, done.error.message, { hint: done.error.hint ?? '' });
}

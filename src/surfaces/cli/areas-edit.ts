import { basename, join } from 'node:path';
import type { App } from '../../app.ts';
import { type ErrorReport, SylkError } from '../../base/errors.ts';
import { person, state } from '../../base/files/index.ts';
import { runOnTerminal } from '../../base/process/index.ts';
import { runOperation } from '../../operations/run.ts';
import type { CommandRun } from './command.ts';
import type { Io } from './io.ts';
import { appFor, printError } from './run-command.ts';

/** `sylk areas edit <id or name>`: the text of an area in the person's editor, and back. What was typed is never lost. */
export const run: CommandRun = async (args, flags, io) => {
  const { name, file } = readArguments(args);
  if (flags.noInput)
    throw new SylkError('DENIED', 'areas edit opens an editor, and --no-input was given.', {
      hint: 'Use `sylk areas show` and `sylk areas write`.',
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
      io.out('Nothing was changed.\n');
      return 0;
    }
    if (code !== 0)
      return keep(io, { draft, name, why: `The editor ended with code ${code}; nothing was saved.` });
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
    throw new SylkError('VALIDATION_ERROR', 'Expected: sylk areas edit <id or name> [--file PATH].', {
      hint: '`sylk areas list` shows what there is.',
    });
  return { name, file: file || undefined };
}

/** Somebody else was faster, or the text cannot be read: both texts stay where the person can compare them. */
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
    io.err(`What it is now: ${theirs}\nThe difference:  diff ${theirs} ${draft}\n`);
  }
  keep(io, { draft, name });
  return exit;
}

function keep(io: Io, { draft, name, why }: { draft: string; name: string; why?: string }): number {
  if (why) io.err(`${why}\n`);
  io.err(`Your text is kept: ${draft}\nGo on with it:     sylk areas edit ${name} --file ${draft}\n`);
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

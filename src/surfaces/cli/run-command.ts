import { type App, openApp } from '../../app.ts';
import { type ErrorReport, errorTable, SylkError } from '../../base/errors.ts';
import { system } from '../../base/files/index.ts';
import { jsonText, sanitizeTerminalText, showName } from '../../base/terminal-text.ts';
import { getApproval } from '../../operations/approvals.ts';
import type { AnyOperation, CallEvent, Caller } from '../../operations/operation.ts';
import { type Outcome, runOperation } from '../../operations/run.ts';
import { eventText, failureText, outputText } from '../shared/text.ts';
import type { GlobalFlags } from './global-flags.ts';
import { listenForInterrupt } from './interrupt.ts';
import type { Io } from './io.ts';
import { progressBar } from './progress-bar.ts';
import { terminalQuestions } from './questions.ts';

/** Opens the repository of a command. */
export function appFor(flags: GlobalFlags, io: Io, tolerant = false): App {
  return openApp({
    directory: flags.repo[0] ?? io.cwd,
    env: io.env,
    flags: flags.set,
    tolerant,
    tell: flags.quiet ? undefined : (line) => io.err(`${showName(line)}\n`),
  });
}

const callerOf = (io: Io): Caller => ({
  kind: 'person',
  name: io.env.USER ?? 'person',
  conversation: io.env.SYLK_CONVERSATION,
  unattended: !io.terminal,
});

/** Runs one operation as the person at this machine, and prints the result. */
export async function runAndPrint(
  operation: AnyOperation,
  input: unknown,
  flags: GlobalFlags,
  io: Io,
): Promise<number> {
  const app = appFor(flags, io, operation.name === 'run_doctor');
  if (!flags.quiet) warnOfSettings(app, io);
  const events = flags.events || (isLive(operation, flags.json) && !flags.quiet);
  const shown = { ...flags, events };
  const bar = progressBar(io, flags.quiet || flags.json || events);
  // Reads and derived writes are transactional and can be resumed: a signal may end them at once, even during a
  // long query, which no function of ours could interrupt.
  const resumes = operation.effect === 'read' || operation.effect === 'derive';
  const interrupt = listenForInterrupt(resumes ? [] : ['SIGINT', 'SIGTERM'], io.err);
  const questions = terminalQuestions(app, {
    say: io.err,
    signal: interrupt.signal,
    decide: async (approval_id, answer) => {
      const input = { approval_id, ...answer };
      const outcome = await runOperation(app, { name: 'approve', input, caller: callerOf(io) });
      return outcome.ok ? undefined : outcome.error.message;
    },
  });
  const isAsking = io.terminal && events && !flags.json && !flags.noInput;
  let next: object | undefined;
  const call = async (): Promise<number> => {
    const seen = operation.effect === 'decide' ? await requireConsent(operation, input, flags, app) : {};
    const run = (more: object) =>
      runOperation(app, {
        name: operation.name,
        input: { ...(input ?? {}), ...seen, ...more },
        caller: callerOf(io),
        signal: interrupt.signal,
        onStart: (call) => printEvent({ type: 'call', call }, flags, io),
        onEvent: (event) => {
          bar.show(event);
          const approval = 'approval_id' in event ? event.approval_id : undefined;
          if (approval !== undefined && isAsking) return questions.ask(approval);
          // Lines of a run are what happens in it; the index keeps its own to itself.
          if (flags.events || operation.live !== 'lines' || event.type !== 'progress')
            questions.after(() => printEvent(event, shown, io));
        },
      });
    const first = await run({});
    bar.end();
    const approval_id = await approvalOf(first, operation, flags, app, io);
    const outcome = approval_id ? await run({ approval_id }) : first;
    bar.end();
    if (!outcome.ok) return interrupt.exitCode() ?? printError(outcome.error, flags, io, outcome.output);
    printOutput(outcome, shown, io);
    const failures = [...app.failures, ...(outcome.isIncomplete ? outcome.notes : [])];
    if (flags.quiet) for (const failure of failures) io.err(`${sanitizeTerminalText(failure)}\n`);
    // What was interrupted answers how far it came: that is no success.
    const interrupted = interrupt.exitCode();
    if (interrupted !== undefined) return interrupted;
    if (isAsking) next = await replyTo(operation, outcome.output, interrupt.signal);
    const isPart = app.failures.length > 0 || outcome.isIncomplete;
    return Number(operation.isFailure?.(outcome.output) ?? 0) || (isPart ? 1 : 0);
  };
  const code = await call().finally(async () => {
    bar.end();
    interrupt.end();
    await app.close();
  });
  return next ? runAndPrint(operation, next, flags, io) : code;
}

/** The input of the next call, where the answer asks the person something and they reply. */
async function replyTo(
  operation: AnyOperation,
  output: unknown,
  signal: AbortSignal,
): Promise<object | undefined> {
  const question = operation.question?.(output);
  const reply = question && (await system.readTerminalLine(question.text, signal));
  return reply ? question?.next(reply) : undefined;
}

const isLive = ({ live }: AnyOperation, json: boolean): boolean =>
  live === 'lines' || (live === true && !json);

/** One line, however many settings of a repository are wrong or wait for trust. */
function warnOfSettings({ loadedConfig: { warnings } }: App, io: Io): void {
  // What waits for trust comes first: a wrong key must not hide it.
  const waiting = warnings.filter((warning) => warning.includes('trust'));
  const [first] = [...waiting, ...warnings];
  if (first === undefined) return;
  const others = `${warnings.length - 1} more warnings`;
  const rest = warnings.length > 1 ? ` (and ${others}: \`sylk config show\` lists all)` : '';
  io.err(`warning: ${showName(first)}${rest}\n`);
}

function printOutput(
  { operation, output, notes }: Extract<Outcome, { ok: true }>,
  flags: GlobalFlags,
  io: Io,
): void {
  if (!flags.quiet) for (const note of notes) io.err(`note: ${showName(note)}\n`);
  if (flags.events && flags.json) printEvent({ type: 'result', output }, flags, io);
  else
    io.out(flags.json ? `${jsonText(output)}\n` : withNewline(outputText(operation, output, flags.verbose)));
}

type ShownEvent = CallEvent | { type: 'call'; call: string } | { type: 'result'; output: unknown };

/** With --events: each event as a line on standard error, or with --json as a JSON line on standard output. */
function printEvent(event: ShownEvent, flags: Pick<GlobalFlags, 'json' | 'events'>, io: Io): void {
  if (!flags.events) return;
  if (flags.json) io.out(`${jsonText(event)}\n`);
  else if (event.type === 'call') io.err(`call ${event.call}\n`);
  else if (event.type === 'result') return;
  else printLines(event, io);
}

/** Words of an agent stand behind a bar, so that they can't pass as ours. */
function printLines(event: CallEvent, io: Io): void {
  const text =
    event.type === 'progress' ? showName(eventText(event)) : sanitizeTerminalText(eventText(event));
  if (text === '') return;
  const isSpoken = event.type === 'text' && event.from === 'agent';
  io.err(`${isSpoken ? `│ ${text.replaceAll('\n', '\n│ ')}` : text}\n`);
}

export function printError(
  error: ErrorReport,
  flags: Pick<GlobalFlags, 'json'>,
  io: Io,
  body: unknown = { error },
): number {
  if (flags.json) io.err(`${jsonText(body)}\n`);
  else {
    io.err(`error: ${failureText(error)}\n`);
    if (error.hint) io.err(`hint:  ${showName(error.hint)}\n`);
  }
  return errorTable[error.code].exit;
}

const withNewline = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);

/** A person at a terminal is asked at once for the approval that a command needs. Returns the id of the given approval. */
async function approvalOf(
  outcome: Outcome,
  operation: AnyOperation,
  flags: GlobalFlags,
  app: App,
  io: Io,
): Promise<string | undefined> {
  if (outcome.ok || outcome.error.code !== 'APPROVAL_REQUIRED') return undefined;
  const approval_id = outcome.error.data?.['approval_id'];
  const isAsked = io.terminal && !flags.noInput && !flags.json && 'approval_id' in operation.input.shape;
  if (!isAsked || typeof approval_id !== 'string') return undefined;
  const { prompt, targets } = await getApproval(app, approval_id);
  const what = [
    prompt,
    ...targets.map(({ kind, target, note }) => `  ${kind} ${target}${note ? ` (${note})` : ''}`),
  ];
  const typed = system.askOnTerminal(`${sanitizeTerminalText(what.join('\n'))}\nType yes to approve: `);
  if (typed === undefined) return undefined;
  const answer = typed.toLowerCase() === 'yes' ? 'approved' : 'denied';
  await runOperation(app, { name: 'approve', input: { approval_id, answer }, caller: callerOf(io) });
  return approval_id;
}

/**
 * A decision needs a person. A coding agent has a shell but no terminal, so the question goes to the
 * terminal device, not to standard input, which a program can fill.
 */
async function requireConsent(
  operation: AnyOperation,
  input: unknown,
  flags: GlobalFlags,
  app: App,
): Promise<object> {
  const refuse = (why: string): never => {
    throw new SylkError('DENIED', `${operation.name} needs a person's answer, and ${why}.`, {
      hint: 'Run it yourself in a terminal.',
    });
  };
  const parsed = operation.input.safeParse(input ?? {});
  const about = parsed.success ? await operation.consent?.(parsed.data, app) : undefined;
  const seen = about?.input ?? {};
  if (about?.allowed) return seen;
  if (flags.noInput) refuse('--no-input was given');
  const what = sanitizeTerminalText(about?.shown ?? JSON.stringify(input, null, 2));
  const answer = system.askOnTerminal(`${operation.summary}\n${what}\nContinue? Type yes: `);
  if (answer === undefined) refuse('there is no terminal to ask on');
  if (answer?.toLowerCase() !== 'yes') refuse('the answer was not yes');
  return seen;
}

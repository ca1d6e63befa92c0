import { parentPort, workerData } from 'node:worker_threads';
import { type App, openApp } from '../../app.ts';
import { type ErrorReport, reportOf, SylkError } from '../../base/errors.ts';
import { parseJson } from '../../base/json.ts';
import { sanitizeTerminalText, withShownNames } from '../../base/terminal-text.ts';
import { findOperation } from '../../operations/list.ts';
import type { AnyOperation, CallEvent, Caller } from '../../operations/operation.ts';
import { runOperation } from '../../operations/run.ts';
import { commandMenu, helpPage, readCommand } from '../cli/index.ts';
import { failureText, outputText } from '../shared/text.ts';
import type { CallAnswer, CallRequest, CallsStart, FromWorker, ToWorker } from './calls.ts';

/** The thread in which the operations of a terminal run. */
const { directory, env, flags, person } = workerData as CallsStart;
const post = (message: FromWorker) => parentPort?.postMessage(message);
const running = new Map<number, AbortController>();
const caller: Caller = { kind: 'person', name: person };

try {
  const app = openApp({
    directory,
    env,
    flags,
    tell: (line) => post({ type: 'told', text: sanitizeTerminalText(line) }),
  });
  parentPort?.on('message', (message: ToWorker) => {
    if (message.type === 'call') void serve(app, message.id, message.request);
    else if (message.type === 'cancel')
      running.get(message.id)?.abort(new SylkError('CANCELLED', 'Stopped.'));
    else void close(app);
  });
  for (const warning of app.loadedConfig.warnings.slice(0, 1))
    post({ type: 'told', text: sanitizeTerminalText(`warning: ${warning}`) });
  post({ type: 'ready', root: app.repository.root });
} catch (error) {
  const { code, message, hint } = reportOf(error);
  post({ type: 'broken', code, message, hint });
}

async function serve(app: App, id: number, request: CallRequest): Promise<void> {
  const controller = new AbortController();
  running.set(id, controller);
  const onEvent = (event: CallEvent) => post({ type: 'event', id, event: shown(event) });
  const answer = await answerOf(app, request, { signal: controller.signal, onEvent }).catch((error) =>
    failed(reportOf(error)),
  );
  running.delete(id);
  post({ type: 'answer', id, answer });
}

async function answerOf(
  app: App,
  request: CallRequest,
  options: { signal: AbortSignal; onEvent: (event: CallEvent) => void },
): Promise<CallAnswer> {
  if (request.help !== undefined) return helpOf(request.help);
  const { operation, input } = await readRequest(request);
  const seen = operation.effect === 'decide' ? await consentOf(app, operation, input, request) : {};
  if (typeof seen === 'string') return { kind: 'asks', text: seen };
  const outcome = await runOperation(app, {
    name: operation.name,
    input: { ...input, ...seen },
    caller,
    ...options,
  });
  if (!outcome.ok) return failed(outcome.error);
  return {
    kind: 'done',
    operation: operation.name,
    text: outputText(operation, outcome.output),
    output: shown(outcome.output),
    isFailure: outcome.isIncomplete || Boolean(operation.isFailure?.(outcome.output)),
    notes: outcome.notes.map(sanitizeTerminalText),
  };
}

async function helpOf(help: string[] | 'menu'): Promise<CallAnswer> {
  const isMenu = help === 'menu';
  const text = isMenu ? '' : (await helpPage(help)).replace(/\bsylk (?=[a-z])/g, '/').trimEnd();
  const output = isMenu ? await commandMenu() : {};
  return { kind: 'done', operation: 'help', text, output, isFailure: false, notes: [] };
}

async function readRequest({ operation, words, input = {} }: CallRequest) {
  if (words === undefined) return { operation: await findOperation(operation ?? ''), input };
  if (words[0] === 'call') {
    const given: unknown = parseJson(words[2] ?? '{}');
    return { operation: await findOperation(words[1] ?? ''), input: Object(given) };
  }
  const read = await readCommand(words);
  return { operation: read.operation, input: { ...input, ...Object(read.input) } };
}

/** A decision is shown whole before the person answers for it: the text of it, or what their yes adds to the input. */
async function consentOf(
  app: App,
  operation: AnyOperation,
  input: object,
  { isConfirmed }: CallRequest,
): Promise<string | object> {
  const parsed = operation.input.safeParse(input);
  const about = parsed.success ? await operation.consent?.(parsed.data, app) : undefined;
  if (isConfirmed || about?.allowed) return about?.input ?? {};
  return sanitizeTerminalText(`${operation.summary}\n${about?.shown ?? JSON.stringify(input, null, 2)}`);
}

function failed(report: ErrorReport): CallAnswer {
  return {
    kind: 'failed',
    code: report.code,
    message: failureText(report),
    hint: report.hint === undefined ? undefined : sanitizeTerminalText(report.hint),
  };
}

/** Names written out, and nothing in any text that steers a terminal. */
const shown = <T>(value: T): T => clean(withShownNames(value)) as T;
function clean(value: unknown): unknown {
  if (typeof value === 'string') return sanitizeTerminalText(value);
  if (Array.isArray(value)) return value.map(clean);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, clean(inner)]));
}

async function close(app: App): Promise<void> {
  for (const controller of running.values()) controller.abort('stopped');
  const started = Date.now();
  while (running.size > 0 && Date.now() - started < 2500) await new Promise((next) => setTimeout(next, 20));
  await app.close();
  parentPort?.close();
}

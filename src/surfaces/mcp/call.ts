import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import { closest } from '../../base/closest.ts';
import { type ErrorReport, reportOf, SylkError } from '../../base/errors.ts';
import { objectOf } from '../../base/json.ts';
import { maxReplyTokens } from '../../base/paging.ts';
import { showName } from '../../base/terminal-text.ts';
import { fitsTokens, loadTokenCounter } from '../../base/tokens.ts';
import { listHint } from '../../operations/list.ts';
import type { CallEvent, Caller } from '../../operations/operation.ts';
import { readerOf, resolveName } from '../../operations/resolve.ts';
import { type Outcome, runOperation } from '../../operations/run.ts';
import { clientExtras } from '../../operations/spellings.ts';
import { eventText, failureText, outputText } from '../shared/text.ts';
import type { Workspace } from '../shared/workspace.ts';
import { outputSchemaOf, type ToolSelection } from './tools.ts';
import { callOperationTool, describeGroup } from './toolset-tools.ts';

interface CallContext {
  workspace: Workspace;
  selection: ToolSelection;
  caller: Caller;
  context: ServerContext;
}

interface Called {
  result: CallToolResult;
  advertised: Record<string, unknown> | undefined;
}

/** Failures of an operation are answers a model can act on; only a malformed request is a protocol error. */
export async function callTool(
  params: { name: string; arguments?: Record<string, unknown> | undefined },
  call: CallContext,
): Promise<Called> {
  try {
    const given = params.arguments ?? {};
    // The name of an earlier release.
    if (params.name === 'enable_toolset') return await describe(String(given.toolset ?? 'all'));
    if (params.name === 'call_operation') {
      refuseUnknownKeys(given);
      if (given.name === undefined) return await describe(String(given.describe ?? 'all'));
      return await callOperation(String(given.name), objectOf(given.input), call);
    }
    return await callOperation(params.name, given, call);
  } catch (error) {
    return { result: failure(reportOf(error)), advertised: undefined };
  }
}

/** Descriptions with inputs, or without them where a group is too large for one reply. */
async function describe(group: string): Promise<Called> {
  const described = await describeGroup(group);
  const whole = described.join('\n');
  const short = `${described.map((each) => each.split('\n')[0]).join('\n')}\nDescribe one of them to see its input.`;
  const text = (await fitsTokens(whole, describedTokens)) ? whole : await bounded(short);
  return { result: { content: [{ type: 'text', text }] }, advertised: undefined };
}

const describedTokens = 4000;

async function callOperation(
  name: string,
  given: Record<string, unknown>,
  call: CallContext,
): Promise<Called> {
  const { workspace, selection, caller, context } = call;
  const { repository, ...input } = workspace.names().length > 1 ? given : { repository: undefined, ...given };
  checkDenied(selection.deny, name, input);
  const app = workspace.app(typeof repository === 'string' ? repository : undefined);
  const outcome = await runOperation(app, {
    name,
    input,
    caller,
    signal: context.mcpReq.signal,
    onEvent: notifyTo(context),
  });
  if (outcome.ok) return success(outcome, selection.structured ?? false);
  const { error } = outcome;
  const told = error.hint === listHint ? { ...error, hint: operationHint } : error;
  return { result: failure(told, outcome.output), advertised: undefined };
}

const operationHint =
  'Call call_operation with describe: a group or an operation. Without inputs it lists every operation.';

/** A call that was meant to run something must not look like one that asks for the list. */
function refuseUnknownKeys(given: Record<string, unknown>): void {
  const known = Object.keys(objectOf(callOperationTool.inputSchema.properties));
  const key = Object.keys(given).find((each) => !known.includes(each) && !Object.hasOwn(clientExtras, each));
  if (key === undefined) return;
  const near = /operation|tool|method|command/i.test(key) ? 'name' : closest(key, known);
  const meant = near ?? (/arg|param/i.test(key) ? 'input' : undefined);
  throw new SylkError(
    'VALIDATION_ERROR',
    `call_operation: Unknown input ${JSON.stringify(key.slice(0, 80))}.${meant ? ` Did you mean ${meant}?` : ''}`,
    { hint: 'Inputs of call_operation: describe, name, input. Inputs of the operation go into input.' },
  );
}

/** A denied name is denied under every spelling; a spelling with fixed inputs, for these inputs only. */
function checkDenied(deny: string[], name: string, input: Record<string, unknown>): void {
  if (deny.length === 0) return;
  const asked = resolveName(name, readerOf(input));
  const values = { ...input, ...asked.set };
  const isDenied = deny.some((denied) => {
    const { operation, set } = resolveName(denied, 'first');
    const sameInputs = Object.entries(set).every(([field, value]) => values[field] === value);
    return denied === name || (operation === asked.operation && sameInputs);
  });
  if (isDenied) throw new SylkError('DENIED', `${name} is disabled on this server.`);
}

async function success(outcome: Extract<Outcome, { ok: true }>, structured: boolean): Promise<Called> {
  const outputSchema = structured ? outputSchemaOf(outcome.operation) : undefined;
  const notes = outcome.notes.map((note) => `${showName(note)}\n`).join('');
  const text = await bounded(`${notes}${outputText(outcome.operation, outcome.output)}`);
  const data = outputSchema ? { structuredContent: objectOf(outcome.output) } : {};
  return { result: { content: [{ type: 'text', text }], ...data }, advertised: outputSchema };
}

/** Sends events as progress notifications, whose number must increase. */
function notifyTo(context: ServerContext): (event: CallEvent) => void {
  const progressToken = context.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => {};
  let last = -1;
  return (event) => {
    if (event.type === 'progress' && event.done <= last) return;
    last = event.type === 'progress' ? event.done : last + 0.001;
    const total = event.type === 'progress' ? event.total : undefined;
    const params = { progressToken, progress: last, total, message: showName(eventText(event)) };
    void context.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
}

/** The last guard: operations page their own lists, and no text ever exceeds what clients accept. */
async function bounded(text: string): Promise<string> {
  if (await fitsTokens(text, maxReplyTokens)) return text;
  const count = await loadTokenCounter();
  let length = Math.min(text.length, maxReplyTokens * 4);
  while (count(text.slice(0, length)) > maxReplyTokens - 50) length = Math.floor(length * 0.85);
  return `${text.slice(0, length)}\n… truncated: use a smaller limit, a narrower path or a cursor.`;
}

function failure(error: ErrorReport, body?: unknown): CallToolResult {
  const said = failureText(error);
  const text = error.code === 'APPROVAL_REQUIRED' ? said : `${error.code}: ${said}`;
  const lines = [
    text,
    ...(error.hint ? [`Next step: ${showName(error.hint)}`] : []),
    ...(error.data ? [JSON.stringify(error.data)] : []),
  ];
  const structured = body === undefined ? {} : { structuredContent: objectOf(body) };
  return { isError: true, content: [{ type: 'text', text: lines.join('\n') }], ...structured };
}

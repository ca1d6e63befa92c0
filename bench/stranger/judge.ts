import type { StrangerCase } from './case.ts';
import { outsideSecret } from './place.ts';
import { type Answer, noMessage } from './surfaces.ts';

export interface Failure {
  case: string;
  command: string;
  kind: string;
  detail: string;
}

/** What happened around an answer, in the hostile place and in the harmless one. */
export interface Observed {
  answer: Answer;
  /** Paths that changed outside of the product's state. */
  changes: string[];
  hits: string[];
  connections: number;
}

/** Twice the harmless twin, and never less than this much more: starting a process varies. */
export const floor = { cpu: 1, memory: 100 };

const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u0080-\u009f\u202a-\u202e\u2066-\u2069]/u;

export function judge(tried: StrangerCase, observed: Observed, twin: Observed | undefined): Failure[] {
  const { answer } = observed;
  const failures: Failure[] = [];
  const fail = (kind: string, detail: string) =>
    failures.push({ case: tried.name, command: answer.name, kind, detail });
  for (const hit of observed.hits) fail('ran a program', hit);
  if (observed.connections > 0) fail('connected', `${observed.connections} connections to the listener`);
  const expected = new Set((twin?.changes ?? []).map(sameName));
  const changes = observed.changes.filter((change) => !expected.has(sameName(change)));
  if (changes.length > 0) fail('changed outside its state', changes.slice(0, 4).join(' '));
  judgeText(tried, answer, fail);
  if (answer.stopped === 'time') fail('hung', lastLine(answer.text));
  else if (answer.stopped === 'memory') fail('memory', 'stopped by the lab');
  else judgeEnd(tried, observed, twin, fail);
  return failures;
}

function judgeText(tried: StrangerCase, answer: Answer, fail: (kind: string, detail: string) => void): void {
  const text = answer.text.replaceAll(noMessage, '');
  const isSpoken = tried.spoken?.test(answer.name) ?? true;
  for (const canary of [outsideSecret, ...(isSpoken ? (tried.absent ?? []) : [])])
    if (text.includes(canary)) fail('said what it must not', canary);
  for (const line of isSpoken ? (tried.forgedLines ?? []) : []) {
    const found = text.split('\n').find((each) => line.test(each));
    if (found !== undefined) fail('forged line', found.slice(0, 120));
  }
  // JSON carries names as they are, for programs; what people and models read is text.
  const plain = text
    .split('\n')
    .filter((each) => !isJson(each))
    .join('\n');
  const control = controls.exec(plain);
  if (control)
    fail(
      'control character',
      JSON.stringify(plain.slice(Math.max(0, control.index - 30), control.index + 30)),
    );
}

function isJson(line: string): boolean {
  if (!/^[{["]/.test(line)) return false;
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

function judgeEnd(
  tried: StrangerCase,
  { answer }: Observed,
  twin: Observed | undefined,
  fail: (kind: string, detail: string) => void,
): void {
  const usual = twin?.answer;
  if (answer.code === null) fail('no answer', lastLine(answer.text));
  else if (answer.text.includes(noMessage)) fail('failed without a message', `exit ${answer.code}`);
  if (isDefect(answer) && !(usual && isDefect(usual))) fail('internal error', lastLine(answer.text));
  // A limit that is named fails `index`, and `doctor` says it again.
  if (tried.mustAnswer && answer.code !== 0 && usual?.code === 0 && !namedLimit.test(answer.text))
    fail('refused', `exit ${answer.code}: ${lastLine(answer.text)}`);
  if (!answer.cost || !usual?.cost || (answer.code !== 0 && namedLimit.test(answer.text))) return;
  const cpu = Math.max(2 * usual.cost.cpu, usual.cost.cpu + floor.cpu);
  const memory = Math.max(2 * usual.cost.memory, usual.cost.memory + floor.memory);
  if (answer.cost.cpu > cpu)
    fail('processor time', `${answer.cost.cpu.toFixed(1)} s, twin ${usual.cost.cpu.toFixed(1)} s`);
  if (answer.cost.memory > memory)
    fail('memory', `${answer.cost.memory.toFixed(0)} MB, twin ${usual.cost.memory.toFixed(0)} MB`);
}

/** It stopped by itself and said why: more than the twin's cost is then allowed, up to what the lab itself stops. */
const namedLimit = /\blimit\b|\btoo (?:large|big|long|many|deep)\b|\blarger than\b|\bmore than \d/i;

export const isDefect = (answer: Answer): boolean =>
  /INTERNAL_ERROR|Unexpected failure|UnhandledPromise|node:internal|^\s+at .+\(file:/m.test(answer.text);

/** Names that git and sessions choose differ from run to run. */
const sameName = (change: string): string =>
  change
    .slice(1)
    .replace(/\.git\/objects\/.*/, '.git/objects')
    .replace(/\.git\/worktrees.*/, '.git/worktrees')
    .replace(/ses_\w+/g, 'ses')
    .replace(/-[0-9a-f]{8}\.md$/, '.md')
    .replace(/\d{4}-\d\d-\d\dT[\d-]+Z/g, 'time');

const lastLine = (text: string): string =>
  text.replaceAll(noMessage, '').trim().split('\n').at(-1)?.slice(0, 200) ?? '';

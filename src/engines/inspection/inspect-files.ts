import type { Finding } from '../../base/reports/index.ts';
import { languageOf } from '../../stores/conventions/index.ts';
import type { ChangedFile } from './change.ts';
import { type Compared, compareFindings, onChangedLines } from './compare.ts';
import type { Gate } from './gates.ts';
import { problemOf } from './next-step.ts';
import { addFailure, gateRow, type Inspection } from './report.ts';
import { type GateRun, runGate } from './run-gate.ts';

/** A formatter, linter or type checker: what is new since the base counts, what was there is only counted. */
export async function inspectFiles(inspection: Inspection, gate: Gate): Promise<void> {
  const { change, place, request, report, copyOf } = inspection;
  const { tool, category } = gate;
  const now = gate.files.filter((path) =>
    change.files.some((file) => file.path === path && file.status !== 'deleted'),
  );
  // A type checker finds in other files what a change breaks.
  let files = category === 'type_checker' ? undefined : now;
  if (files?.length === 0) return;
  request.progress(`${tool}: ${files ? `${files.length} files` : 'whole project'}`);
  let after = await runGate(place, gate, await copyOf('after'), files);
  addTime(inspection, after);
  if (!files && now.length > 0 && gate.takesFiles && isWithoutTargets(after)) {
    files = now;
    after = await runGate(place, gate, await copyOf('after'), files);
    addTime(inspection, after);
  }
  if (after.reading.kind === 'failure') {
    addFailure(report, gate, problemOf(after.reading, gate, inspection.environment), after.milliseconds);
    return;
  }
  const { findings } = after.reading;
  const { fresh, old } =
    findings.length === 0 ? { fresh: [], old: 0 } : await compareWithBase(inspection, gate, findings, files);
  const isDoubtful = fresh.length > 0 && !gate.isNamed;
  const seen = isDoubtful && old === 0 ? await countBefore(inspection, gate) : old;
  const earlier = isDoubtful ? seen : 0;
  const isFollowed = earlier === 0;
  if (!isFollowed)
    report.notes.push(
      `No script or pipeline runs ${tool}, and it had ${earlier} findings before: what is new are warnings.`,
    );
  const severities = isFollowed ? {} : { severity: 'warning' as const };
  report.findings.push(...fresh.map((finding) => ({ tool, category, ...finding, ...severities })));
  report.gates.push({
    ...gateRow(gate, after.milliseconds),
    status: fresh.length === 0 ? 'clean' : 'findings',
    new: fresh.length,
    before: old,
    cached: after.isCached,
  });
}

/** No setting says what the whole project is: such a tool is given the changed files, as hooks before a commit do. */
const isWithoutTargets = ({ reading }: GateRun): boolean =>
  reading.kind === 'failure' && reading.cause === 'not_configured';

/** The changed files alone don't tell whether a project follows a tool: what it finds in all of the same languages, at the base. */
async function countBefore(inspection: Inspection, gate: Gate): Promise<number> {
  const languages = new Set(gate.files.map(languageOf));
  const base = await runGate(inspection.place, gate, await inspection.copyOf('before'), undefined);
  addTime(inspection, base);
  return base.reading.kind === 'failure'
    ? 0
    : base.reading.findings.filter(({ file }) => file !== undefined && languages.has(languageOf(file)))
        .length;
}

async function compareWithBase(
  inspection: Inspection,
  gate: Gate,
  findings: Finding[],
  files: string[] | undefined,
): Promise<Compared> {
  const { change, place, request, report, copyOf } = inspection;
  const names = new Map(change.files.map((file) => [file.path, file]));
  const before = files?.flatMap((path) => {
    const file = names.get(path);
    return !file || file.status === 'added' ? [] : [file.from ?? path];
  });
  if (before?.length === 0) return { fresh: findings, old: 0 };
  request.progress(`${gate.tool}: the same at the base`);
  const base = await runGate(place, gate, await copyOf('before'), before);
  addTime(inspection, base);
  if (base.reading.kind === 'failure') {
    report.notes.push(
      `${gate.tool} could not judge the base (${base.reading.message}): only findings on changed lines count.`,
    );
    const fresh = onChangedLines(findings, change.files);
    return { fresh, old: findings.length - fresh.length };
  }
  return compareSides(change.files, findings, base.reading.findings);
}

/** Findings of both sides, held against the lines on which they stand. */
export function compareSides(files: ChangedFile[], after: Finding[], before: Finding[]): Compared {
  const texts = { before: new Map<string, string[]>(), after: new Map<string, string[]>() };
  for (const { path, from, before: old, after: now } of files) {
    if (old !== undefined) texts.before.set(from ?? path, old.split('\n'));
    if (now !== undefined) texts.after.set(path, now.split('\n'));
  }
  // A file that did not change has the same lines on both sides, under the same numbers.
  const lineOf = (side: 'before' | 'after', file: string, line: number) =>
    texts[side].get(file)?.[line - 1] ?? String(line);
  return compareFindings(after, before, { files, lineOf });
}

export const addTime = ({ report }: Inspection, { milliseconds, isCached }: GateRun): void => {
  if (!isCached) report.tool_seconds += milliseconds / 1000;
};

import { join } from 'node:path';
import { reportOf } from '../../base/errors.ts';
import { tree } from '../../base/files/index.ts';
import type { Marks } from '../../base/library/index.ts';
import type { AreaDocument, Areas } from '../../stores/areas/index.ts';
import type { Author, Work, WorkDocument } from '../../stores/work/index.ts';
import {
  digestOf,
  filePath,
  isArea,
  type KnowledgeDocument,
  readDocument,
  refOf,
  writeDocument,
} from './knowledge-file.ts';

export interface ExchangeParts {
  work: Work;
  areas: Areas;
  /** The last common state of file and library, by ref. */
  marks: Marks;
  /** No file outside of it is read or written. */
  root: string;
}

interface Mark {
  path: string;
  /** Of the library's state. */
  digest: string;
  /** Digest of the file; differs if the library wrote it more tidily. */
  file: string;
}

interface Conflict {
  ref: string;
  path: string;
  reason: string;
}

interface Problem {
  path: string;
  message: string;
  hint?: string;
}

const kinds = ['project', 'feature', 'task', 'molecule', 'atom'] as const;

export interface ExportReport {
  directory: string;
  written: number;
  unchanged: number;
  removed: number;
  conflicts: Conflict[];
  problems: Problem[];
}

/** Writes every changed document. A file with edits that were not imported stays unchanged. */
export async function exportFiles(parts: ExchangeParts, directory: string): Promise<ExportReport> {
  const report: ExportReport = {
    directory,
    written: 0,
    unchanged: 0,
    removed: 0,
    conflicts: [],
    problems: [],
  };
  const marks = await readMarks(parts.marks);
  const documents = [...(await parts.work.workDocuments()), ...(await parts.areas.areaDocuments())];
  for (const document of documents) {
    const [ref, path] = [refOf(document), filePath(document)];
    const mark = marks.get(ref);
    marks.delete(ref);
    try {
      const digest = digestOf(document);
      const text = writeDocument(document);
      const target = join(directory, path);
      const there = tree.readText(parts.root, target);
      if (there === text) report.unchanged++;
      else if (there !== undefined && isEdited(there, digest, mark)) {
        report.conflicts.push({
          ref,
          path,
          reason: 'the file has edits that were not imported; import it first',
        });
        continue;
      } else {
        tree.write(parts.root, target, text);
        report.written++;
      }
      await parts.marks.set(ref, JSON.stringify({ path, digest, file: digest } satisfies Mark));
      if (mark && mark.path !== path) removeFile(parts, directory, ref, mark, report);
    } catch (error) {
      report.problems.push(problemOf(path, error));
    }
  }
  for (const [ref, mark] of marks) {
    if (!removeFile(parts, directory, ref, mark, report)) continue;
    await parts.marks.remove(ref);
  }
  return report;
}

/** True if the file contains something that neither the library nor the last common state has. */
function isEdited(text: string, current: string, mark: Mark | undefined): boolean {
  try {
    const digest = digestOf(readDocument(text));
    return digest !== current && digest !== mark?.file;
  } catch {
    return true;
  }
}

/** The file of a deleted or renamed document is deleted, unless someone edited it. */
function removeFile(
  parts: ExchangeParts,
  directory: string,
  ref: string,
  mark: Mark,
  report: ExportReport,
): boolean {
  const target = join(directory, mark.path);
  const text = tree.readText(parts.root, target);
  if (text === undefined) return true;
  if (isEdited(text, mark.digest, mark)) {
    report.conflicts.push({
      ref,
      path: mark.path,
      reason: 'it was deleted from the library, but the file has edits',
    });
    return false;
  }
  tree.remove(parts.root, target);
  report.removed++;
  return true;
}

export interface ImportReport {
  directory: string;
  created: string[];
  updated: string[];
  unchanged: number;
  /** The library is newer than the file. */
  kept: number;
  conflicts: Conflict[];
  problems: Problem[];
  dryRun: boolean;
}

/** Imports files one by one: a bad one is reported and does not stop the others. */
export async function importFiles(
  parts: ExchangeParts,
  by: Author,
  { directory, dryRun }: { directory: string; dryRun: boolean },
): Promise<ImportReport> {
  const report: ImportReport = {
    directory,
    created: [],
    updated: [],
    unchanged: 0,
    kept: 0,
    conflicts: [],
    problems: [],
    dryRun,
  };
  const marks = await readMarks(parts.marks);
  const taken: Array<{ path: string; document: KnowledgeDocument }> = [];
  for (const { path, document } of readFiles(parts, directory, report)) {
    try {
      const verdict = await judge(parts, document, marks.get(refOf(document)));
      if (verdict === 'unchanged') report.unchanged++;
      else if (verdict === 'kept') report.kept++;
      else if (verdict === 'conflict')
        report.conflicts.push({
          ref: refOf(document),
          path,
          reason: 'both the file and the library changed since the last exchange',
        });
      else {
        if (!dryRun) await put(parts, by, document);
        report[verdict].push(refOf(document));
        taken.push({ path, document });
      }
      if (verdict === 'unchanged' && !dryRun) await agree(parts, document, path);
    } catch (error) {
      report.problems.push(problemOf(path, error));
    }
  }
  if (dryRun) return report;
  for (const { path, document } of taken) {
    try {
      if (!isArea(document)) await parts.work.linkDocument(document);
      await agree(parts, document, path);
    } catch (error) {
      report.problems.push(problemOf(path, error));
    }
  }
  return report;
}

function readFiles(
  parts: ExchangeParts,
  directory: string,
  report: ImportReport,
): Array<{ path: string; document: KnowledgeDocument }> {
  const found: Array<{ path: string; document: KnowledgeDocument }> = [];
  const seen = new Map<string, string>();
  for (const kind of kinds) {
    for (const { name } of tree.list(parts.root, join(directory, `${kind}s`))) {
      if (!name.endsWith('.md') || name.startsWith('.')) continue;
      const path = `${kind}s/${name}`;
      try {
        const text = tree.readText(parts.root, join(directory, path));
        if (text === undefined) continue;
        const document = readDocument(text);
        const twin = seen.get(refOf(document));
        if (twin) {
          report.problems.push({
            path,
            message: `It has the same id as ${twin}.`,
            hint: 'Remove one of the two.',
          });
          continue;
        }
        seen.set(refOf(document), path);
        found.push({ path, document });
      } catch (error) {
        report.problems.push(problemOf(path, error));
      }
    }
  }
  const age = ({ document }: { document: KnowledgeDocument }) => `${document.createdAt} ${document.id}`;
  return found.sort(
    (a, b) => kinds.indexOf(a.document.kind) - kinds.indexOf(b.document.kind) || (age(a) < age(b) ? -1 : 1),
  );
}

type Verdict = 'created' | 'updated' | 'unchanged' | 'kept' | 'conflict';

/** Compares file, library and their last common state. */
async function judge(
  parts: ExchangeParts,
  document: KnowledgeDocument,
  mark: Mark | undefined,
): Promise<Verdict> {
  const current = isArea(document)
    ? await parts.areas.areaDocument(document.kind, document.id)
    : await parts.work.workDocument(document.id);
  if (!current) return 'created';
  const [file, library] = [digestOf(document), digestOf(current)];
  if (file === library) return 'unchanged';
  if (mark === undefined) return document.version === current.version ? 'updated' : 'conflict';
  if (library === mark.digest) return file === mark.file ? 'unchanged' : 'updated';
  return file === mark.file ? 'kept' : 'conflict';
}

const put = (parts: ExchangeParts, by: Author, document: KnowledgeDocument): Promise<void> =>
  isArea(document)
    ? parts.areas.putAreaDocument(by, document as AreaDocument)
    : parts.work.putDocument(by, document as WorkDocument);

async function agree(parts: ExchangeParts, document: KnowledgeDocument, path: string): Promise<void> {
  const now = isArea(document)
    ? await parts.areas.areaDocument(document.kind, document.id)
    : await parts.work.workDocument(document.id);
  if (!now) return;
  const mark: Mark = { path, digest: digestOf(now), file: digestOf(document) };
  await parts.marks.set(refOf(document), JSON.stringify(mark));
}

async function readMarks(marks: Marks): Promise<Map<string, Mark>> {
  return new Map([...(await marks.all())].map(([ref, value]) => [ref, JSON.parse(value) as Mark]));
}

function problemOf(path: string, error: unknown): Problem {
  const { message, hint } = reportOf(error);
  return { path, message, hint };
}

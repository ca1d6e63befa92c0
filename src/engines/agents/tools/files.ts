import { createHash } from 'node:crypto';
import { z } from 'zod';
import { codeOf, SylkError } from '../../../base/errors.ts';
import { tree } from '../../../base/files/index.ts';
import type { ToolAnswer, ToolContext, WorkPlace, WorkTool } from '../worker.ts';
import { replaceOnce } from './replace.ts';
import { defineTool } from './tool.ts';

const mostBytes = 2_000_000;
const mostLines = 2000;
const mostCharacters = 60_000;

const path = z.string().min(1).describe('relative to the root');

/** Read, write and edit files of the work place, through the door that follows no link and leaves no tree. */
export const fileTools: WorkTool[] = [
  defineTool({
    name: 'read_file',
    description: 'Reads a file with line numbers, or lists a directory.',
    tier: 'core',
    effect: 'read',
    input: z.object({
      path,
      start_line: z.coerce.number().int().min(1).optional(),
      end_line: z.coerce.number().int().min(1).optional(),
    }),
    run: async (input, context) => readFile(input, context),
  }),
  defineTool({
    name: 'write_file',
    description: 'Writes a whole file. One that exists has to be read first.',
    tier: 'core',
    effect: 'change',
    input: z.object({ path, content: z.string() }),
    run: async (input, context) => {
      const before = contentOf(context.place, input.path);
      if (before !== undefined) requireSeen(context, input.path, before);
      await replaceFile(context, { path: input.path, before, after: input.content });
      return { text: `Wrote ${input.path} (${input.content.split('\n').length} lines).` };
    },
  }),
  defineTool({
    name: 'edit_file',
    description: 'Replaces old_content, which has to be in the file exactly once, with new_content.',
    tier: 'core',
    effect: 'change',
    input: z.object({ path, old_content: z.string().min(1), new_content: z.string() }),
    // Models that learnt another client's names use them here too.
    spellings: { old_string: 'old_content', new_string: 'new_content', file_path: 'path' },
    run: async (input, context) => {
      const before = contentOf(context.place, input.path);
      if (before === undefined) return failure(`There is no file ${input.path}. Use write_file to make one.`);
      const { after, line, problem } = replaceOnce(before, input.old_content, input.new_content);
      if (after === undefined) return failure(problem ?? '');
      await replaceFile(context, { path: input.path, before, after });
      return { text: `Changed ${input.path} at line ${line}.` };
    },
  }),
];

const failure = (text: string): ToolAnswer => ({ text, isError: true });

function readFile(
  { path: given, start_line = 1, end_line }: { path: string; start_line?: number; end_line?: number },
  context: ToolContext,
): ToolAnswer {
  const { place } = context;
  const wanted = ownPath(given);
  if (tree.isDirectory(place.directory, wanted)) return listDirectory(place, wanted);
  const content = contentOf(place, wanted);
  if (content === undefined) return failure(`There is no file ${given}.`);
  if (content.includes('\0')) return failure(`${given} is no text.`);
  const lines = content.split('\n');
  if (lines.at(-1) === '') lines.pop();
  if (lines.length > 0 && start_line > lines.length) return failure(`${given} has ${lines.length} lines.`);
  const last = lastLine(lines, start_line, end_line);
  const digest = digestOf(content);
  const before = context
    .sentOf(wanted)
    .find((part) => part.digest === digest && part.from <= start_line && part.to >= last);
  if (before)
    return {
      text: `${given} has not changed: lines ${start_line}–${last} were sent in step ${before.step}.`,
    };
  const numbered = lines.slice(start_line - 1, last).map((line, at) => `${start_line + at}\t${line}`);
  const rest = lines.length - last;
  if (rest > 0) numbered.push(`(${rest} more lines; go on with start_line ${last + 1})`);
  return {
    text: numbered.join('\n') || '(empty)',
    untrusted: true,
    read: { path: wanted, digest, from: start_line, to: last },
  };
}

function lastLine(lines: string[], start: number, end = Infinity): number {
  const wanted = lines.slice(start - 1, Math.min(end, start - 1 + mostLines));
  let characters = 0;
  const tooMany = wanted.findIndex((line) => {
    characters += line.length + 8;
    return characters > mostCharacters;
  });
  const sent = tooMany < 0 ? wanted.length : Math.max(1, tooMany);
  return Math.min(lines.length, start - 1 + sent);
}

function listDirectory({ directory }: WorkPlace, path: string): ToolAnswer {
  const names = tree
    .list(directory, path, { limit: 1000 })
    .filter(({ name }) => !isGit(name))
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name));
  return { text: names.join('\n') || '(empty)', untrusted: true };
}

/** What a model was never sent, it can't have meant to throw away. */
function requireSeen(context: ToolContext, path: string, before: string): void {
  const digest = digestOf(before);
  if (context.sentOf(ownPath(path)).some((part) => part.digest === digest)) return;
  const isKnown = context.sentOf(ownPath(path)).length > 0;
  throw new SylkError(
    'CONFLICT',
    isKnown ? `${path} has changed since you read it.` : `${path} exists and you have not read it.`,
    { hint: `Call read_file with ${path} first, or change a part of it with edit_file.` },
  );
}

async function replaceFile(
  context: ToolContext,
  { path, before, after }: { path: string; before: string | undefined; after: string },
): Promise<void> {
  const own = ownPath(path);
  // What is sent to a model has no secrets in it; written back, the mark would take the secret's place.
  if (marksIn(after) > marksIn(before ?? ''))
    throw new SylkError(
      'DENIED',
      "A secret was cut out of the text that you were sent: the mark can't be written.",
      { hint: 'Use edit_file on other lines of the file.' },
    );
  if (Buffer.byteLength(after) > mostBytes)
    throw new SylkError('VALIDATION_ERROR', `${path} would have more than ${mostBytes} bytes.`);
  await context.announce({
    path: own,
    before: before === undefined ? '' : digestOf(before),
    after: digestOf(after),
  });
  tree.write(context.place.directory, own, after);
}

const marksIn = (text: string): number => text.split('[redacted:').length - 1;

/** Undefined where there is no file. Throws where a link is in the way, or something else than a file. */
export function contentOf({ directory }: WorkPlace, path: string): string | undefined {
  try {
    return tree.read(directory, ownPath(path), { limit: mostBytes }).toString('utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Also by the names that other systems give it, and with signs that nobody sees. */
const isGit = (name: string): boolean =>
  /^(\.git|git~1)$/i.test(name.replaceAll(/\p{Cf}/gu, '').replace(/[ .]+$|::?\$.*$/, ''));

/** A path as the tree names it. Git's own files are nobody's business. */
export function ownPath(path: string): string {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (path.startsWith('/') || path.includes('\\') || path.includes('\0') || parts.includes('..'))
    throw new SylkError('DENIED', `${JSON.stringify(path.slice(0, 200))} is no path inside the repository.`, {
      hint: 'Give a path relative to the root, without `..`.',
    });
  if (parts.some(isGit))
    throw new SylkError('DENIED', "git's own files can't be read or changed.", {
      hint: 'Run git as a command to ask about the history.',
    });
  return parts.join('/');
}

export const digestOf = (content: string): string => createHash('sha256').update(content).digest('hex');

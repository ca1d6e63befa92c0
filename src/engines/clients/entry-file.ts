import { SylkError } from '../../base/errors.ts';
import type { Target } from './catalogue.ts';
import { readClientFile } from './client-file.ts';
import { readJsonEntry, removeJsonEntry, setJsonEntry } from './json-entry.ts';
import { readTomlEntry, removeTomlEntry, setTomlEntry } from './toml-entry.ts';

/** One entry in a client's file, in any format. Only computes the text; the caller writes it. */
export interface EntryFile {
  path: string;
  text: string | undefined;
  current: unknown;
  withEntry(value: Record<string, unknown>): string;
  withoutEntry(): string;
  withoutTable(): string;
}

export function readEntryFile(target: Target, name: string): EntryFile {
  const text = readClientFile(target);
  const keys = () => [...tableOf(target, text ?? ''), name];
  const explain = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof SylkError)) throw error;
      throw new SylkError('VALIDATION_ERROR', `${target.path}: ${error.message}. Nothing was changed.`, {
        hint: 'Fix that line, or add the entry by hand: the same command with --print shows it.',
      });
    }
  };
  const json = target.format === 'json';
  return {
    path: target.path,
    text,
    current: explain(() => (json ? readJsonEntry : readTomlEntry)(text ?? '', keys())),
    withEntry: (value) => explain(() => (json ? setJsonEntry : setTomlEntry)(text ?? '', keys(), value)),
    withoutEntry: () => explain(() => (json ? removeJsonEntry : removeTomlEntry)(text ?? '', keys())),
    withoutTable: () =>
      explain(() =>
        json ? removeJsonEntry(text ?? '', keys().slice(0, -1)) : removeTomlEntry(text ?? '', keys()),
      ),
  };
}

/** opencode 2 moved its servers one level down; an existing file keeps its style. */
function tableOf(target: Target, text: string): string[] {
  if (target.format !== 'json' || target.table[0] !== 'mcp') return target.table;
  const nested = readJsonEntry(text, ['mcp', 'servers']) as Record<string, unknown> | undefined;
  const isMap = nested && typeof nested === 'object' && !('command' in nested) && !('enabled' in nested);
  return isMap ? ['mcp', 'servers'] : target.table;
}

import { isDeepStrictEqual } from 'node:util';
import { SylkError } from '../../base/errors.ts';
import { state } from '../../base/files/index.ts';
import type { Scope, Target } from './catalogue.ts';
import { makeDirectories, placeOf, removeClientFile, writeClientFile } from './client-file.ts';
import { readEntryFile } from './entry-file.ts';
import { digestOf, type Install, type Records } from './record.ts';

export interface EntryRequest {
  client: string;
  scope: Scope;
  name: string;
  repository: string;
  target: Target;
}

export type Changed = 'added' | 'updated' | 'unchanged';

/** Writes our entry into a client's file after saving the original; a repeated request changes nothing. */
export function installEntry(
  records: Records,
  request: EntryRequest,
  value: Record<string, unknown>,
): { changed: Changed; backup?: string } {
  const { target, name } = request;
  const file = readEntryFile(target, name);
  const known = records.find(target.path, name);
  if (isDeepStrictEqual(file.current, value))
    return { changed: 'unchanged', backup: known?.backup || undefined };
  refuseTaken(request, file.current, known);
  const after = file.withEntry(value);
  const { client, scope, repository } = request;
  const untouched =
    known && file.text !== undefined && digestOf(file.text) === known.left ? known : undefined;
  const { backup, made, madeTable } = untouched ?? {
    made: makeDirectories(target),
    backup: file.text === undefined ? undefined : records.keepBackup(`${client}-${scope}`, file.text),
    madeTable: tableIsNew(target, file.text),
  };
  writeClientFile(target, after);
  // A backup taken after other changes contains our older entry: then only the entry is removed.
  const left = known && !untouched ? 'changed since' : digestOf(after);
  records.put({ client, scope, name, path: target.path, repository, backup, made, madeTable, left });
  return { changed: file.current === undefined ? 'added' : 'updated', backup };
}

/** Restores the original bytes if nothing else changed; otherwise removes only our entry. */
export function uninstallEntry(
  records: Records,
  request: Pick<EntryRequest, 'target' | 'name'>,
): 'restored' | 'entry removed' | 'not installed' {
  const { target, name } = request;
  const known = records.find(target.path, name);
  const file = readEntryFile(target, name);
  if (file.text === undefined || file.current === undefined) {
    if (known) records.drop(known);
    return 'not installed';
  }
  if (known && digestOf(file.text) === known.left) {
    restore(known);
    records.drop(known);
    return 'restored';
  }
  if (!known && !looksOurs(file.current)) refuseForeign(target.path, name);
  const wholeTable = known?.madeTable && isAlone(target, name);
  writeClientFile(target, wholeTable ? file.withoutTable() : file.withoutEntry());
  if (known) records.drop(known);
  return 'entry removed';
}

export function restore(known: Pick<Install, 'path' | 'made' | 'backup' | 'scope' | 'repository'>): void {
  const place = placeOf(known.scope, known.path, known.repository);
  if (known.backup) writeClientFile(place, state.read(known.backup));
  else removeClientFile(place, known.made);
}

/** An entry that a colleague committed, or whose record was lost, still runs `sylk … mcp`. */
function looksOurs(entry: unknown): boolean {
  const words = JSON.stringify(entry);
  return /[\\/"]sylk(?:\.cmd)?"/.test(words) && words.includes('"mcp"');
}

/** The table that holds the servers. */
function tableOf(target: Target): unknown {
  const [last = '', ...lead] = target.table.toReversed();
  return readEntryFile({ ...target, table: lead.toReversed() }, last).current;
}

const tableIsNew = (target: Target, text: string | undefined): boolean =>
  text === undefined || text.trim() === '' || tableOf(target) === undefined;

const isAlone = (target: Target, name: string): boolean =>
  isDeepStrictEqual(Object.keys(tableOf(target) ?? {}), [name]);

const servesOther = (entry: unknown, repository: string): boolean => {
  const text = JSON.stringify(entry ?? '');
  return text.includes('"--repo"') && !text.includes(JSON.stringify(repository));
};

/** Does not touch an entry that someone else wrote, or that serves another repository. */
function refuseTaken(
  { target, name, repository }: Pick<EntryRequest, 'target' | 'name' | 'repository'>,
  current: unknown,
  known: Install | undefined,
): void {
  if (current !== undefined && !known && !looksOurs(current)) refuseForeign(target.path, name);
  if (!known || known.repository === repository || !servesOther(current, repository)) return;
  throw new SylkError('CONFLICT', `${known.path} already serves ${known.repository} as ${name}.`, {
    hint: `Give this repository its own entry with --name ${name}-2, or uninstall the other first.`,
  });
}

function refuseForeign(path: string, name: string): never {
  throw new SylkError(
    'CONFLICT',
    `${path} already has a server named ${name} that was not added by this command.`,
    { hint: 'Remove it by hand, or choose another name with --name.' },
  );
}

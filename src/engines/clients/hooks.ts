import { isDeepStrictEqual } from 'node:util';
import { applyEdits, modify, type ParseError, parse } from 'jsonc-parser';
import { SylkError } from '../../base/errors.ts';
import { isObject, objectOf } from '../../base/json.ts';
import { findHookClient, type HookClient, type HookEvent, type Scope } from './catalogue.ts';
import { makeDirectories, placeOf, productText, readClientFile, writeClientFile } from './client-file.ts';
import { type Changed, restore } from './install.ts';
import { launcherWords, type Places } from './places.ts';
import { digestOf, type Records } from './record.ts';

/** Name of hook installations in the records. */
export const hooksName = 'client hooks';

export interface HooksInstalled {
  client: string;
  scope: Scope;
  path: string;
  changed: Changed;
  backup?: string;
  notes: string[];
}

/** Adds our hooks to clients' files and removes them; all other bytes stay. */
export function createHooks(options: {
  records: Records;
  places: Places;
  repository: string;
  launcher: string;
}) {
  const { records, places, repository, launcher } = options;

  const preview = (id: string, scope: Scope) => {
    const client = findHookClient(id);
    const path = client.path(scope, places, repository);
    const place = placeOf(scope, path, repository);
    const text = readClientFile(place);
    return {
      client,
      path,
      place,
      text,
      after: withHooks(client, path, text, launcherWords(scope, launcher)),
    };
  };

  return {
    preview: (id: string, scope: Scope) => {
      const { path, client, after } = preview(id, scope);
      return { path, after, notes: [client.afterwards] };
    },
    /** The same request again changes nothing. */
    install: (id: string, scope: Scope): HooksInstalled => {
      const { client, path, place, text, after } = preview(id, scope);
      const known = records.find(path, hooksName);
      const answer = { client: client.id, scope, path };
      if (after === text) return { ...answer, changed: 'unchanged', backup: known?.backup, notes: [] };
      const untouched = known !== undefined && text !== undefined && digestOf(text) === known.left;
      const made = untouched ? known.made : makeDirectories(place);
      const keep = () =>
        text === undefined ? undefined : records.keepBackup(`${client.id}-${scope}-hooks`, text);
      const backup = untouched ? known.backup : keep();
      writeClientFile(place, after);
      records.put({
        client: client.id,
        scope,
        name: hooksName,
        path,
        repository,
        backup,
        made,
        madeTable: false,
        // A backup that contains our older hooks is not the original: then only our hooks are removed.
        left: text !== undefined && !untouched && holdsOurs(client, text) ? 'changed since' : digestOf(after),
      });
      const changed = text !== undefined && holdsOurs(client, text) ? 'updated' : 'added';
      return { ...answer, changed, backup, notes: [client.afterwards] };
    },
    uninstall: (
      id: string,
      scope: Scope,
    ): { path: string; result: 'restored' | 'entry removed' | 'not installed' } => {
      const client = findHookClient(id);
      const path = client.path(scope, places, repository);
      const place = placeOf(scope, path, repository);
      const text = readClientFile(place);
      const known = records.find(path, hooksName);
      if (text === undefined || !holdsOurs(client, text)) {
        if (known) records.drop(known);
        return { path, result: 'not installed' };
      }
      if (known && digestOf(text) === known.left) {
        restore(known);
        records.drop(known);
        return { path, result: 'restored' };
      }
      if (!client.events) restore({ path, made: known?.made ?? [], scope, repository });
      else writeClientFile(place, withoutOurs(client, text));
      if (known) records.drop(known);
      return { path, result: 'entry removed' };
    },
    installed: () => records.all(),
  };
}

/** The first line of the plugin that is written for a client that runs modules instead of commands. */
const pluginMark = '// Written by `sylk hooks install client opencode`';

/** What memory has to say, as the client takes it from a hook; nothing where there is nothing to say. */
export function hookReply(client: HookClient, event: HookEvent, text: string): string {
  if ((event !== 'start' && event !== 'prompt') || text.trim() === '') return '';
  if (!client.events) return text;
  return JSON.stringify({
    hookSpecificOutput: { hookEventName: client.events[event], additionalContext: text },
  });
}

type Groups = Record<string, Array<{ hooks?: Array<{ command?: unknown }> }> | undefined>;

function groupsOf(text: string, path = 'the file'): Groups {
  const errors: ParseError[] = [];
  const root =
    text.trim() === '' ? {} : parse(text.replace(/^\ufeff/, ' '), errors, { allowTrailingComma: true });
  const hooks = objectOf(root)['hooks'] ?? {};
  const sound = errors.length === 0 && isObject(root) && isObject(hooks);
  if (sound && Object.values(hooks).every((value) => Array.isArray(value) || typeof value !== 'object'))
    return hooks as Groups;
  throw new SylkError('VALIDATION_ERROR', `${path} is not a settings file with hooks. Nothing was changed.`, {
    hint: 'Fix it, or add the hooks by hand: the same command with --print shows them.',
  });
}

const isOurs = (client: HookClient, group: unknown): boolean =>
  isObject(group) &&
  Array.isArray(group['hooks']) &&
  group['hooks'].length > 0 &&
  group['hooks'].every(
    (hook) => isObject(hook) && new RegExp(`sylk"? hook ${client.id} `).test(`${hook['command']}`),
  );

const holdsOurs = (client: HookClient, text: string): boolean =>
  client.events
    ? Object.values(groupsOf(text)).some(
        (list) => Array.isArray(list) && list.some((group) => isOurs(client, group)),
      )
    : text.startsWith(pluginMark);

/** The file as it should be; the text itself if it already is. */
function withHooks(client: HookClient, path: string, text: string | undefined, command: string[]): string {
  if (!client.events) {
    if (text !== undefined && !text.startsWith(pluginMark))
      throw new SylkError('CONFLICT', `${path} exists and was not written by this command.`, {
        hint: 'Move it away first.',
      });
    return productText('opencode-plugin.js').replace('COMMAND', () => JSON.stringify(command));
  }
  const shell = command.map((word) => (/^[\w./:@-]+$/.test(word) ? word : `"${word}"`)).join(' ');
  const wanted = Object.entries(client.events).map(([event, name]) => ({
    name,
    group: {
      hooks: [
        {
          type: 'command',
          command: `${shell} hook ${client.id} ${event}`,
          timeout: client.timeout,
        },
      ],
    },
  }));
  const before = groupsOf(text ?? '', path);
  const there = Object.entries(before).flatMap(([name, list]) =>
    (Array.isArray(list) ? list : [])
      .filter((group) => isOurs(client, group))
      .map((group) => ({ name, group })),
  );
  if (text !== undefined && isDeepStrictEqual(JSON.parse(JSON.stringify(there)), wanted)) return text;
  let after = text === undefined || text.trim() === '' ? '{}\n' : withoutOurs(client, text);
  for (const { name, group } of wanted) {
    const list = groupsOf(after)[name];
    after = Array.isArray(list)
      ? edited(after, ['hooks', name, list.length], group, true)
      : edited(after, ['hooks', name], [group]);
  }
  return after;
}

function withoutOurs(client: HookClient, text: string): string {
  let after = text;
  for (const [name, list] of Object.entries(groupsOf(text))) {
    if (!Array.isArray(list)) continue;
    for (let at = list.length - 1; at >= 0; at--)
      if (isOurs(client, list[at])) after = edited(after, ['hooks', name, at], undefined);
    if (list.length > 0 && list.every((group) => isOurs(client, group)))
      after = edited(after, ['hooks', name], undefined);
  }
  return Object.keys(groupsOf(after)).length === 0 && after !== text
    ? edited(after, ['hooks'], undefined)
    : after;
}

function edited(text: string, path: Array<string | number>, value: unknown, insert = false): string {
  const unit = /^([ \t]+)["/]/m.exec(text)?.[1] ?? '  ';
  const formattingOptions = {
    insertSpaces: !unit.startsWith('\t'),
    tabSize: unit.startsWith('\t') ? 1 : unit.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
  return applyEdits(text, modify(text, path, value, { formattingOptions, isArrayInsertion: insert }));
}

import { isAbsolute, relative, resolve } from 'node:path';
import type { PermissionOption, RequestPermissionOutcome } from '@agentclientprotocol/sdk';
import { isWithin } from '../../../base/files/index.ts';
import { objectOf } from '../../../base/json.ts';
import type { Permission, WorkTool } from '../worker.ts';
import type { AgentCall } from './recorder.ts';

/** What kinds of the protocol say that they do. What is not here may reach outside, so a person is asked. */
const effects: Record<string, WorkTool['effect']> = {
  read: 'read',
  search: 'read',
  think: 'read',
  edit: 'change',
  delete: 'change',
  move: 'change',
  execute: 'command',
};
const pathKeys = ['file_path', 'filePath', 'path', 'abs_path', 'absolute_path'];

/** A call that an agent asks for, as rules see it. Undefined where it would change a file outside the work place. */
export function permissionOf(
  call: AgentCall,
  { directory, tools }: { directory: string; tools: WorkTool[] },
): Permission | undefined {
  const command = commandIn(call.input);
  const own = ownTool(call, tools);
  const paths = [...call.paths, ...pathKeys.flatMap((key) => textsOf(call.input[key]))].map((path) =>
    isAbsolute(path) ? path : resolve(directory, path),
  );
  const [url] = textsOf(call.input['url']);
  const effect = own?.effect ?? effectOf(call, { command, url, isEmpty: paths.length === 0 });
  if (effect === 'change' && paths.some((path) => !isWithin(directory, path))) return undefined;
  return {
    tool: own?.name ?? call.name,
    effect,
    input: Object.keys(call.input).length > 0 ? call.input : { title: call.title, paths },
    paths:
      own || paths.length === 0 ? undefined : [...new Set(paths)].map((path) => relative(directory, path)),
    command: effect === 'command' ? (command ?? call.title) : undefined,
    hosts: url !== undefined && URL.canParse(url) ? [new URL(url).hostname] : undefined,
  };
}

/** A kind is the agent's word: what the call holds goes before it. */
function effectOf(
  { kind, input }: AgentCall,
  { command, url, isEmpty }: { command: string | undefined; url: string | undefined; isEmpty: boolean },
): WorkTool['effect'] {
  const claimed = effects[kind] ?? 'fetch';
  if (command !== undefined) return 'command';
  if (url !== undefined) return 'fetch';
  if (claimed !== 'read') return claimed;
  if (changeKeys.some((key) => key in input)) return 'change';
  // Whatever it is, it names nothing that it would read.
  return isEmpty && Object.keys(input).length === 0 ? 'fetch' : 'read';
}
const changeKeys = ['content', 'new_string', 'newString', 'new_content', 'edits', 'patch', 'diff'];

/** Tools of our own server, by whatever name the agent gives them. A command in one that takes none is not ours. */
const ownTool = ({ name, input }: AgentCall, tools: WorkTool[]): WorkTool | undefined => {
  const bare = /^(?:mcp__?)?sylk(?:__?|\/|\.)(\w+)$/.exec(name)?.[1];
  const own = bare === undefined ? undefined : tools.find((tool) => tool.name === bare);
  const known = Object.keys(objectOf(own?.inputSchema['properties']));
  const hasOther = Object.keys(input).some((key) => commandKeys.has(key) && !known.includes(key));
  return hasOther ? undefined : own;
};

const textsOf = (value: unknown): string[] => (typeof value === 'string' && value !== '' ? [value] : []);

const commandKeys = new Set(['command', 'commands', 'cmd', 'argv', 'script', 'shell', 'code']);
const deepest = 4;

/** Every line that a call would run, wherever in its input it stands. */
function commandIn(input: unknown): string | undefined {
  const lines: string[] = [];
  const visit = (value: unknown, depth: number) => {
    if (depth > deepest || typeof value !== 'object' || value === null) return;
    for (const [key, part] of Object.entries(value))
      if (commandKeys.has(key.toLowerCase()) && isCommand(part)) lines.push(lineOf(part));
      else visit(part, depth + 1);
  };
  visit(input, 0);
  return lines.length === 0 ? undefined : lines.join('\n');
}

const isCommand = (value: unknown): value is string | string[] =>
  (typeof value === 'string' && value !== '') ||
  (Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string'));

/** A list of words is run as it is; `sh -c LINE` is that line. */
function lineOf(command: string | string[]): string {
  if (typeof command === 'string') return command;
  const [, flag = '', line = ''] = command;
  if (command.length === 3 && /^-l?c$/.test(flag)) return line;
  return command
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(' ');
}

/** Only ever for this once: what an agent remembers by itself is not judged again. */
export function answerWith(isAllowed: boolean, options: PermissionOption[]): RequestPermissionOutcome {
  const kinds = isAllowed ? ['allow_once'] : ['reject_once', 'reject_always'];
  const option = kinds.flatMap((kind) => options.find((given) => given.kind === kind) ?? [])[0];
  return option ? { outcome: 'selected', optionId: option.optionId } : { outcome: 'cancelled' };
}

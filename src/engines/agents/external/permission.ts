import { isAbsolute, relative, resolve } from 'node:path';
import type { PermissionOption, RequestPermissionOutcome } from '@agentclientprotocol/sdk';
import { isWithin } from '../../../base/files/index.ts';
import type { Permission, WorkTool } from '../worker.ts';
import type { AgentCall } from './recorder.ts';

/** What kinds of the protocol do. What is not here may reach outside, so a person is asked. */
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
  const own = ownTool(call.name, tools);
  const effect = own?.effect ?? effects[call.kind] ?? 'fetch';
  const paths = [...call.paths, ...pathKeys.flatMap((key) => textsOf(call.input[key]))].map((path) =>
    isAbsolute(path) ? path : resolve(directory, path),
  );
  const [url] = textsOf(call.input['url']);
  if (effect === 'change' && paths.some((path) => !isWithin(directory, path))) return undefined;
  return {
    tool: own?.name ?? call.name,
    effect,
    input: Object.keys(call.input).length > 0 ? call.input : { title: call.title, paths },
    paths:
      own || paths.length === 0 ? undefined : [...new Set(paths)].map((path) => relative(directory, path)),
    command: effect === 'command' ? commandOf(call) : undefined,
    hosts: url !== undefined && URL.canParse(url) ? [new URL(url).hostname] : undefined,
  };
}

/** Tools of our own server, by whatever name the agent gives them. */
const ownTool = (name: string, tools: WorkTool[]): WorkTool | undefined => {
  const bare = /^(?:mcp__?)?sylk(?:__?|\/|\.)(\w+)$/.exec(name)?.[1];
  return bare === undefined ? undefined : tools.find((tool) => tool.name === bare);
};

const textsOf = (value: unknown): string[] => (typeof value === 'string' && value !== '' ? [value] : []);

/** A list of words is run as it is; `sh -c LINE` is that line. */
function commandOf({ input, title }: AgentCall): string {
  const { command } = input;
  if (typeof command === 'string') return command;
  if (!Array.isArray(command)) return title;
  const words = command.map(String);
  const [, flag = '', line = ''] = words;
  if (words.length === 3 && /^-l?c$/.test(flag)) return line;
  return words
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(' ');
}

/** Only ever for this once: what an agent remembers by itself is not judged again. */
export function answerWith(isAllowed: boolean, options: PermissionOption[]): RequestPermissionOutcome {
  const kinds = isAllowed ? ['allow_once'] : ['reject_once', 'reject_always'];
  const option = kinds.flatMap((kind) => options.find((given) => given.kind === kind) ?? [])[0];
  return option ? { outcome: 'selected', optionId: option.optionId } : { outcome: 'cancelled' };
}

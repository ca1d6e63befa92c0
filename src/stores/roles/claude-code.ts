import { stringify } from 'yaml';
import { SylkError } from '../../base/errors.ts';
import { objectOf } from '../../base/json.ts';
import { splitRole } from './read-role.ts';
import { type Role, roleHead } from './role.ts';

/** Tools of ours that the client has under names of its own. */
const clientTools: Record<string, string[]> = {
  consult_librarian: ['mcp__sylk__ask'],
  consult_archivalist: ['mcp__sylk__ask'],
  consult_academic: ['mcp__sylk__ask'],
  read_file: ['Read'],
  write_file: ['Write'],
  edit_file: ['Edit'],
  run_command: ['Bash'],
  search_project: ['Grep', 'Glob', 'mcp__sylk__search_all'],
};
/** The client ends and asks by itself. */
const ownOnly = ['request_help', 'signal_complete', 'find_tools'];
const clientModels = { fast: 'sonnet', strong: 'opus' } as const;

/** By the names that our server shows; everything else is one call away. */
const namesOf = (tool: string, shown: string[]): string[] =>
  clientTools[tool] ?? [shown.includes(tool) ? `mcp__sylk__${tool}` : 'mcp__sylk__call_operation'];

/**
 * A role as a subagent of Claude Code. What its format has no words for stands below `sylk`, which the client does not look at, so
 * that nothing is lost on the way back.
 */
export function toClaudeCode({ prompt, ...head }: Role, served: string[]): string {
  const { name, does, model, tools } = head;
  const shown = [...tools.core, ...Object.keys(tools.contextual)].filter((tool) => !ownOnly.includes(tool));
  const client = {
    name: `sylk-${name}`,
    description: does,
    tools: [...new Set(shown.flatMap((tool) => namesOf(tool, served)))].join(', '),
    model: clientModels[model],
    sylk: head,
  };
  return `---\n${stringify(client, { lineWidth: 0 })}---\n\n${prompt.trim()}\n`;
}

/** A subagent of Claude Code as a role. What was changed there holds: description, model, prompt, and tools that were taken away. */
export function fromClaudeCode(text: string, served: string[]): Role {
  const read = splitRole(text);
  const refuse = (why: string): never => {
    throw new SylkError('VALIDATION_ERROR', `That is no subagent that was a role: ${why}.`, {
      hint: 'Export one first: sylk roles export claude-code',
    });
  };
  if (!read) return refuse('it begins with no ---');
  const { description, model, tools, sylk } = read.head;
  const parsed = roleHead.safeParse(objectOf(sylk));
  if (!parsed.success) return refuse('its beginning has no `sylk` that can be read');
  const head = parsed.data;
  const kept = (typeof tools === 'string' ? tools.split(',') : []).map((tool) => tool.trim());
  const isKept = (tool: string) =>
    typeof tools !== 'string' ||
    ownOnly.includes(tool) ||
    namesOf(tool, served).some((name) => kept.includes(name));
  return {
    ...head,
    does: typeof description === 'string' ? description : head.does,
    model: model === clientModels.fast ? 'fast' : model === clientModels.strong ? 'strong' : head.model,
    tools: {
      ...head.tools,
      core: head.tools.core.filter(isKept),
      contextual: Object.fromEntries(Object.entries(head.tools.contextual).filter(([tool]) => isKept(tool))),
    },
    prompt: read.prompt,
  };
}

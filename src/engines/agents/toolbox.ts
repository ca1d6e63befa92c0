import type { Conversation } from './conversation.ts';
import type { Brief, WorkTool } from './worker.ts';

export interface Toolbox {
  find(name: string): WorkTool | undefined;
  names(): string[];
  /** Tools for the next question: the core, and what the context calls for. */
  select(conversation: Conversation, brief: Brief): WorkTool[];
}

export function createToolbox(tools: WorkTool[]): Toolbox {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return {
    find: (name) => byName.get(name),
    names: () => [...byName.keys()],
    select: () => tools.filter(({ tier }) => tier === 'core'),
  };
}

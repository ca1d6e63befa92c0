import { loadTokenCounter } from '../../base/tokens.ts';
import type { Conversation } from './conversation.ts';
import type { Brief, WorkTool } from './worker.ts';

/** Tokens that contextual and requested tools may take together; the core is always there. */
const mostContextual = 800;
/** Texts whose words count: older ones are another context. */
const recentTexts = 3;

export interface Toolbox {
  find(name: string): WorkTool | undefined;
  names(): string[];
  /** Tools for the next question: the core, and what the last words, the part of the work or a request call for. */
  select(conversation: Conversation, brief: Brief): WorkTool[];
  /** Tokens that a model pays for the description of some tools. */
  tokens(tools: WorkTool[]): number;
}

/** Tools in three tiers. What is not called for any more is left out again, which is how it is unloaded. */
export async function createToolbox(tools: WorkTool[]): Promise<Toolbox> {
  const count = await loadTokenCounter();
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const sizes = new Map<string, number>();
  const sizeOf = ({ name, description, inputSchema }: WorkTool): number => {
    const size = sizes.get(name) ?? count(JSON.stringify({ name, description, inputSchema }));
    sizes.set(name, size);
    return size;
  };
  const withinBudget = (wanted: WorkTool[]): WorkTool[] => {
    let used = 0;
    return wanted.filter((tool) => {
      used += sizeOf(tool);
      return used <= mostContextual;
    });
  };
  return {
    find: (name) => byName.get(name),
    names: () => [...byName.keys()],
    tokens: (chosen) => chosen.reduce((sum, tool) => sum + sizeOf(tool), 0),
    select: (conversation, brief) => {
      const text = recentText(conversation);
      const phase = brief.feedback.length > 0 ? 'feedback' : 'work';
      const asked = new Set([...conversation.requested, ...(brief.tools ?? [])]);
      const isCalledFor = ({ name, tier, words = [], phases = [] }: WorkTool) =>
        asked.has(name) ||
        (tier === 'contextual' && (phases.includes(phase) || hasWord(text, [...words, name])));
      const more = tools.filter((tool) => tool.tier !== 'core' && isCalledFor(tool));
      const requestedFirst = more.toSorted((a, b) => Number(asked.has(b.name)) - Number(asked.has(a.name)));
      return [...tools.filter(({ tier }) => tier === 'core'), ...withinBudget(requestedFirst)];
    },
  };
}

/** What persons, judges and the model itself said last; results of tools are others' words. */
function recentText({ messages }: Conversation): string {
  return messages
    .flatMap((message) => (message.role === 'tool' ? [] : [message.text]))
    .slice(-recentTexts)
    .join('\n')
    .toLowerCase();
}

const hasWord = (text: string, words: string[]): boolean =>
  words.some((word) => {
    const at = text.indexOf(word);
    return at >= 0 && !/\w/.test(text[at - 1] ?? '') && !/\w/.test(text[at + word.length] ?? '');
  });

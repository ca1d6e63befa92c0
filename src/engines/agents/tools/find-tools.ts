import { z } from 'zod';
import type { WorkTool } from '../worker.ts';
import { defineTool } from './tool.ts';

const mostFound = 6;

/** How a model gets at tools that it is not shown: those that it finds are shown from then on. */
export const findTools = (tools: WorkTool[]): WorkTool =>
  defineTool({
    name: 'find_tools',
    description: 'Finds more tools by words: history, callers, decisions, skills, references.',
    tier: 'core',
    effect: 'read',
    input: z.object({ query: z.string().min(1) }),
    run: async ({ query }) => {
      const words = query.toLowerCase().match(/\w{3,}/g) ?? [];
      const ranked = tools
        .map((tool) => ({ tool, score: scoreOf(tool, words) }))
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score)
        .slice(0, mostFound);
      const lines = ranked.map(({ tool: { name, description } }) => `${name}: ${description}`);
      return { text: lines.join('\n') || 'No tool matches these words.' };
    },
  });

const scoreOf = ({ name, description }: WorkTool, words: string[]): number =>
  words.reduce(
    (sum, word) => sum + (name.includes(word) ? 3 : 0) + (description.toLowerCase().includes(word) ? 1 : 0),
    0,
  );

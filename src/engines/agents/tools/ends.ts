import { z } from 'zod';
import type { WorkTool } from '../worker.ts';
import { defineTool } from './tool.ts';

/** Calls that end a leg. The loop reads them; as tools they only check their input. */
export const endTools: WorkTool[] = [
  defineTool({
    name: 'request_help',
    description: 'Asks the person or the architect a question that you need an answer to. Ends your turn.',
    tier: 'core',
    effect: 'end',
    input: z.object({ question: z.string().min(1), context: z.string().optional() }),
    run: async ({ question, context }) => ({ text: context ? `${question}\n\n${context}` : question }),
  }),
  defineTool({
    name: 'signal_complete',
    description: 'Says that the task is done: what you did, and which files you changed.',
    tier: 'core',
    effect: 'end',
    input: z.object({ result: z.string().min(1), files_modified: z.array(z.string()).optional() }),
    run: async ({ result }) => ({ text: result }),
  }),
];

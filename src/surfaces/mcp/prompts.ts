import { operationNames } from '../../operations/list.ts';

/** Slash commands of the client: each gathers what Sylk knows and asks the model to use it. */
interface PromptEntry {
  name: string;
  description: string;
  arguments: Array<{ name: string; description: string; required: boolean }>;
  operation: string;
  input(given: Record<string, string>): Record<string, unknown>;
  ask(given: Record<string, string>): string;
}

const entries: PromptEntry[] = [
  {
    name: 'brief',
    description: 'Where the work stands',
    arguments: [],
    operation: 'get_briefing',
    input: () => ({}),
    ask: () => 'Summarise where the work stands and what to do next, from this briefing:',
  },
  {
    name: 'why',
    description: 'Why a file is as it is',
    arguments: [{ name: 'path', description: 'path of the file', required: true }],
    operation: 'get_provenance',
    input: ({ path }) => ({ path }),
    ask: ({ path }) => `Explain why ${path} is as it is, from its commits:`,
  },
  {
    name: 'remember',
    description: 'Keep a decision, a failure or a discovery',
    arguments: [{ name: 'text', description: 'what to remember', required: true }],
    operation: 'get_status',
    input: () => ({}),
    ask: ({ text }) =>
      `Use the store_entry tool to remember this, with the right category and the files it is about:\n${text}`,
  },
  {
    name: 'next',
    description: 'The next task to work on',
    arguments: [],
    operation: 'get_next_task',
    input: () => ({}),
    ask: () => 'Take this task: read its context first, then propose the first step:',
  },
];

export const prompts = (): PromptEntry[] =>
  entries.filter((entry) => operationNames().includes(entry.operation));

import { operationNames } from '../../operations/list.ts';

/** Slash commands of the client: each collects what Sylk has and asks the model to use it. */
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
    description: 'State of the work',
    arguments: [],
    operation: 'get_briefing',
    input: () => ({}),
    ask: () => 'Summarize the state of the work and what to do next, from this briefing:',
  },
  {
    name: 'why',
    description: 'History of a file',
    arguments: [{ name: 'path', description: 'path of the file', required: true }],
    operation: 'get_provenance',
    input: ({ path }) => ({ path }),
    ask: ({ path }) => `Explain the history of ${path} and the reasons behind it, from its commits:`,
  },
  {
    name: 'remember',
    description: 'Remember a decision, a failure or a discovery',
    arguments: [{ name: 'text', description: 'what to remember', required: true }],
    operation: 'get_status',
    input: () => ({}),
    ask: ({ text }) =>
      `Use the remember tool to remember this, with the right category and the files it is about:\n${text}`,
  },
  {
    name: 'next',
    description: 'The next task to work on',
    arguments: [],
    operation: 'get_next_task',
    input: () => ({}),
    ask: () => 'Work on this task: read its context first, then propose the first step:',
  },
];

export const prompts = (): PromptEntry[] =>
  entries.filter((entry) => operationNames().includes(entry.operation));

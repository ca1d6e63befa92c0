import type { Model, ModelRequest } from '../../base/model/index.ts';
import type { RecordedStep, Step } from '../../stores/transcripts/index.ts';
import { addStep, type Conversation, foldSteps } from './conversation.ts';
import type { HookTable } from './hooks.ts';
import type { Toolbox } from './toolbox.ts';
import type { Brief, WorkContext } from './worker.ts';

/** One leg of our own loop under way. */
export interface Loop {
  brief: Brief;
  context: WorkContext;
  conversation: Conversation;
  model: Model;
  hooks: HookTable;
  toolbox: Toolbox;
  /** Changed files between two checkpoints. */
  checkpointEvery: number;
  mostCalls: number;
  /** What the provider counted with its last answer in this process. */
  counted?: ModelRequest['counted'];
  /** Everything that this node was told, said and did, whoever worked on it. */
  steps: RecordedStep[];
  /** Writes a document of the agent into the memory of its session. */
  store?: ((brief: Brief, category: string, text: string) => Promise<void>) | undefined;
  record(...steps: Step[]): Promise<void>;
}

export function startLoop(parts: Omit<Loop, 'conversation' | 'record' | 'steps'>): Loop {
  const conversation = foldSteps(parts.context.past);
  const all = [...parts.context.past];
  // Notes of hooks come from the side: each step is written after the one before it.
  let last: Promise<void> = Promise.resolve();
  return {
    ...parts,
    conversation,
    steps: all,
    record: (...steps) => {
      const written = last.then(async () => {
        for (const step of await parts.context.onStep(...steps)) {
          all.push(step);
          addStep(conversation, step);
        }
      });
      last = written.catch(() => undefined);
      return written;
    },
  };
}

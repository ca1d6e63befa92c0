import type { Model } from '../../base/model/index.ts';
import type { Step } from '../../stores/transcripts/index.ts';
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
  record(...steps: Step[]): Promise<void>;
}

export function startLoop(parts: Omit<Loop, 'conversation' | 'record'>): Loop {
  const conversation = foldSteps(parts.context.past);
  return {
    ...parts,
    conversation,
    record: async (...steps) => {
      for (const step of await parts.context.onStep(...steps)) addStep(conversation, step);
    },
  };
}

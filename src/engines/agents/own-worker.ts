import type { Model } from '../../base/model/index.ts';
import { designGate, type TokenOf } from './design-gate.ts';
import { equip } from './equip.ts';
import { type HookTable, hooksOf, joinHooks } from './hooks.ts';
import { hasReadEnough, openConversation, takeStep } from './loop.ts';
import { type Loop, startLoop } from './loop-state.ts';
import { createToolbox } from './toolbox.ts';
import { commandTool, type RunLine } from './tools/command.ts';
import { endTools } from './tools/ends.ts';
import { fileTools } from './tools/files.ts';
import { findTools } from './tools/find-tools.ts';
import { recallSteps } from './tools/recall-steps.ts';
import { type Renderer, renderTools } from './tools/render.ts';
import type { Worker } from './worker.ts';

export interface OwnWorkerOptions {
  model: Model;
  hooks: HookTable;
  runLine: RunLine;
  /** Writes a document of the agent into the memory of its session. */
  store?: Loop['store'];
  /** What confines commands, in words. */
  sandbox: string;
  isConfined: boolean;
  checkpointEvery?: number | undefined;
  /** Looks at what people see, and knows the tokens of the project. */
  design?: { renderer: Renderer; tokenOf: TokenOf } | undefined;
  /** Calls of one leg, after which the person is asked. */
  mostCalls?: number | undefined;
}

/** Our own loop over a model. */
export function createOwnWorker(options: OwnWorkerOptions): Worker {
  const { model, hooks, runLine, sandbox, checkpointEvery = 5, mostCalls = 200 } = options;
  const { design } = options;
  const own = [
    ...fileTools,
    commandTool(runLine),
    ...endTools,
    ...(design ? renderTools(design.renderer) : []),
  ];
  return {
    name: 'own',
    model: model.id,
    isConfined: async () => options.isConfined,
    work: async (brief, context) => {
      const { role } = context;
      const recall = recallSteps(() => loop.steps);
      const tools = [recall, ...equip(role, [...own, findTools(context.tools), ...context.tools])];
      const toolbox = await createToolbox(tools);
      const skillLoading: HookTable['pre_prompt'][number] = {
        name: 'skill_loading',
        priority: 'early',
        run: async (data) => ({
          ...data,
          // Nobody pays for a way back to what is still in sight.
          tools: toolbox
            .select(loop.conversation, brief)
            .filter((tool) => tool !== recall || loop.conversation.hasForgotten)
            .filter(({ effect }) => effect === 'end' || !hasReadEnough(loop)),
        }),
      };
      const gates = design ? [designGate(() => loop, design.renderer, design.tokenOf)] : [];
      const all = hooksOf(role, joinHooks({ pre_prompt: [skillLoading], pre_tool: gates }, hooks));
      const loop = startLoop({
        brief,
        context,
        model,
        hooks: all,
        toolbox,
        checkpointEvery,
        mostCalls,
        store: options.store,
      });
      await openConversation(loop, {
        kind: 'begun',
        leg: brief.leg,
        epoch: context.epoch,
        worker: 'own',
        model: model.id,
        sandbox,
      });
      for (;;) {
        const ending = await takeStep(loop);
        if (ending) return ending;
      }
    },
  };
}

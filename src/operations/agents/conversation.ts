import { z } from 'zod';
import { operation } from '../operation.ts';

const text = z.string().max(200_000);

/** Under the node `editor` of a session: what was told and said there, so that an editor can show it again. */
export const keepConversation = operation({
  name: 'keep_conversation',
  summary: 'Keeps one prompt and its answer in the conversation of a session; `get_transcript` reads them.',
  effect: 'write',
  input: z.object({ session: z.string().min(1).max(100), told: text, said: text }),
  output: z.object({ steps: z.number() }),
  examples: [{ session: 'ses_example', told: 'where do users log in?', said: 'In src/auth.' }],
  run: async ({ session, told, said }, { app }) => {
    const transcripts = await app.transcripts();
    const name = { run: session, node: 'editor' };
    const last = (await transcripts.steps(name)).at(-1)?.number ?? 0;
    const steps = await transcripts.append(name, last, [
      { kind: 'told', from: 'person', text: told },
      { kind: 'said', text: said, calls: [], finish: 'stop' },
    ]);
    return { steps: last + steps.length };
  },
});

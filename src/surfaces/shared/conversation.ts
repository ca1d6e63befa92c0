import { z } from 'zod';

const transcript = z.object({
  steps: z.array(z.object({ kind: z.string(), text: z.string() })),
  next_cursor: z.string().optional(),
});

/** What was told and said in a session before, oldest first, as `keep_conversation` has kept it. */
export async function* earlierSteps(
  read: (operation: string, input: object) => Promise<unknown>,
  session: string,
): AsyncGenerator<{ kind: string; text: string }> {
  let cursor: string | undefined;
  do {
    const page = transcript.parse(
      await read('get_transcript', { run: session, node: 'editor', cursor, max_tokens: 8000 }),
    );
    yield* page.steps;
    cursor = page.next_cursor;
  } while (cursor !== undefined);
}

// owns: what an agent was told, said and called, step by step; append-only
// knows: the library
// must not know: what a step means for the work, who pays for it
import type { Kysely } from 'kysely';
import { inBatches } from '../../base/batches.ts';
import type { Clock } from '../../base/clock.ts';
import { SylkError } from '../../base/errors.ts';
import type { Library } from '../../base/library/index.ts';
import { redactValue } from '../../base/redact.ts';
import type { RecordedStep, Step } from './step.ts';
import { type TranscriptTables, transcriptMigrations } from './tables.ts';

export { type Spending, spendingOf } from './spending.ts';
export type { RecordedStep, Step, StepCall } from './step.ts';

/** The conversation of one node of a run. */
export interface TranscriptName {
  run: string;
  node: string;
}

export function openTranscripts({ library, clock }: { library: Library; clock: Clock }) {
  library.migrate(transcriptMigrations);
  const db = () => library.tables<TranscriptTables>();
  const writeAll = (batch: Row[][]) =>
    library.write(async () => {
      const areNew: boolean[] = [];
      for (const rows of batch) areNew.push(await insertNew(db(), rows));
      return areNew;
    });
  // A thousand agents write at once: each step for itself would have the disk wait a thousand times.
  const writeWithOthers = inBatches(writeAll);

  return {
    /**
     * Adds steps behind number `after`, without secrets, and answers them as they are stored. Fails with CONFLICT where
     * another process has written there: whoever gets that works on something that is not its own any more.
     */
    async append({ run, node }: TranscriptName, after: number, steps: Step[]): Promise<RecordedStep[]> {
      const at = clock.now();
      const recorded = steps.map((step, place) => ({
        ...withoutSecrets(step),
        number: after + place + 1,
        at,
      }));
      const rows = recorded.map(({ number, at: time, kind, ...body }) => ({
        run_id: run,
        node,
        number,
        kind,
        at: time,
        body: JSON.stringify(body),
      }));
      const isNew = library.inWrite() ? (await writeAll([rows]))[0] : await writeWithOthers(rows);
      if (!isNew)
        throw new SylkError('CONFLICT', `Another process writes the transcript of ${node} in ${run}.`, {
          hint: `\`sylk run show ${run}\` tells how far it is.`,
        });
      return recorded;
    },

    /** In order. `after` leaves out what was read before. */
    async steps({ run, node }: TranscriptName, after = 0): Promise<RecordedStep[]> {
      const rows = await db()
        .selectFrom('transcript_steps')
        .select(['number', 'kind', 'at', 'body'])
        .where('run_id', '=', run)
        .where('node', '=', node)
        .where('number', '>', after)
        .orderBy('number')
        .execute();
      return rows.map(({ number, kind, at, body }) => ({
        ...JSON.parse(body),
        kind,
        number: Number(number),
        at: Number(at),
      }));
    },

    async nodes(run: string): Promise<Array<{ node: string; steps: number }>> {
      const rows = await db()
        .selectFrom('transcript_steps')
        .select(['node', ({ fn }) => fn.max('number').as('steps')])
        .where('run_id', '=', run)
        .groupBy('node')
        .orderBy('node')
        .execute();
      return rows.map(({ node, steps }) => ({ node, steps: Number(steps) }));
    },
  };
}

export type Transcripts = ReturnType<typeof openTranscripts>;

type Row = TranscriptTables['transcript_steps'];

/** All of the rows, or none where one of them is there. */
async function insertNew(db: Kysely<TranscriptTables>, rows: Row[]): Promise<boolean> {
  const inserted = await db
    .insertInto('transcript_steps')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning(['run_id', 'node', 'number'])
    .execute();
  if (inserted.length === rows.length) return true;
  for (const { run_id, node, number } of inserted)
    await db
      .deleteFrom('transcript_steps')
      .where('run_id', '=', run_id)
      .where('node', '=', node)
      .where('number', '=', number)
      .execute();
  return false;
}

/** What only its provider understands is signed: with a secret cut out of it, it would be refused, so it goes whole. */
function withoutSecrets(step: Step): Step {
  if (step.kind !== 'said' || !step.native) return redactValue(step);
  const native = redactValue(step.native);
  const isClean = JSON.stringify(native) === JSON.stringify(step.native);
  return { ...redactValue({ ...step, native: undefined }), native: isClean ? native : undefined };
}

import { z } from 'zod';
import type { App } from '../app.ts';
import { isoTime } from '../base/clock.ts';
import type { ErrorReport } from '../base/errors.ts';
import { authorName } from './author-name.ts';
import { type Operation, type OperationContext, operation } from './operation.ts';

/** Version of the reply format of work and areas. */
const shapeVersion = '1.0';

const envelope = <Data extends z.ZodType>(data: Data) =>
  z.object({
    success: z.boolean(),
    message: z.string(),
    data: data.optional(),
    error: z
      .object({
        code: z.string(),
        message: z.string(),
        hint: z.string().optional(),
        data: z.record(z.string(), z.unknown()).optional(),
      })
      .optional(),
    metadata: z.object({ timestamp: z.string(), version: z.string(), replayed: z.boolean().optional() }),
  });

interface Reply<Data> {
  message: string;
  data: Data;
}

/** The author, as stores record it. */
export interface Writer {
  actor: string;
  person: boolean;
}

type Definition<Input extends z.ZodObject, Data extends z.ZodType> = Pick<
  Operation<Input>,
  'name' | 'summary' | 'destructive' | 'idempotent' | 'input' | 'command'
> & {
  effect: 'read' | 'write';
  examples: Array<z.input<Input> & { actor?: string; idempotency_key?: string }>;
  /** False where a write spans several transactions or none; it then accepts no idempotency key. */
  keyed?: false;
  data: Data;
  /** Terminal text for the data of a successful reply. */
  text?(data: z.output<Data>): string;
  /** True when a part failed: the command prints its answer and exits with 1. */
  isFailure?(data: z.output<Data>): boolean;
  /** Receives its inputs in the stores' spelling: `project_id` as `projectId`. */
  run(
    input: CamelCased<z.output<Input>>,
    context: OperationContext,
    by: Writer,
  ): Promise<Reply<z.input<Data>>>;
};

type CamelCase<Name> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;
type CamelCased<Input> = { [Name in keyof Input as CamelCase<Name>]: Input[Name] };

const camelCased = (input: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );

const actor = z.string().trim().min(1).max(200).optional().describe('the author, if not the client itself');
const writing = {
  actor,
  idempotency_key: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('repeating the same key and input changes nothing'),
};

/** Operations of work and areas reply with `{ success, message, data, error, metadata }` on every surface. */
export const envelopeOperation = <Input extends z.ZodObject, Data extends z.ZodType>(
  definition: Definition<Input, Data>,
) => {
  const { data, text, isFailure, run, effect, keyed, input, ...rest } = definition;
  const output = envelope(data);
  return operation({
    ...rest,
    effect,
    input: effect === 'read' ? input : input.extend(keyed === false ? { actor } : writing),
    output,
    examples: definition.examples as Array<Record<string, unknown>>,
    render: (reply: z.output<typeof output>) =>
      reply.success && text && reply.data !== undefined ? text(reply.data as z.output<Data>) : reply.message,
    isFailure: (reply: z.output<typeof output>) =>
      isFailure !== undefined && reply.data !== undefined && isFailure(reply.data as z.output<Data>),
    failure: (error: ErrorReport, { app }: { app: App }) => ({
      success: false,
      message: error.message,
      error,
      metadata: metadata(app),
    }),
    run: async (given, context) => {
      const { actor, idempotencyKey, ...asked } = camelCased(given);
      const by = {
        actor: authorName(context, actor === undefined ? undefined : String(actor)),
        person: context.caller.kind === 'person',
      };
      const work = () => run(asked as CamelCased<z.output<Input>>, context, by);
      const { reply, replayed } =
        typeof idempotencyKey === 'string'
          ? await (await context.app.library()).writeOnce(
              {
                key: idempotencyKey,
                question: { name: definition.name, asked },
                now: context.app.clock.now(),
              },
              work,
            )
          : { reply: await work(), replayed: false };
      return {
        success: true,
        message: reply.message,
        data: reply.data,
        metadata: { ...metadata(context.app), replayed: replayed || undefined },
      } as z.input<typeof output>;
    },
  });
};

const metadata = (app: App) => ({ timestamp: isoTime(app.clock.now()), version: shapeVersion });

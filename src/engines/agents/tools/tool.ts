import { z } from 'zod';
import { SylkError } from '../../../base/errors.ts';
import type { ToolAnswer, ToolContext, WorkTool } from '../worker.ts';

interface ToolDefinition<Input extends z.ZodObject> extends Omit<WorkTool, 'inputSchema' | 'run'> {
  input: Input;
  /** Other names of inputs. */
  spellings?: Record<string, string>;
  run(input: z.output<Input>, context: ToolContext): Promise<ToolAnswer>;
}

/** A tool whose input is checked before it runs; what is wrong goes back to the model. */
export function defineTool<Input extends z.ZodObject>({
  input,
  spellings = {},
  run,
  ...tool
}: ToolDefinition<Input>): WorkTool {
  return {
    ...tool,
    inputSchema: schemaOf(input),
    run: async (given, context) => {
      const renamed = Object.fromEntries(
        Object.entries(given).map(([name, value]) => [spellings[name] ?? name, value]),
      );
      const parsed = input.safeParse(renamed);
      if (parsed.success) return run(parsed.data, context);
      throw new SylkError('VALIDATION_ERROR', `${tool.name}: ${problemsOf(parsed.error)}`, {
        hint: `Inputs: ${Object.keys(input.shape).join(', ')}.`,
      });
    },
  };
}

const problemsOf = ({ issues }: z.ZodError): string =>
  issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': ')).join('; ');

/** JSON Schema without what costs tokens and tells a model nothing. */
export function schemaOf(input: z.ZodObject): Record<string, unknown> {
  const {
    $schema: _,
    additionalProperties: _extra,
    ...schema
  } = z.toJSONSchema(input, {
    io: 'input',
    unrepresentable: 'any',
  });
  return JSON.parse(
    JSON.stringify(schema, (key, value) =>
      key === 'maximum' && value === Number.MAX_SAFE_INTEGER ? undefined : value,
    ),
  );
}

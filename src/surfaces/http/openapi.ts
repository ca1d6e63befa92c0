import { z } from 'zod';
import { errorTable } from '../../base/errors.ts';
import { allOperations } from '../../operations/list.ts';
import { version } from '../../version.ts';

/** The document that typed clients are generated from: one path per operation. */
export async function openApiDocument(): Promise<unknown> {
  const paths: Record<string, unknown> = {};
  for (const operation of await allOperations()) {
    const body = z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' });
    const reply = z.toJSONSchema(operation.output, { io: 'output', unrepresentable: 'any' });
    paths[`/api/${operation.name}`] = {
      post: {
        operationId: operation.name,
        summary: operation.summary,
        tags: [operation.toolset],
        'x-effect': operation.effect,
        requestBody: {
          content: { 'application/json': { schema: body, example: operation.examples[0] ?? {} } },
        },
        responses: {
          200: { description: 'done', content: { 'application/json': { schema: reply } } },
          default: {
            description: 'failed',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
          },
        },
      },
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sylk',
      version,
      description:
        'Every operation of Sylk. A reply is the output of the operation; a failure is an error with a code and a hint.',
    },
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: {
        Failure: {
          type: 'object',
          required: ['error'],
          properties: {
            error: {
              type: 'object',
              required: ['code', 'message'],
              properties: {
                code: { enum: Object.keys(errorTable) },
                message: { type: 'string' },
                hint: { type: 'string' },
                data: { type: 'object' },
              },
            },
          },
        },
      },
    },
  };
}

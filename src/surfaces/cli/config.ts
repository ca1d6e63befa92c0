import { join } from 'node:path';
import { z } from 'zod';
import { SylkError } from '../../base/errors.ts';
import { jsonText, showName } from '../../base/terminal-text.ts';
import { sections } from '../../config.ts';
import type { CommandRun } from './command.ts';
import { appFor } from './run-command.ts';

export const run: CommandRun = async ([verb = 'show', ...rest], flags, io) => {
  if (verb === 'schema') {
    io.out(`${JSON.stringify(configSchema(), null, 2)}\n`);
    return 0;
  }
  const app = appFor(flags, io);
  try {
    if (verb === 'path') {
      const paths = {
        user: join(app.user.config, 'config.yaml'),
        project: join(app.repository.sharedDirectory, 'config.yaml'),
      };
      io.out(flags.json ? `${jsonText(paths)}\n` : `user     ${paths.user}\nproject  ${paths.project}\n`);
      return 0;
    }
    if (verb !== 'show')
      throw new SylkError('VALIDATION_ERROR', `Unknown subcommand: config ${verb}.`, {
        hint: 'Usage: sylk config show [--origin] | schema | path',
      });
    const { origins, warnings } = app.loadedConfig;
    if (flags.json) io.out(`${jsonText({ values: origins, warnings })}\n`);
    else
      for (const { key, value, from } of origins)
        io.out(`${key} = ${jsonText(value)}${rest.includes('--origin') ? `   # ${from}` : ''}\n`);
    for (const warning of warnings) io.err(`warning: ${showName(warning)}\n`);
    return 0;
  } finally {
    await app.close();
  }
};

/** JSON Schema of config.yaml, for editors. */
export function configSchema(): unknown {
  const properties = Object.fromEntries(
    Object.values(sections).map((section) => [
      section.name,
      {
        type: 'object',
        additionalProperties: false,
        properties: Object.fromEntries(
          Object.entries(section.keys).map(([key, declared]) => {
            const { $schema: _, ...schema } = z.toJSONSchema(declared.schema, {
              io: 'input',
              unrepresentable: 'any',
            }) as Record<string, unknown>;
            return [key, { ...schema, description: `${declared.about} (${declared.class})` }];
          }),
        ),
      },
    ]),
  );
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Sylk config.yaml',
    type: 'object',
    additionalProperties: false,
    properties,
  };
}

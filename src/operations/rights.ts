import { basename } from 'node:path';
import type { App } from '../app.ts';
import { SylkError } from '../base/errors.ts';
import { type Access, type Right, reaches } from '../stores/people/index.ts';
import table from './least-rights.json' with { type: 'json' };
import type { AnyDefinition } from './operation.ts';

type Asked = Pick<AnyDefinition, 'name' | 'effect'>;

const byName = new Map(Object.entries(table.operations as Record<string, Right>));

/** The least right that an operation needs: by its effect, and by its name where that says too little. */
export const leastRight = ({ name, effect }: Asked): Right =>
  byName.get(name) ?? (table.effects as Record<string, Right>)[effect] ?? 'admin';

/** The name by which rights name a repository of the team. */
export const repositoryName = ({ config, repository }: Pick<App, 'config' | 'repository'>): string =>
  config.team.repository || basename(repository.mainRoot);

/** A repository that is closed to the caller is answered as one that is not there. */
export const notServed = (repository: string, open: string[]): SylkError =>
  new SylkError('NOT_FOUND', `Repository ${JSON.stringify(repository)} is not served here.`, {
    hint:
      open.length > 0 ? `Served: ${open.join(', ')}` : 'Ask an admin of the team for the right to read it.',
  });

export function requireRight(operation: Asked, access: Access, repository: string): void {
  const right = access.rightIn(repository);
  if (right === undefined) throw notServed(repository, []);
  const needs = leastRight(operation);
  if (!reaches(right, needs))
    throw new SylkError(
      'DENIED',
      `${operation.name} needs the right ${needs}, and ${access.name} has ${right}.`,
      {
        hint: `An admin of the team can give it: sylk people allow ${JSON.stringify(access.name)} ${needs}`,
      },
    );
  const { operations } = access.token ?? {};
  if (operations && !operations.includes(operation.name))
    throw new SylkError('DENIED', `This token is not for ${operation.name}.`, {
      hint: `It allows: ${operations.join(', ')}`,
    });
}

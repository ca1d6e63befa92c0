import { z } from 'zod';
import type { App } from '../app.ts';
import { SylkError } from '../base/errors.ts';
import { parseUuid } from '../base/ids.ts';
import { looseBoolean, looseList } from '../base/loose-input.ts';
import { type ContainerKind, containerKinds, priorities, type Work } from '../stores/work/index.ts';
import { missingInput } from './resolve.ts';

/** A UUID with or without dashes. */
export const uuid = z.string().transform((text) => parseUuid(text));
/** A UUID; people may also give its first digits or the exact name. */
export const looseId = z.string().trim().min(1).max(255);
export const whole = z.coerce.number().int();
export const flag = (usual: boolean) => looseBoolean.optional().default(usual);
export const words = looseList(z.string());
export const uuids = looseList(uuid);

/** Uppercase and lowercase letters are equal. */
const anyCase = <const Values extends readonly [string, ...string[]]>(
  values: Values,
  change: 'toUpperCase' | 'toLowerCase',
) => z.preprocess((given) => (typeof given === 'string' ? given.trim()[change]() : given), z.enum(values));

export const priority = anyCase(priorities, 'toUpperCase');
export const containerType = anyCase(containerKinds, 'toLowerCase');
export const stagedType = anyCase(['feature', 'task'], 'toLowerCase');

export const listWindow = {
  limit: whole.min(1).max(500).optional().default(20),
  offset: whole.min(0).optional().default(0),
};

/** The full id for an id, its first digits, or a name. */
export async function containerId(work: Work, given: string, kind?: ContainerKind): Promise<string> {
  if (/^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i.test(given)) return parseUuid(given);
  const id = await work.resolveContainer(given, kind);
  if (id) return id;
  throw new SylkError('NOT_FOUND', `Unknown ${kind ?? 'container'} ${JSON.stringify(given)}.`, {
    hint: 'Give its id, at least its first four digits, or its exact name. Run `sylk work list` to see what exists.',
  });
}

export const optionalId = async (work: Work, given: string | undefined, kind: ContainerKind) =>
  given === undefined ? undefined : containerId(work, given, kind);

/** The project and the feature that a call names, by their full ids. */
export const optionalIds = async (
  work: Work,
  given: { projectId?: string | undefined; featureId?: string | undefined },
) => ({
  projectId: await optionalId(work, given.projectId, 'project'),
  featureId: await optionalId(work, given.featureId, 'feature'),
});

/** The project of a call: the one it names, or the only one. */
export const projectOf = async (app: App, given: string | undefined): Promise<string> =>
  (await app.workAreas()).projectOrDefault(await optionalId(await app.work(), given, 'project'));

export function required<T>(value: T | undefined, input: string): T {
  if (value !== undefined) return value;
  throw missingInput(input);
}

import { SylkError } from '../../base/errors.ts';
import type { AreaKind, Areas } from '../../stores/areas/index.ts';

/** The area by its id, at least four digits of it, or its exact name. */
export async function findArea(
  areas: Areas,
  given: string,
  kind?: AreaKind,
): Promise<{ kind: AreaKind; id: string }> {
  const digits = given.toLowerCase().replaceAll('-', '');
  const isPrefix = /^[0-9a-f]{4,32}$/.test(digits);
  const found = (await areas.allTexts()).flatMap(({ ref, title }) => {
    const [each, id] = ref.split(':') as [AreaKind, string];
    const fits = title === given || (isPrefix && id.replaceAll('-', '').startsWith(digits));
    return fits && (kind === undefined || kind === each) ? [{ kind: each, id, title }] : [];
  });
  const [one, ...more] = found;
  if (!one)
    throw new SylkError('NOT_FOUND', `Unknown ${kind ?? 'area'} ${JSON.stringify(given.slice(0, 100))}.`, {
      hint: 'Give its id, at least its first four digits, or its exact name. Run `sylk areas list` to see the areas.',
    });
  if (more.length > 0)
    throw new SylkError('VALIDATION_ERROR', `${JSON.stringify(given)} matches more than one area.`, {
      hint: `Give more digits: ${found
        .slice(0, 5)
        .map(({ id, title }) => `${id} (${title})`)
        .join(', ')}.`,
    });
  return { kind: one.kind, id: one.id };
}

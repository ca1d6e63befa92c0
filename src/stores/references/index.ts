// Owns: reference topics on disk (topic.md and fetched files are the truth) and the index derived from them.
// Knows: base only; permission to fetch comes as an argument.
// Must not know: approvals, other stores, who asks.
import type { References, ReferencesOptions } from './open.ts';

export type { References } from './open.ts';
export type { TopicSummary } from './query.ts';
export type { FileHit } from './search.ts';
export { referencesSection } from './settings.ts';
export { sourceName, sourceSchema, staleSince, topicKinds } from './topic.ts';
export { otherVersions, versionWarnings } from './version-warnings.ts';

/** Everything behind this is loaded on first use: a command without references does not pay for them. */
export async function openReferences(options: ReferencesOptions): Promise<References> {
  const { open } = await import('./open.ts');
  return open(options);
}

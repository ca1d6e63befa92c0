import { createHash } from 'node:crypto';
import { byId, matchesFilter } from '../collections.ts';
import { lastSegment, requireSkillId, skillNotFound } from '../ids.ts';
import { type SkillDescriptor, type SkillDocument, type SkillSource, skillDescriptor } from '../skill.ts';

/** A document as code writes it: fields with defaults may be omitted. */
export interface GivenSkill {
  descriptor: Pick<SkillDescriptor, 'id' | 'description'> & Partial<SkillDescriptor>;
  body: string;
  extensions?: Record<string, unknown>;
}

/** Skills held by a program: for tests, and for products that embed this one. */
export function memorySource(skills: GivenSkill[]): SkillSource {
  const documents = new Map<string, SkillDocument>();
  for (const { descriptor, body, extensions = {} } of skills) {
    const id = requireSkillId(descriptor.id);
    const name = descriptor.name ?? lastSegment(id);
    documents.set(id, {
      descriptor: skillDescriptor.parse({ scope: 'builtin', ...descriptor, name }),
      body,
      extensions,
    });
  }
  return {
    list: async (filter) =>
      [...documents.values()]
        .map((document) => document.descriptor)
        .filter((skill) => matchesFilter(skill, filter))
        .sort(byId),
    load: async (id) => {
      const document = documents.get(id);
      if (!document) throw skillNotFound(id);
      return document;
    },
    origin: () => ({ kind: 'memory', location: 'memory', remote: false }),
  };
}

/** Digest of everything a skill consists of, by its plain id; a loaded document is not loaded again. */
export const digestIn = async (source: SkillSource, id: string, document?: SkillDocument): Promise<string> =>
  source.digest ? source.digest(id) : documentDigest(document ?? (await source.load(id)));

/** For sources without files: digest of everything a model would see. */
export function documentDigest({ descriptor, body, extensions }: SkillDocument): string {
  const { id, name, description, metadata } = descriptor;
  const text = JSON.stringify([id, name, description, Object.entries(metadata).sort(), extensions, body]);
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

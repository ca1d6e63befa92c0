import { type ContentItem, digestOf } from '../../base/content-item.ts';
import { SylkError } from '../../base/errors.ts';
import { automaticDescription, collectionsOf } from './collections.ts';
import { hiddenCharacters, htmlComments } from './hidden-text.ts';
import { plainId } from './ids.ts';
import type { Skills } from './open.ts';
import type { SkillOrigin, SkillSource } from './skill.ts';
import { type NamedSource, originOf } from './sources/composite.ts';
import { digestIn } from './sources/memory.ts';
import {
  descriptionQuestion,
  repositoryItem,
  type SkillQuestion,
  type SkillTrust,
  type SkillTrustState,
} from './trust.ts';

/** What a person decides about: the full text, its hidden characters, and its content when it was trusted. */
export interface SkillReview extends ContentItem {
  id: string;
  origin: SkillOrigin;
  state: SkillTrustState;
  notes: string[];
  before: string | undefined;
}

/** All skills and descriptions of collections of the repository, and the URLs it takes more from. */
export async function reviewRepository(
  skills: Skills,
): Promise<{ skills: SkillReview[]; sources: ContentItem[] }> {
  if (!(await skills.engine())) return { skills: [], sources: [] };
  const { source } = await skills.requireEngine();
  const trust = await skills.trust();
  const reviews: SkillReview[] = [];
  for (const named of source.sources)
    if (originOf(named.source).repository !== undefined) reviews.push(...(await reviewSource(trust, named)));
  return { skills: reviews, sources: skills.sourceItems() };
}

export interface SkillChoice {
  ids: string[];
  source?: string | undefined;
}

/** The skills that a person named, or all of one source. */
export async function reviewSkills(skills: Skills, { ids, source }: SkillChoice): Promise<SkillReview[]> {
  const engine = await skills.requireEngine();
  const trust = await skills.trust();
  const reviews: SkillReview[] = [];
  for (const id of new Set(ids)) reviews.push(await reviewSkill(trust, await engine.source.sourceOf(id), id));
  for (const named of engine.source.sources)
    if (named.name === source) reviews.push(...(await reviewSource(trust, named)));
  if (reviews.length > 0) return reviews;
  throw new SylkError('VALIDATION_ERROR', 'Missing skill ids or --source.', {
    hint: 'Give ids (see `sylk skills list`), or --source NAME (see `sylk skills sources`). Example: sylk skills trust repo:review',
  });
}

async function reviewSource(trust: SkillTrust, named: NamedSource): Promise<SkillReview[]> {
  const reviews: SkillReview[] = [];
  for (const { id } of await named.source.list()) {
    // One that cannot be read in full stays untrusted; the others can still be decided.
    const review = await reviewSkill(trust, named, id).catch(() => undefined);
    if (review) reviews.push(review);
  }
  for (const { path, description, count } of await collectionsOf(named.source)) {
    if (description === automaticDescription(count)) continue;
    const question = descriptionQuestion(named, path, description);
    const said = { text: description, notes: notesOn(question.id, description) };
    reviews.push(await reviewOf(trust, question, said));
  }
  return reviews;
}

async function reviewSkill(
  trust: SkillTrust,
  { name, source }: NamedSource,
  id: string,
): Promise<SkillReview> {
  const own = plainId(id);
  const digest = () => digestIn(source, own);
  const question = { id, origin: originOf(source), source_name: name, digest };
  return reviewOf(trust, question, await wholeText(source, own));
}

async function reviewOf(
  trust: SkillTrust,
  question: SkillQuestion,
  said: { text: string; notes: string[] },
): Promise<SkillReview> {
  const { id, origin } = question;
  const digest = await question.digest();
  const item = repositoryItem(id, origin) ?? `${origin.location} ${id}`;
  const before = (await trust.decided(id, origin))?.text;
  return { id, origin, state: await trust.state(question), item, digest, before, ...said };
}

/** Every file of a skill in sequence. A binary file is shown with its digest. */
async function wholeText(source: SkillSource, id: string): Promise<{ text: string; notes: string[] }> {
  const files: Array<[path: string, bytes: Uint8Array]> = [];
  const notes: string[] = [];
  for (const { path, bytes: size } of [
    { path: 'SKILL.md', bytes: 0 },
    ...((await source.resources?.(id)) ?? []),
  ]) {
    const bytes = await source.readResource?.(id, path).catch(() => undefined);
    if (bytes) files.push([path, bytes]);
    if (size > (bytes?.length ?? 0))
      notes.push(`${path}: ${bytes?.length ?? 0} of ${size} bytes are shown; agents get no more than that`);
  }
  if (files.length === 0) {
    const { descriptor, body } = await source.load(id);
    files.push(['SKILL.md', Buffer.from(`${descriptor.description}\n\n${body}`)]);
  }
  const parts = files.map(([path, bytes]) => {
    const text = Buffer.from(bytes).toString('utf8');
    const head = `--- ${path} (${bytes.length} bytes)`;
    if (text.includes('\0')) return `${head}, not text, ${digestOf(Buffer.from(bytes).toString('latin1'))}`;
    notes.push(...notesOn(path, text));
    return `${head}\n${text.trimEnd()}`;
  });
  return { text: parts.join('\n'), notes };
}

const notesOn = (file: string, text: string): string[] => [
  ...hiddenCharacters(text).map(
    ({ kind, line, count }) => `${file}:${line}: ${count} hidden ${kind}, the first on this line`,
  ),
  ...htmlComments(text).map(
    (line) => `${file}:${line}: an HTML comment, which models read but rendered pages hide`,
  ),
];

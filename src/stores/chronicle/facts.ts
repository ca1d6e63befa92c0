import { fileRef, refOf } from '../../base/ref.ts';
import table from './facts.json' with { type: 'json' };

export interface Fact {
  kind: string;
  subject: string;
  object: string;
  /** The source sentence. */
  sentence: string;
}

const rules = Object.entries(table).map(([kind, pattern]) => ({ kind, pattern: new RegExp(pattern, 'i') }));

/** Extracts structured statements from a text by rules. Nothing is inferred: each fact has its sentence. */
export function extractFacts(text: string): Fact[] {
  const facts: Fact[] = [];
  for (const sentence of sentences(text)) {
    const bare = sentence.replace(/[.!?]+$/, '').trim();
    for (const { kind, pattern } of rules) {
      const found = pattern.exec(bare)?.groups;
      if (!found) continue;
      facts.push({
        kind,
        subject: afterColon(found['subject'] ?? ''),
        object: (found['object'] ?? '').trim(),
        sentence,
      });
      break;
    }
    const reason = /\b(?:because|since|so that|in order to) (.{3,200}?)$/i.exec(bare)?.[1];
    if (reason)
      facts.push({
        kind: 'reason',
        subject: bare
          .slice(0, bare.length - reason.length)
          .replace(/\b(?:because|since|so that|in order to) $/i, '')
          .trim(),
        object: reason.trim(),
        sentence,
      });
  }
  return facts;
}

/** "Reviewed a.ts: the children are …" is about the children. */
const afterColon = (subject: string): string => subject.slice(subject.lastIndexOf(': ') + 1).trim();

const sentences = (text: string): string[] =>
  text
    .split(/(?<=[.!?])\s+|\n+/)
    .map((sentence) => sentence.replace(/^[-*\d.)\s]+/, '').trim())
    .filter((sentence) => sentence.length > 4 && sentence.length < 400);

/** Refs that a text names: paths with an extension, commits, and entries. */
export function extractRefs(text: string): string[] {
  const refs = new Set<string>();
  for (const [path] of text.matchAll(
    /(?<![\w/:.-])(?:[\w@-]+\/)+[\w.@-]+\.\w{1,8}\b|(?<![\w/:.-])[\w-]+\.(?:ts|tsx|js|jsx|py|go|rs|java|rb|md|json|yaml|yml|toml|sql|css)\b/g,
  ))
    refs.add(fileRef(path));
  for (const [sha] of text.matchAll(/\b[0-9a-f]{40}\b|\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,12}\b/g))
    refs.add(refOf('commit', sha));
  for (const [id] of text.matchAll(/\bent_[0-9a-z]{20,}\b/g)) refs.add(refOf('entry', id));
  return [...refs].slice(0, 50);
}

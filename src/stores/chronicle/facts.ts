import { fileRef, refOf } from '../../base/ref.ts';

export interface Fact {
  kind: 'uses' | 'implements' | 'has' | 'is' | 'location' | 'decision' | 'reason' | 'failure';
  subject: string;
  object: string;
  /** The sentence it was read from. */
  sentence: string;
}

const rules: Array<[kind: Fact['kind'], pattern: RegExp]> = [
  [
    'location',
    /^(?:the )?(?<subject>.{2,80}?) (?:is|are|lives?|sits?|stands?|was moved|were moved) (?:defined |located |now )?(?:in|to|under|at) (?<object>[\w@./-]*[/.][\w./-]+)/i,
  ],
  [
    'decision',
    /^(?:we |i |the team )?(?:decided|chose|agreed|picked|settled on|will|should)(?: to| on)? (?<object>.{3,160}?)(?: (?:instead of|over|rather than) (?<subject>.{2,80}?))?(?: because .*)?$/i,
  ],
  [
    'implements',
    /^(?:the )?(?<subject>.{2,80}?) (?:implements?|follows?|applies) (?:the |a |an )?(?<object>.{2,100})$/i,
  ],
  [
    'uses',
    /^(?:the |we )?(?<subject>.{0,80}?) ?(?:uses?|depends on|relies on|is built on|is based on) (?:the |a |an )?(?<object>.{2,100}?)(?: (?:for|to|because|so that) .*)?$/i,
  ],
  [
    'failure',
    /^(?:the )?(?<subject>.{2,80}?) (?:failed|fails|broke|breaks|crashed|crashes|did not work|does not work)(?: (?:because|when|with|on) (?<object>.{2,120}))?$/i,
  ],
  [
    'has',
    /^(?:the )?(?<subject>.{2,80}?) (?:has|have|contains?|exposes?) (?:the |a |an )?(?<object>.{2,100})$/i,
  ],
  ['is', /^(?:the )?(?<subject>.{2,80}?) (?:is|are) (?:the |a |an )?(?<object>.{2,100})$/i],
];

/** Structured statements read off a text by rule. Nothing is inferred: each fact has the sentence that says it. */
export function extractFacts(text: string): Fact[] {
  const facts: Fact[] = [];
  for (const sentence of sentences(text)) {
    const bare = sentence.replace(/[.!?]+$/, '').trim();
    for (const [kind, pattern] of rules) {
      const found = pattern.exec(bare)?.groups;
      if (!found) continue;
      facts.push({
        kind,
        subject: (found['subject'] ?? '').trim(),
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

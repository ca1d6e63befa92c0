import type { Draft } from './claim.ts';
import { mentionsPath } from './mine-commits.ts';
import { documentSentences, looksLikeCode, mentions } from './sentences.ts';
import { gitText, type TreeFacts } from './tree-facts.ts';

export interface MinedDocument {
  path: string;
  at: string;
  sentences: string[];
}

/** How many states of one README are read, evenly over its history. */
const versions = 6;

const use =
  /\b(?:us(?:e|es|ed|ing)|built (?:on|with)|based on|powered by|depends? on|rel(?:y|ies) on|requir\w+|via|through|wrapper (?:for|around))\b/i;

export function readDocuments(gitDirectory: string, head: string): MinedDocument[] {
  const paths = gitText(gitDirectory, ['ls-tree', '-r', '-z', '--name-only', head])
    .split('\0')
    .filter(
      (path) =>
        path.split('/').length <= 3 && /(^|\/)(README|CONTRIBUTING|ARCHITECTURE)\.(md|rst|txt)$/i.test(path),
    )
    .slice(0, 12);
  return paths.flatMap((path) => {
    const commits = gitText(gitDirectory, ['log', '--format=%H', head, '--', path]).trim().split('\n');
    const step = Math.max(1, Math.floor(commits.length / versions));
    return commits
      .filter((_, at) => at % step === 0)
      .slice(0, versions + 1)
      .map((at) => ({
        path,
        at,
        sentences: documentSentences(gitText(gitDirectory, ['cat-file', 'blob', `${at}:${path}`])),
      }));
  });
}

const draft = (text: string, rest: Pick<Draft, 'kind' | 'subject' | 'object'>): Draft => ({
  source: 'readme',
  text,
  ...rest,
  negated: false,
});

export function claimsOfDocument(document: MinedDocument, facts: TreeFacts): Draft[] {
  const names = [...facts.dependencies()].filter((name) => name.length > 2);
  const claims: Draft[] = [];
  for (const text of document.sentences) {
    for (const [path] of text.matchAll(/(?<![\w/:.@-])(?:[\w.@-]+\/)+[\w.@-]+\.\w{1,5}\b/g)) {
      if (!facts.paths().has(path)) continue;
      claims.push(draft(text, { kind: 'has', subject: '', object: path }));
      for (const [, name] of text.matchAll(/`(\w{4,})(?:\(\))?`/g))
        if (mentionsPath(text, path) && facts.definitions(name!).some((found) => found.path === path))
          claims.push(draft(text, { kind: 'location', subject: name!, object: path }));
    }
    if (!use.test(text)) continue;
    for (const name of names)
      if (mentions(text, name) && isNamedAsPackage(text, name))
        claims.push(draft(text, { kind: 'uses', subject: '', object: name }));
  }
  return claims;
}

/** A package called "open" or "path" is usually only a word; as code, or right behind a verb of use, it is meant. */
function isNamedAsPackage(text: string, name: string): boolean {
  if (/[@/_-]|\d/.test(name) || looksLikeCode(text, name)) return true;
  return new RegExp(`${use.source} (?:the )?${name}\\b`, 'i').test(text);
}

import type { Draft } from './claim.ts';
import { definitionOf, heritageOf, kindsPeopleSay } from './definition-lines.ts';
import { looksLikeCode, mentions, messageSentences } from './sentences.ts';
import { gitText, isManifest, type TreeFacts } from './tree-facts.ts';

export interface MinedCommit {
  sha: string;
  parent: string;
  sentences: string[];
  /** Names whose definition lines the commit adds or takes out. */
  touched: Set<string>;
  heirs: Array<{ name: string; parents: string[] }>;
  manifestTouched: boolean;
}

/** Words that say something comes, and that something goes. Broad on purpose: the diff decides what is claimed. */
const arrival =
  /\b(?:add\w*|introduc\w+|implement\w*|creat\w+|new|expos\w+|support\w*|us(?:e|es|ed|ing)|switch\w*|migrat\w+|mov\w+|replac\w+|extract\w*|convert\w*|renam\w+|provid\w+|install\w*|adopt\w*|require\w*|depend\w*)\b/i;
const departure =
  /\b(?:remov\w+|drop\w*|delet\w+|replac\w+|renam\w+|no longer|unused|get rid|kill\w*|clean\w*|strip\w*|mov\w+|switch\w*|migrat\w+|instead of|obsolete|unnecessary|uninstall\w*)\b/i;

export function readCommits(gitDirectory: string, most: number): MinedCommit[] {
  const log = gitText(gitDirectory, [
    ...[
      'log',
      '--no-merges',
      '-p',
      '-U0',
      '--no-ext-diff',
      '--no-textconv',
      '--no-renames',
      `--max-count=${most}`,
    ],
    '--format=%x01%H%x02%P%x02%B%x03',
  ]);
  return log
    .split('\x01')
    .slice(1)
    .flatMap((record) => {
      const [head, diff = ''] = record.split('\x03');
      const [sha, parent, message] = head!.split('\x02');
      const sentences = messageSentences(message ?? '');
      return parent && sentences.length > 0 ? [{ sha: sha!, parent, sentences, ...readDiff(diff) }] : [];
    });
}

function readDiff(diff: string): Pick<MinedCommit, 'touched' | 'heirs' | 'manifestTouched'> {
  const touched = new Set<string>();
  const heirs: MinedCommit['heirs'] = [];
  let manifestTouched = false;
  for (const line of diff.split('\n')) {
    if (line.startsWith('diff --git ')) {
      manifestTouched ||= isManifest(line.slice(line.indexOf(' b/') + 3));
      continue;
    }
    if (!/^[+-](?![+-]{2} )/.test(line)) continue;
    const text = line.slice(1);
    const definition = definitionOf(text);
    if (definition && definition.name.length >= 4) touched.add(definition.name);
    const heritage = line.startsWith('+') ? heritageOf(text) : undefined;
    if (heritage) heirs.push(heritage);
  }
  return { touched, heirs, manifestTouched };
}

export function claimsOfCommit(commit: MinedCommit, factsAt: (tree: string) => TreeFacts): Draft[] {
  return commit.sentences.flatMap((text) => [
    ...(commit.manifestTouched ? dependencyClaims(text, commit, factsAt) : []),
    ...definitionClaims(text, commit, factsAt),
    ...heritageClaims(text, commit),
  ]);
}

const draft = (text: string, rest: Pick<Draft, 'kind' | 'subject' | 'object'>, negated = false): Draft => ({
  source: 'commit',
  text,
  ...rest,
  negated,
});

/** The manifest gains or loses a package that the sentence names. */
function dependencyClaims(text: string, commit: MinedCommit, factsAt: (tree: string) => TreeFacts): Draft[] {
  if (!arrival.test(text) && !departure.test(text)) return [];
  const before = factsAt(commit.parent).dependencies();
  const then = factsAt(commit.sha).dependencies();
  const named = (names: Set<string>, without: Set<string>) =>
    [...names].filter((name) => !without.has(name) && name.length > 2 && mentions(text, name));
  return [
    ...(arrival.test(text) ? named(then, before) : []).map((object) =>
      draft(text, { kind: 'uses', subject: '', object }),
    ),
    ...(departure.test(text) ? named(before, then) : []).map((object) =>
      draft(text, { kind: 'uses', subject: '', object }, true),
    ),
  ];
}

function definitionClaims(text: string, commit: MinedCommit, factsAt: (tree: string) => TreeFacts): Draft[] {
  const claims: Draft[] = [];
  for (const name of commit.touched) {
    if (!mentions(text, name) || !text.includes(name) || !looksLikeCode(text, name)) continue;
    const before = factsAt(commit.parent).definitions(name);
    const then = factsAt(commit.sha).definitions(name);
    if (then.length === 0 && before.length > 0 && departure.test(text))
      claims.push(draft(text, { kind: 'has', subject: '', object: name }, true));
    if (then.length > 0 && before.length === 0 && arrival.test(text))
      claims.push(draft(text, { kind: 'has', subject: '', object: name }));
    for (const { path } of then)
      if (mentionsPath(text, path))
        claims.push(draft(text, { kind: 'location', subject: name, object: path }));
    for (const word of kindsPeopleSay)
      if (new RegExp(`\\b${word} \`?${name}\\b|\\b${name}(?:\\(\\))?\`? ${word}\\b`).test(text))
        claims.push(draft(text, { kind: 'is', subject: name, object: word }));
  }
  return claims;
}

export const mentionsPath = (text: string, path: string): boolean =>
  text.includes(path) || (path.includes('.') && mentions(text, path.split('/').at(-1)!));

const heritageClaims = (text: string, commit: MinedCommit): Draft[] =>
  commit.heirs.flatMap(({ name, parents }) =>
    mentions(text, name) && looksLikeCode(text, name)
      ? parents
          .filter((parent) => parent !== name && mentions(text, parent))
          .map((parent) => draft(text, { kind: 'implements', subject: name, object: parent }))
      : [],
  );

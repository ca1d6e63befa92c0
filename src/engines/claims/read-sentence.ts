import type { Claim, ClaimKind } from './claim.ts';
import { endsRemoval, endsUse, isAboutPast, isIntent, packageNoun, rules } from './claim-rules.ts';
import { cleanName, isOrdinary, isPath, joinTitles, type Named, readName, readNames } from './names.ts';

/** The claims of one sentence. Stronger rules come first; a name that one rule used is not read again by another. */
export function readSentence(sentence: string): Claim[] {
  const aboutDocuments = /^docs?(?:\([^)]*\))?!?: /i.test(sentence);
  const whole = joinTitles(sentence);
  const bare = whole
    .replace(/^\w+(?:\([^)]*\))?!?: +/, '')
    .replace(/\s*\(#\d+\)/g, '')
    .trim()
    // A quoted command or message is an example, not what the sentence says.
    .replace(/`[^`\s]+\s[^`]*`/g, ' ')
    .replace(/(?<![\w`])'([\w.@/-]+)'(?![\w`])/g, '`$1`')
    .replace(/[.!]+$/, '');
  const claims: Claim[] = [];
  const taken = new Set<string>();
  const each = (rule: RegExp) =>
    [...bare.matchAll(rule)].map(([, one = '', two = '', three = '']) => [one, two, three] as const);
  const push = (kind: ClaimKind, subject: string, object: string, more: Partial<Claim> = {}) =>
    claims.push({
      kind,
      subject,
      object,
      negated: false,
      sure: true,
      purpose: '',
      sentence,
      ...more,
    });
  const exists = (kind: ClaimKind, { name, sure }: Named, more: Partial<Claim> = {}) => {
    if (taken.has(name.toLowerCase())) return;
    taken.add(name.toLowerCase());
    push(isPath(name) && !(kind === 'uses' && isLibraryName(name)) ? 'has' : kind, '', name, {
      sure: sure || isCalledPackage(bare, name),
      ...more,
    });
  };
  const existAll = (kind: ClaimKind, names: string, negated: boolean) => {
    if (negated && isIntent(bare)) return;
    for (const named of readNames(names)) exists(kind, named, { negated });
  };
  const instead = (old: string, fresh: string) => {
    existAll('uses', old, true);
    existAll('uses', fresh, false);
  };
  const locate = (names: string, place: string) => {
    const path = cleanName(place);
    if (!isPath(path)) return;
    for (const named of readNames(names)) {
      if (
        isPath(named.name) ||
        !named.sure ||
        claims.some((known) => known.kind === 'location' && known.subject === named.name)
      )
        continue;
      taken.add(path.toLowerCase());
      push('location', named.name, path);
    }
  };
  const inherit = (name: string, parent: string) => {
    const [child, above] = [readName(name), readName(parent)];
    if (!child || !above || !isTypeName(child.name) || !isTypeName(above.name)) return;
    taken.add(above.name.toLowerCase());
    push('implements', child.name, above.name);
  };
  const describe = (name: string, what: string) => {
    const named = readName(name);
    if (!named?.sure || isPath(named.name) || /[/@]/.test(named.name)) return;
    const known = claims.some(
      (claim) =>
        (claim.kind === 'is' && claim.subject === named.name) ||
        (claim.object === named.name && (claim.negated || claim.subject !== '')),
    );
    if (!known) push('is', named.name, what.toLowerCase());
  };

  for (const [old, fresh] of each(rules.renamed)) {
    existAll('has', old, true);
    existAll('has', fresh, false);
  }
  for (const [fresh] of each(rules.renamedTo)) existAll('has', fresh, false);
  for (const [names, place] of [...each(rules.moved), ...each(rules.located)]) locate(names, place);
  for (const [old, fresh] of each(rules.replaced)) instead(old, fresh);
  for (const [old] of each(rules.replacedOnly)) existAll('uses', old, true);
  for (const [old, fresh] of each(rules.fromTo))
    if (!readNames(old).some(({ name }) => isPath(name))) instead(old, fresh);
  // "Remove all `revisions`" speaks of things of that name, not of the name.
  for (const { 0: whole, 1: names = '', index } of bare.matchAll(rules.removed)) {
    const after = bare.slice(index + whole.length);
    // "Remove all `revisions`" speaks of things of that name, and "from web/package.json" of one place.
    const isSome = / (?:all|any|every|each) $/i.test(whole.slice(0, whole.length - names.length));
    const isInOnePlace = /^ from (?:the )?`?[\w@.-]+\/[\w@./-]*/.test(after);
    if (!isSome && !isInOnePlace && endsRemoval.test(after)) existAll('uses', names, true);
  }
  for (const [names] of each(rules.wasRemoved)) existAll('uses', names, true);
  for (const [names] of each(rules.favoured)) existAll('uses', names, false);
  for (const found of bare.matchAll(rules.used)) readUse(found);
  for (const [name] of [...each(rules.usedBefore), ...each(rules.bullet)]) {
    const named = readName(name);
    if (named && !isOrdinary(named.name)) exists('uses', { name: named.name, sure: false });
  }
  for (const rule of [rules.ofJob, rules.chosen])
    for (const { 0: all, 1: names = '' } of whole.matchAll(rule))
      if (endsUse.test(whole.slice(all.length).replace(/^"/, '')))
        for (const { name } of readNames(names)) exists('uses', { name, sure: false });
  for (const [name, parent] of [...each(rules.inherited), ...each(rules.isSubclass)]) inherit(name, parent);
  if (!aboutDocuments) for (const [names] of each(rules.added)) existAll('has', names, false);
  for (const [owner, before, after] of each(rules.member)) {
    const [whole, part] = [readName(owner), readName(before || after)];
    if (
      !whole ||
      !part ||
      isOrdinary(whole.name) ||
      isOrdinary(part.name) ||
      taken.has(part.name.toLowerCase())
    )
      continue;
    push('has', whole.name, part.name, { sure: whole.sure || isTypeName(whole.name) });
  }
  // "X exposes `a()` and `b()`": what is called is a member.
  for (const [owner, members] of each(rules.members)) {
    const whole = readName(owner);
    if (!whole || !isTypeName(whole.name)) continue;
    for (const part of members.split(/, (?:and )?| and | & /).filter((each) => each.includes('(')))
      push('has', whole.name, cleanName(part));
  }
  for (const [name, kind] of [...each(rules.isKind), ...each(rules.isValue), ...each(rules.kindAfter)])
    describe(name, kind);
  for (const [kind, name] of each(rules.kindBefore)) describe(name, kind);
  for (const path of isAboutPast(bare.replace(/\S*\/\S*/g, ' ')) ? [] : pathsIn(bare))
    if (!taken.has(path.toLowerCase())) exists('has', { name: path, sure: false });
  return claims;

  function readUse(found: RegExpExecArray): void {
    const [whole, used = ''] = found;
    const start = found.index + whole.length - used.length;
    const names = readNames(used);
    const [first] = names;
    if (!first) return;
    const afterFirst = bare.slice(bare.indexOf(first.name, start) + first.name.length);
    const ends = endsUse.test(afterFirst);
    if (!first.sure && !ends) return;
    // "via the url" names a thing, not a package.
    const isThing = /\b(?:the|an?|this|our|its) $/i.test(bare.slice(0, start));
    if (!first.sure && isThing && !isCalledPackage(bare, first.name)) return;
    const after = bare.slice(start + used.length);
    const purpose =
      new RegExp(`^(?: (?:module|${packageNoun}))? (?:for|to|as) (?:the |our |a )?([\\w -]{3,60})`).exec(
        after,
      )?.[1] ?? '';
    const subject = subjectBefore(bare.slice(0, found.index));
    // "using commands and events": a further plain word need not be a package, though one may have its name.
    for (const named of names.filter((each) => each === first || each.sure))
      exists(
        'uses',
        { name: named.name, sure: named.sure || (named === first && ends && !isOrdinary(named.name)) },
        { subject, purpose },
      );
  }
}

/** "Next.js" may be a library or a file. */
const isLibraryName = (name: string): boolean => /^[A-Za-z]\w*\.js$/.test(name);

const isCalledPackage = (text: string, name: string): boolean =>
  new RegExp(`\`?${name.replace(/[$.*+?^()[\]{}|\\/]/g, '\\$&')}\`?(?: as)? ${packageNoun}\\b`, 'i').test(
    text,
  );

/** "The server uses fastify": the server. */
function subjectBefore(text: string): string {
  const path = /^(?:the )?`?([\w@./-]+)`? ?$/i.exec(text)?.[1] ?? '';
  if (path.includes('/')) return path;
  const found =
    /^(?:the |our |this )?([\w -]{2,60}?)(?: (?:is|are|was|were|can|now|currently|internally))* ?$/i.exec(
      text,
    )?.[1] ?? '';
  return /^(?:we|i|you|it|they|please|to|and)\b/i.test(found.trim()) ? '' : found.trim();
}

const isTypeName = (name: string): boolean =>
  /^[A-Z]\w*[a-z]\w*$/.test(name.slice(name.lastIndexOf('.') + 1));

/** Paths that the text treats as existing. */
const pathsIn = (text: string): string[] =>
  [
    ...text.matchAll(
      /(?<!\b(?:from|instead of|out of|than|formerly|previously) `?)(?<![\w/:.@*-])(?:[\w.@-]+\/)+[\w.@-]+\.\w{1,6}\b(?![/*])/g,
    ),
  ]
    .map(([path]) => path.replace(/^\.\//, ''))
    .filter((path) => isPath(path) && !/^[\w-]+\.(?:com|org|io|dev|net|ai)\//.test(path));

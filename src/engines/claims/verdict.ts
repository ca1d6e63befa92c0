import { fileRef, refOf } from '../../base/ref.ts';
import { isTestPath } from '../../base/text/index.ts';
import { isOfAnotherPart, isTheOne, isVersion, versionSaid } from './can-mean.ts';
import type { CheckedClaim, Claim, Verdict } from './claim.ts';
import { isIntent } from './claim-rules.ts';
import type { CodeEvidence, DefinedName, Place, Removal } from './evidence.ts';
import { isBesideProject, isPath } from './names.ts';

type Finding = Omit<CheckedClaim, 'claim'>;

const answer = (verdict: Verdict, finding: string, places: Place[] = []): Finding => ({
  verdict,
  finding,
  places,
});
const unknown = (finding: string): Finding => answer('unknown', finding);
const where = (place: Place): string => `${place.path}${place.line > 0 ? `:${place.line}` : ''}`;
const file = (path: string): Place => ({ ref: fileRef(path), path, line: 0 });

/** The commit took away what the claim speaks of. */
function removed(what: string, removal: Removal, isSaid: boolean): Finding {
  const { commit, author, date, movedTo } = removal;
  const by = `commit ${commit.slice(0, 10)} (${author}, ${date})`;
  const finding = movedTo ? `${what} was moved to ${movedTo} by ${by}` : `${what} by ${by}`;
  const places = [{ ref: refOf('commit', commit), path: '', line: 0 }];
  return answer(isSaid ? 'supported' : 'contradicted', finding, [
    ...(movedTo ? [file(movedTo)] : []),
    ...places,
  ]);
}

/** What the code says about a claim. It is contradicted only by something that is there, or by a commit. */
export async function verdictOn(claim: Claim, code: CodeEvidence): Promise<Finding> {
  switch (claim.kind) {
    case 'location':
      return located(claim, code);
    case 'implements':
      return inherited(claim, code);
    case 'is':
      return described(claim, code);
    default:
      return (await isFileSaid(claim, code)) ? present(claim, code) : known(claim, code);
  }
}

/** "We use Next.js" names a package where one is listed and no file is called so. */
const isFileSaid = async ({ kind, object }: Claim, code: CodeEvidence): Promise<boolean> =>
  isPath(object) &&
  (kind !== 'uses' || (await code.files(object)).length > 0 || (await code.dependency(object)) === undefined);

/** That a path occurs in a sentence and exists verifies nothing that the sentence says. */
async function present({ object, negated, sure }: Claim, code: CodeEvidence): Promise<Finding> {
  const paths = await code.files(object);
  const [path] = paths;
  if (path) {
    if (negated)
      return answer(paths.includes(object) ? 'contradicted' : 'unknown', `${path} exists`, [file(path)]);
    return answer(sure ? 'supported' : 'unknown', `${path} exists`, [file(path)]);
  }
  return (await fileGone(object, code, negated)) ?? unknown(`there is no file ${object}`);
}

async function fileGone(path: string, code: CodeEvidence, isSaid: boolean): Promise<Finding | undefined> {
  const removal = await code.fileRemoval(path);
  const what = removal?.movedTo ? removal.path : `${removal?.path} was removed`;
  return removal && removed(what, removal, isSaid);
}

/** Only a name that no code mentions any more can have been removed. */
async function symbolGone(name: string, code: CodeEvidence, isSaid: boolean): Promise<Finding | undefined> {
  const [last = name] = partsOf(name);
  if (!/^[A-Za-z_$][\w$]{3,}$/.test(last) || (await code.mention(last))) return undefined;
  const removal = await code.symbolRemoval(last);
  return removal && removed(`${last} was removed from ${removal.path}`, removal, isSaid);
}

/** A package, or something that the code defines: the verb alone does not say which. */
async function known(claim: Claim, code: CodeEvidence): Promise<Finding> {
  const { object, negated, subject, sure } = claim;
  const isUse = claim.kind === 'uses';
  if (isUse && isPath(subject)) return usedInFile(claim, code);
  const declaration = isUse || sure ? await code.dependency(object) : undefined;
  // "We use React 18" is not borne out by a manifest that asks for 17.
  const said = declaration && !negated ? versionSaid(claim) : undefined;
  if (declaration && said !== undefined && !isVersion(said, declaration.version))
    return unknown(`${declaration.path} lists ${object} ${declaration.version}`);
  if (declaration && !negated && isOfAnotherPart(subject, declaration.path))
    return unknown(`${declaration.path} lists ${object}`);
  if (declaration)
    return answer(negated ? 'contradicted' : 'supported', `${declaration.path} lists ${object}`, [
      declaration,
    ]);
  const tool = isUse && !negated ? await code.toolFile(object) : undefined;
  if (tool?.found && versionSaid(claim) === undefined)
    return answer('supported', `${tool.found.path} is a file of ${object}`, [tool.found]);
  // A plain word is imported under many meanings: only a manifest shows that it is a package here.
  const isPlain = /^[a-z]+$/.test(object) && !claim.sentence.includes(`\`${object}\``);
  // What will be used for something is not shown by an import for something else.
  const isNow = !negated && !isIntent(claim.sentence);
  const imported = isUse && isNow && !isPlain ? await code.importOf(object) : undefined;
  if (imported) return answer('supported', `${where(imported)} imports ${object}`, [imported]);
  const [last = object] = partsOf(object);
  const definition = sure
    ? byDefinitions(claim, await definedAs(object, subject, code), (await code.definitions(last)).length)
    : undefined;
  if (definition) return definition;
  // What is meant to come, and a tool that no manifest lists, may have left a manifest before.
  const mayReturn = !negated && (tool !== undefined || isIntent(claim.sentence));
  const removal = (isUse || sure) && !mayReturn ? await code.packageRemoval(object) : undefined;
  if (removal) return removed(`${object} was removed from ${removal.path}`, removal, negated);
  const gone = sure ? await symbolGone(object, code, negated) : undefined;
  return gone ?? unknown(`nothing called ${object} was found`);
}

/** "`src/http.ts` uses undici": the file says so, not a manifest. */
async function usedInFile({ subject, object, negated }: Claim, code: CodeEvidence): Promise<Finding> {
  const [path, second] = await code.files(subject);
  if (!path || second !== undefined || negated) return unknown(`nothing says what ${subject} uses`);
  const isThere = await code.holds(path, object);
  return isThere
    ? answer('supported', `${path} contains ${object}`, [file(path)])
    : unknown(`${path} does not name ${object}`);
}

function byDefinitions(
  { kind, object, subject, negated }: Claim,
  defined: DefinedName[],
  sameName: number,
): Finding | undefined {
  const [first] = defined;
  if (!first) return undefined;
  const finding = `${object} is defined in ${where(first)}`;
  if (negated) return answer(defined.length === 1 ? 'contradicted' : 'unknown', finding, defined.slice(0, 3));
  return answer(
    kind !== 'uses' && isTheOne(partsOf(object)[1] ?? subject, defined, sameName) ? 'supported' : 'unknown',
    finding,
    defined.slice(0, 3),
  );
}

/** `Owner.member` from its end. */
const partsOf = (name: string): string[] => name.split(/[.#]|::/).reverse();

/** Definitions of the name; a member counts only inside its owner, and the project's own go before tests and examples. */
async function definedAs(name: string, owner: string, code: CodeEvidence): Promise<DefinedName[]> {
  const [last = name, before = ''] = partsOf(name);
  const all = await code.definitions(last);
  const lead = owner || before;
  const found = /^[A-Z]\w+$/.test(lead)
    ? all.filter(({ qualified }) => qualified.split('.').slice(0, -1).includes(lead))
    : all;
  const own = found.filter(({ path }) => !isBesideProject(path) && !isTestPath(path));
  return own.length > 0 ? own : found;
}

async function located({ subject, object }: Claim, code: CodeEvidence): Promise<Finding> {
  const [name = subject] = partsOf(subject);
  const declaration = await code.dependency(subject);
  if (declaration && isAt(declaration.path, object))
    return answer('supported', `${declaration.path} lists ${subject}`, [declaration]);
  const defined = await definedAs(subject, '', code);
  const all = await code.definitions(name);
  const there = all.filter(({ path }) => isAt(path, object));
  if (there[0]) return answer('supported', `${subject} is defined in ${where(there[0])}`, there.slice(0, 3));
  const files = await code.files(object);
  for (const path of files)
    if (await code.holds(path, name)) {
      // A file that was written a moment ago may not be indexed yet; one that only uses the name proves nothing.
      const finding = `${path} contains ${name}`;
      return answer(all.length === 0 ? 'supported' : 'unknown', finding, [file(path)]);
    }
  if (defined.length > 0)
    return answer(
      'contradicted',
      `${subject} is defined in ${[...new Set(defined.map(where))].slice(0, 3).join(', ')}`,
      defined.slice(0, 3),
    );
  if (files.length === 0) {
    const gone = await fileGone(object, code, false);
    if (gone) return gone;
  }
  for (const path of files) {
    const removal = await code.symbolRemoval(name, path);
    if (removal) return removed(`${name} was removed from ${path}`, removal, false);
  }
  return (await symbolGone(subject, code, false)) ?? unknown(`nothing called ${subject} was found`);
}

/** `http/retry.ts` and `retry` are good names for `src/http/retry.ts`. */
const isAt = (path: string, said: string): boolean =>
  path === said || path.endsWith(`/${said}`) || (said.endsWith('/') && `/${path}`.includes(`/${said}`));

async function inherited({ subject, object }: Claim, code: CodeEvidence): Promise<Finding> {
  const place = await code.inherits(subject, object);
  if (place) return answer('supported', `${where(place)} says so`, [place]);
  const defined = await definedAs(subject, '', code);
  const [first] = defined;
  if (!first)
    return (await symbolGone(subject, code, false)) ?? unknown(`nothing called ${subject} was found`);
  const ancestors = defined.length === 1 ? await ancestorsOf(first, code) : [];
  if (ancestors.length === 0 || ancestors.includes(object))
    return unknown(`${where(first)} does not name ${object}`);
  return answer('contradicted', `${where(first)} inherits ${ancestors.join(', ')}`, [first]);
}

/** Everything a type inherits; nothing where a parent is defined elsewhere, because that may inherit anything. */
async function ancestorsOf(type: DefinedName, code: CodeEvidence, depth = 4): Promise<string[]> {
  const parents = parentsOf(type.signature);
  const all = [...parents];
  for (const parent of parents) {
    const [above, second] = await code.definitions(parent);
    if (!above || second || depth === 0) return [];
    if (parentsOf(above.signature).length === 0) continue;
    const higher = await ancestorsOf(above, code, depth - 1);
    if (higher.length === 0) return [];
    all.push(...higher);
  }
  return all;
}

/** `class X extends A implements B`, `class X(A)`, `class X : A`. */
function parentsOf(signature: string): string[] {
  const [, list = ''] =
    /\b(?:class|interface|struct)\s+\w+(?:<[^{]*?>)?\s*(?:\(([^)]*)\)|(?=\b(?:extends|implements)\b|:))/.exec(
      signature,
    ) ?? [];
  const after = /\b(?:extends|implements)\b(.*)|\b(?:class|struct|interface)\s+\w+(?:<[^{]*?>)?\s*:(.*)/.exec(
    signature,
  );
  return (list || (after?.[1] ?? after?.[2] ?? ''))
    .replace(/<[^>]*>|\{.*$/g, '')
    .split(/,|\b(?:extends|implements|public|private|protected|with)\b/)
    .map((part) => part.trim().split('.').at(-1) ?? '')
    .filter((part) => /^[A-Z]\w*$/.test(part));
}

const kindsOf: Record<string, string[]> = {
  class: ['class', 'struct'],
  function: ['function', 'method', 'constructor', 'macro', 'constant', 'variable'],
  method: ['method', 'function', 'constructor', 'field', 'variable'],
  interface: ['interface', 'trait', 'type'],
  type: ['type', 'interface', 'class', 'struct', 'enum', 'trait'],
  enum: ['enum', 'type', 'class'],
  struct: ['struct', 'class'],
  trait: ['trait', 'interface'],
  constant: ['constant', 'variable', 'field'],
  variable: ['variable', 'constant', 'field'],
};

const isType = /^(?:class|struct|interface|trait|enum|type)$/;

/** A class is called an interface as often as not: that neither confirms nor contradicts anything. */
const looselyCalled = new Map([['interface', ['class', 'struct']]]);

async function described({ subject, object, sentence }: Claim, code: CodeEvidence): Promise<Finding> {
  const defined = await definedAs(subject, '', code);
  const [first] = defined;
  // A kind is often said in passing, of something that is to go: what is gone refutes nothing here.
  if (!first) return unknown(`nothing called ${subject} was found`);
  const said = object.slice(object.lastIndexOf(' ') + 1);
  const kinds = kindsOf[said];
  if (looselyCalled.get(said)?.includes(first.kind)) return unknown(`${subject} is a ${first.kind}`);
  const isOfKind = ({ kind }: DefinedName) => kinds?.includes(kind) ?? true;
  // "one route for each `Api` method": a method of the type.
  const isMember = /^(?:method|function|constant|variable)$/.test(said) && !/\b(?:is|are) /.test(sentence);
  if (isMember && defined.some(({ kind }) => isType.test(kind)))
    return unknown(`${subject} is a ${first.kind}`);
  // What answers later need not say so in its head: a promise, a callback, a queue.
  if (object.includes('async') && defined.every(isOfKind))
    return defined.every(({ signature }) => /\basync\b/.test(signature))
      ? answer('supported', `${where(first)} is async`, defined.slice(0, 3))
      : unknown(`${where(first)} does not say async`);
  if (kinds)
    return agreed(defined, isOfKind, ({ kind, ...place }) => `${subject} is a ${kind} in ${where(place)}`);
  const values = new Map<DefinedName, string>();
  for (const each of defined) {
    const value = /=\s*(\d[\d_.]*|'[^']*'|"[^"]*"|true|false)\s*(?:[;,]|$|#|\/\/)/.exec(
      await code.lineOf(each),
    )?.[1];
    if (value === undefined) return unknown(`the value of ${subject} cannot be read`);
    values.set(each, value);
  }
  if (!/^[\d'"]|^(?:true|false)$/.test(object)) return unknown(`${subject} is ${object}`);
  const bare = (value: string) => value.replace(/['"_]/g, '').toLowerCase();
  return agreed(
    defined,
    (each) => bare(values.get(each) ?? '') === bare(object),
    (each) => `${where(each)} says ${values.get(each)}`,
  );
}

/** Several definitions that disagree decide nothing. */
function agreed(
  defined: DefinedName[],
  fits: (each: DefinedName) => boolean,
  say: (each: DefinedName) => string,
): Finding {
  const [first] = defined;
  const fitting = defined.filter(fits);
  if (!first || (fitting.length > 0 && fitting.length < defined.length))
    return unknown('the definitions differ');
  if (fitting[0]) return answer('supported', `${where(fitting[0])} defines it`, fitting.slice(0, 3));
  return answer('contradicted', say(first), defined.slice(0, 3));
}

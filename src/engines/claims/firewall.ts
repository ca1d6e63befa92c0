import { fileRef, refOf } from '../../base/ref.ts';
import type { Claim } from './claim.ts';
import { extractClaims } from './claims.ts';
import type { CodeEvidence, DefinedName, Place } from './evidence.ts';
import { isPath } from './names.ts';
import { spokenOf } from './spoken.ts';

export type Verdict = 'supported' | 'contradicted' | 'unsupported' | 'unknown';

export interface CheckedClaim {
  claim: Claim;
  /** `unsupported`: nothing in the code confirms it. `unknown`: the code cannot say. */
  verdict: Verdict;
  /** The deciding evidence: a place in the code, or the commit that removed it. */
  places: Place[];
  /** For people: what the code says instead. */
  finding: string;
}

export interface Verification {
  /** Something was checked and nothing contradicted it. */
  verified: boolean;
  verification: 'none' | 'against_code' | 'against_history';
  confidence: number;
  needsReview: boolean;
  warnings: string[];
  contradictions: Array<{ claim: string; finding: string; ref: string }>;
  /** Refs that confirm the text. */
  sources: string[];
  claims: CheckedClaim[];
}

/** Confidence factors: a refuted claim, a missing file, a contradicting record. */
const refuted = 0.5;
const missing = 0.8;
const disputed = 0.7;
const enough = 0.8;

export async function checkText(text: string, code: CodeEvidence): Promise<CheckedClaim[]> {
  const checked: CheckedClaim[] = [];
  for (const claim of extractClaims(text)) checked.push({ claim, ...(await verdictOn(claim, code)) });
  return checked;
}

/**
 * Reads the claims of a text and checks each against the code. `history` are the contradictions with earlier
 * entries. Nothing here refuses a text: the result says how far to trust it.
 */
export async function verifyText(
  text: string,
  code: CodeEvidence,
  referenced: string[] = [],
  history: Verification['contradictions'] = [],
): Promise<Verification> {
  const claims = await checkText(text, code);
  const warnings: string[] = [];
  const contradictions: Verification['contradictions'] = [];
  let confidence = 1;
  for (const { claim, verdict, finding, places } of claims) {
    if (verdict === 'contradicted' || verdict === 'unsupported') {
      contradictions.push({ claim: claim.sentence, finding, ref: places[0]?.ref ?? '' });
      confidence *= refuted;
    } else if (verdict === 'unknown' && claim.sure) warnings.push(`Could not be checked: ${finding}`);
  }
  const named = new Set(claims.map(({ claim }) => claim.object));
  for (const path of referenced) {
    if (named.has(path) || (await code.files(path)).length > 0) continue;
    warnings.push(`Referenced file not found: ${path}`);
    confidence *= missing;
  }
  if (history.length > 0) {
    contradictions.push(...history);
    confidence *= disputed;
  }
  const supported = claims.filter(({ verdict }) => verdict === 'supported');
  const verified = supported.length > 0 && contradictions.length === 0 && confidence >= enough;
  return {
    verified,
    verification: verified ? 'against_code' : 'none',
    confidence: Math.round(confidence * 100) / 100,
    needsReview: contradictions.length > 0 || confidence < enough,
    warnings,
    contradictions,
    sources: [...new Set(supported.flatMap(({ places }) => places.map(({ ref }) => ref)))].slice(0, 20),
    claims,
  };
}

type Found = Omit<CheckedClaim, 'claim'>;
const answer = (verdict: Verdict, finding: string, places: Place[] = []): Found => ({
  verdict,
  finding,
  places,
});
const where = (place: Place): string => `${place.path}${place.line > 0 ? `:${place.line}` : ''}`;

async function verdictOn(claim: Claim, code: CodeEvidence): Promise<Found> {
  switch (claim.kind) {
    case 'location':
      return located(claim, code);
    case 'implements':
      return inherited(claim, code);
    case 'is':
      return described(claim, code);
    default:
      return isPath(claim.object) ? present(claim, code) : known(claim, code);
  }
}

async function present({ object, negated, sentence }: Claim, code: CodeEvidence): Promise<Found> {
  const [path] = await code.files(object);
  if (path) return answer(negated ? 'contradicted' : 'supported', `${path} exists`, [file(path)]);
  if (negated) return answer('supported', `file ${object} does not exist`);
  const meant = await spokenOf(sentence.replaceAll(object, ' '), code);
  const instead = meant ? `; ${meant.name} is defined in ${where(meant.place)}` : '';
  return answer('contradicted', `file ${object} does not exist${instead}`, meant ? [meant.place] : []);
}

const file = (path: string): Place => ({ ref: fileRef(path), path, line: 0 });

/** A package, or a definition in the code: the verb alone does not say which. */
async function known(claim: Claim, code: CodeEvidence): Promise<Found> {
  const { object, negated, subject } = claim;
  const sure = claim.sure || (await isPackage(claim.partner, code));
  const package_ = await code.dependency(object);
  if (package_)
    return answer(negated ? 'contradicted' : 'supported', `${package_.path} lists ${object}`, [package_]);
  const defined = await definedAs(object, subject, code);
  const [first] = defined;
  if (first && (sure || claim.kind === 'has')) {
    const finding = `${object} is defined in ${where(first)}`;
    return answer(negated ? 'contradicted' : 'supported', finding, defined.slice(0, 3));
  }
  const removal = await code.removal(object);
  if (removal) {
    const commit = { ref: refOf('commit', removal.commit), path: '', line: 0 };
    const finding = `${object} was removed from the manifest on ${removal.date} (commit ${removal.commit.slice(0, 10)})`;
    return answer(negated ? 'supported' : 'contradicted', finding, [file(removal.path), commit]);
  }
  if (negated) {
    const checkable = sure || (claim.kind === 'uses' && (await code.manifest()) !== undefined);
    return answer(checkable ? 'supported' : 'unknown', `${object} does not exist`);
  }
  const imported = claim.kind === 'uses' ? await code.importOf(object) : undefined;
  if (imported) return answer('supported', `${where(imported)} imports it`, [imported]);
  if (!sure) return answer('unknown', `${object} is unknown`);
  const mention = await code.mention(object);
  if (mention) return answer('unknown', `${mention.path} mentions ${object}`, [mention]);
  if (claim.kind !== 'uses') return answer('unsupported', `${object} is not defined`);
  const manifest = await code.manifest();
  return manifest
    ? answer('unsupported', `no manifest lists ${object} and no file imports it`, [manifest])
    : answer('unknown', 'the project has no manifest');
}

const isPackage = async (name: string, code: CodeEvidence): Promise<boolean> =>
  name !== '' && ((await code.dependency(name)) !== undefined || (await code.removal(name)) !== undefined);

/** `Owner.member` from its end. */
const partsOf = (name: string): string[] => name.split(/[.#]|::/).reverse();

/** A member counts only inside its owner. */
async function definedAs(name: string, owner: string, code: CodeEvidence): Promise<DefinedName[]> {
  const [last = name, before = ''] = partsOf(name);
  const found = await code.definitions(last);
  const lead = owner || before;
  if (!/^[A-Z]\w+$/.test(lead)) return found;
  const inside = found.filter(({ qualified }) => qualified.split('.').slice(0, -1).includes(lead));
  return owner || inside.length > 0 ? inside : found;
}

async function located({ subject, object, sure }: Claim, code: CodeEvidence): Promise<Found> {
  const [name = subject] = partsOf(subject);
  const defined = await code.definitions(name);
  const there = defined.filter(({ path }) => isAt(path, object));
  if (there[0]) return answer('supported', `${subject} is defined in ${where(there[0])}`, there.slice(0, 3));
  if (defined.length > 0)
    return answer(
      'contradicted',
      `${subject} is defined in ${[...new Set(defined.map(where))].slice(0, 3).join(', ')}`,
      defined.slice(0, 3),
    );
  const files = await code.files(object);
  // A file that was just written may not be indexed yet: its text counts, too.
  for (const path of files)
    if (sure && (await code.holds(path, subject)))
      return answer('supported', `${path} holds ${subject}`, [file(path)]);
  if (files.length === 0)
    return answer(sure ? 'contradicted' : 'unsupported', `file ${object} does not exist`);
  return sure
    ? answer('unsupported', `${subject} is not defined`)
    : answer('unknown', `${subject} is not a name in the code`, files.slice(0, 1).map(file));
}

/** `http/retry.ts` and `retry` are good names for `src/http/retry.ts`. */
const isAt = (path: string, said: string): boolean =>
  path === said || path.endsWith(`/${said}`) || (said.endsWith('/') && `/${path}`.includes(`/${said}`));

async function inherited({ subject, object }: Claim, code: CodeEvidence): Promise<Found> {
  const place = await code.inherits(subject, object);
  if (place) return answer('supported', `${where(place)} confirms it`, [place]);
  const defined = await code.definitions(subject);
  if (!defined[0]) return answer('unsupported', `${subject} is not defined`);
  return answer('contradicted', `${where(defined[0])} does not name ${object}`, defined.slice(0, 3));
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

async function described({ subject, object }: Claim, code: CodeEvidence): Promise<Found> {
  const [name = subject] = partsOf(subject);
  const defined = await code.definitions(name);
  const [first] = defined;
  if (!first) {
    const mention = await code.mention(subject);
    return mention
      ? answer('unknown', `${mention.path} mentions ${subject}`, [mention])
      : answer('unsupported', `${subject} is not defined`);
  }
  const asked = kindsOf[object.slice(object.lastIndexOf(' ') + 1)];
  if (asked) {
    const fitting = defined.filter(
      (each) => asked.includes(each.kind) && (!object.includes('async') || /\basync\b/.test(each.signature)),
    );
    if (fitting[0]) return answer('supported', `${where(fitting[0])} defines it`, fitting.slice(0, 3));
    return answer('contradicted', `${subject} is a ${first.kind} in ${where(first)}`, defined.slice(0, 3));
  }
  if (object === 'async') {
    const fitting = defined.filter(({ signature }) => /\basync\b/.test(signature));
    if (fitting[0]) return answer('supported', `${where(fitting[0])} is async`, fitting.slice(0, 3));
    return answer('contradicted', `${where(first)} is not async`, defined.slice(0, 3));
  }
  if (!/^[\d'"]|^(?:true|false)$/.test(object)) return answer('unknown', `${subject} is ${object}`);
  for (const each of defined) {
    const line = await code.lineOf(each);
    const value = /=\s*([^;,]+)/.exec(line)?.[1]?.trim();
    if (value === undefined) continue;
    const same = value.replace(/['"_]/g, '') === object.replace(/['"_]/g, '');
    return answer(same ? 'supported' : 'contradicted', `${where(each)} says ${value.slice(0, 60)}`, [each]);
  }
  return answer('unknown', `the value of ${subject} cannot be read`);
}

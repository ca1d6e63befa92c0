import type { Claim } from './claim.ts';
import { chosenOption, codeKinds, filler, job, packageNoun } from './claim-rules.ts';
import { cleanName, isPath, joinTitles, listPattern, namePattern, readNames } from './names.ts';

/** Who speaks for the project; what another thing does says nothing about it, and "it" may be anything. */
const subject =
  '(?:we|i|(?:the|our|this|each|every|all) (?:WORD ){0,3}WORD|tests|(?:unit|integration|end-to-end|e2e|browser) tests)'.replaceAll(
    'WORD',
    '(?!(?:of|that|which|with|by|for|in|to|and|is|are|was|us|allows?|lets?|enables?|means|helps?)\\b)[a-z][\\w-]*',
  );
const auxiliary =
  "(?: (?:will|shall|have|has|are|is|was|be|been|being|now|also|currently|already|always|still|both|both of|therefore|thus|going to|(?:decided|chosen|agreed|opted|continued?) (?:to|that we)|(?:decide|agree|choose|opt) to)|'ll|'ve|'re)*";
const opening =
  '(?:(?:and|so|thus|therefore|today|now|instead|currently|here|internally|for this|as a result|for \\w+(?: \\w+)?),? |(?:\\w+,? ){1,4}?(?=(?:we|this (?:project|application|app|repository|codebase|package)) ))?';
const lead = `^${opening}(?:${subject}${auxiliary} )?`;
const uses =
  '(?:us(?:e|es|ed|ing)|cho(?:o?se|sen)|pick(?:ed)?|adopt(?:s|ed)?|select(?:ed)?|(?:go|going|went) with|opt(?:ed)? for|settled? on|standardi[sz]ed? on|built (?:up)?on(?: top of)?|built with|based on|powered by|depends? on|rel(?:y|ies) on|requires?|switch(?:ed)? to|migrated? to|moved? to|(?:written|handled|validated|bundled|linted|formatted|tested|generated|run) (?:in|by|with|via))';
const makes =
  '(?:add(?:s|ed)?|introduc(?:e[sd]?)|creat(?:e[sd]?)|implement(?:s|ed)?|expos(?:e[sd]?)|export(?:s|ed)?|provid(?:e[sd]?)|defin(?:e[sd]?)|extract(?:s|ed)?)';
const made = '(?:added|introduced|created|implemented|exposed|exported|defined|extracted)';
/** The name itself is the object: in "adds X records" it is not. */
const objectEnds = `(?=$|[.,;:)]| [(]| (?:in|to|for|with|as|from|on|that|which|and|so|because|by|at|into|${codeKinds})\\b)`;
/** "Used TypeScript documentation" does not say that TypeScript is used. */
const useEnds = `(?=$|[.,;:)]| [(]| v?\\d| (?:for|to|because|as|in|on|instead|over|and|with|since|so|from|when|by|at|that|which|module|under|internally|throughout|everywhere|${codeKinds}|${packageNoun})\\b)`;
const ends =
  '(?:remov(?:e[sd]?)|drop(?:s|ped)?|delet(?:e[sd]?)|uninstall(?:s|ed)?|got rid of|no longer (?:uses?|needs?|requires?|depends? on))';
const changes =
  '(?:replac(?:e[sd]?)|renam(?:e[sd]?)|swap(?:s|ped)?|mov(?:e[sd]?)|migrat(?:e[sd]?)|switch(?:ed)?)';

const statement = (source: string): RegExp =>
  new RegExp(source.replaceAll('NAMES', `(${listPattern})`).replaceAll('NAME', `(${namePattern})`), 'i');

const mostCommon = 'typescript|javascript|python|rust|html|css|json|yaml|http|api|cli|react|node';

// "provides TypeScript types": a language or a common word is nothing that was made here.
// Without a doer, "add X" asks for something; a report says that it was added.
const making = statement(
  `^${opening}(?:${subject}${auxiliary} ${makes}|${made}) ${filler}(?!(?:${mostCommon})\\b)NAMES${objectEnds}`,
);

/** What a sentence says first and foremost; its names are the groups. */
const existence = [
  statement(`${lead}${uses} ${filler}NAMES${useEnds}`),
  statement(`${lead}${ends} ${filler}NAMES`),
  // "Orders will use Redis": what another thing does is told without "will".
  statement(
    `^(?!(?:it|this|that|these|they|you|he|she|who|which|users?|clients?|consumers?|developers?|contributors?)\\b)[\\w.-]+ (?:will|shall) ${uses} ${filler}NAMES${useEnds}`,
  ),
  statement(
    '^(?:the )?`?[\\w@.-]+/[\\w@./-]+`? (?:uses?|requires?|depends? on|relies on) ' +
      `${filler}NAMES${useEnds}`,
  ),
  // "We check code style using ESLint."
  statement(
    `^${opening}(?:we|this (?:project|app|application|package|repository|codebase|service))${auxiliary} [a-z]+(?: [\\w'-]+){1,5}? (?:using|via) ${filler}NAMES${useEnds}`,
  ),
  making,
  statement(
    `${lead}${changes} ${filler}NAMES(?: \\w+){0,3}? (?:with|by|for|to|into|as|in favou?r of) ${filler}NAMES${useEnds}`,
  ),
  statement(
    `${lead}(?:switch\\w*|migrat\\w+|mov(?:e[sd]?|ing)) (?:\\S+ ){0,3}?from ${filler}NAMES to ${filler}NAMES${useEnds}`,
  ),
  statement(
    `^(?:the )?NAMES(?: ${packageNoun})? (?:(?:is|are|will be|has been|have been) (?:used|chosen|adopted|selected|removed|dropped|deleted)|was chosen|was removed|were removed)\\b`,
  ),
];
/** Of the whole sentence: what stands before the colon is part of it. */
const choices = [
  statement(`^${job}: NAMES${useEnds}`),
  statement(`^${chosenOption}NAMES(?=["*]*(?:$|[.,;:)]| [(]| v?\\d| (?:because|for|to|as|since)\\b))`),
];
const described: Record<'location' | 'implements' | 'is' | 'has', RegExp> = {
  location: statement(
    `^(?:mov(?:e[sd]?)|extract(?:s|ed)?) ${filler}NAME(?: \\S+){0,3}? (?:in)?to |^(?:the )?NAME(?: (?:${codeKinds}))? (?:is|are|lives?|sits?|stands?|resides?|can be found|stays?|was moved|defined|located|implemented|declared)\\b`,
  ),
  implements: statement(
    `^(?:the )?NAME(?: (?:class|struct|type|interface))? (?:now )?(?:implements?|extends?|inherits?|subclass(?:es)?|derives? from|is an? )`,
  ),
  is: statement(`^(?:the )?(?:constant |variable )?NAME (?:is|are|equals|defaults to|was set to|=)`),
  has: statement(`^(?:the )?NAME (?:has|have|contains|exposes|offers|provides) `),
};

/** The sentence goes back on what it says, or leaves it open. */
const qualified =
  /\b(?:not|never|cannot|can't|\w+n't|nor|neither|must|may|might|should|would|could|can|if|unless|until|but|however|although|though|whereas|except|instead|rather than|either|or|except|was|were|had|used to|previously|formerly|originally|initially|historically|temporar\w+|experiment\w*|eventually|possibly|mainly|mostly|usually|generally|often|sometimes|e\.g|for example|for instance|such as|similar to|like)\b/i;

/**
 * Whether the claim is what its sentence states. A name that occurs on the way, in a condition or in somebody else's
 * doing may be right and still verifies nothing that was said.
 */
export function isStated({ kind, subject: owner, object, negated, sentence }: Claim): boolean {
  // "Use docs/guide.md for …" tells the reader where to look.
  if (kind === 'has' && isPath(object) && !negated && !reportsMaking.test(sentence)) return false;
  const whole = joinTitles(sentence);
  const bare = whole
    .replace(/^\w+(?:\([^)]*\))?!?: +/, '')
    .replace(/\s*\(#\d+\)/g, '')
    .trim()
    .replace(/(?<![\w`])'([\w.@/-]+)'(?![\w`])/g, '`$1`')
    .replace(/[.!]+$/, '');
  if (speaksOfAnother.test(bare)) return false;
  const name = kind === 'uses' || (kind === 'has' && !described.has.test(bare)) ? object : owner;
  const about = name.toLowerCase();
  const at = bare.toLowerCase().indexOf(about);
  // What comes before the name, and the clause that it stands in, decide; removal is a denial by itself.
  const clause =
    bare.slice(0, at) +
    (bare
      .slice(at)
      .split(/,? (?:because|since|so that|as|for|to|in order|instead of|rather than)\b|[;:(]/)[0] ?? '');
  if (
    at < 0 ||
    /^using (?:\S+ ){4}/i.test(bare) ||
    (!negated && qualified.test(clause.replace(/^instead,|\bwas (?:chosen|moved|set)\b/gi, ' ')))
  )
    return false;
  // That some file of this name is there does not show that something moved into it.
  const isBareFile = kind === 'has' && !negated && isPath(object) && !object.includes('/');
  const ways = isBareFile ? existence.filter((form) => form === making) : existence;
  const forms =
    kind === 'uses' || name === object
      ? [...ways, ...(isCommit.test(sentence) ? [asked] : [])]
      : [described[kind]];
  const names = (form: RegExp, text: string) => (form.exec(text) ?? []).slice(1).filter(Boolean);
  const said = forms.flatMap((form) => names(form, bare));
  if (kind === 'uses' && !negated) said.push(...choices.flatMap((form) => names(form, whole)));
  return said.some((each) => namesIn(each).includes(about));
}

/** An option that is weighed, an example, a package of several whose page says "Requires x", a step for the reader ("Choose Docker as …"), a whole company, or code that moves to another package of the project. */
const speaksOfAnother =
  /^(?:th(?:is|e|at)|each|every) (?:[\w-]+ ){0,2}(?:option|alternative|approach|variant|proposal|example|template|snippet)\b|^(?:requires?|depends? on|relies on) |^(?:choose|select|pick) (?!\S+$)|^(?:each|every|all) (?:[\w-]+ ){1,3}(?:implements?|extends?|exports?|provides?|defines?) |^(?:at|within|across) [a-z]\w+, we\b|\b(?:mov|extract)\w+ .*\bto `?@[\w-]+\//i;

/** The message of a commit says what it does in the imperative. */
const isCommit = /^\w+(?:\([^)]*\))?!?: /;
const asked = statement(`^${makes} ${filler}NAMES${objectEnds}`);
const reportsMaking = new RegExp(`^(?:${subject}${auxiliary} )?${made}\\b|${isCommit.source}`, 'i');

const namesIn = (text: string): string[] => [
  cleanName(text).toLowerCase(),
  ...readNames(text).map(({ name }) => name.toLowerCase()),
];

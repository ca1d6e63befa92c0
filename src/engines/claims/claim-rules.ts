import { listPattern, namePattern } from './names.ts';

const pattern = (source: string): RegExp =>
  new RegExp(source.replaceAll('NAMES', `(${listPattern})`).replaceAll('NAME', `(${namePattern})`), 'gi');

/** Words that may stand between a verb and the name it is about. */
export const filler =
  "(?:(?:the|a|an|our|its|this|all|any|some|back|native|unused|unnecessary|unneeded|old|obsolete|deprecated|legacy|redundant|remaining|extra|new|initial|basic|custom|patched|optional|light ?weight|own|missing|internal|global|last|first|more|code|option to configure|[\\w-]+'s|dependency on|dependencies on|support for|support of|usages? of|uses? of|use of|imports? of|references? to|class|function|method|interface|type|package|dependency|dependencies|library|crate|gem|helper) )*";

export const codeKinds = 'class|function|method|interface|type|enum|struct|trait|constant|variable|macro';

/** What makes the word before it the name of a package. */
export const packageNoun =
  '(?:(?:npm|pip|dev|runtime|peer|third-party) )?(?:package|crate|dependency|dependencies|dev-?dep(?:endenc(?:y|ies))?|library|framework|gem|requirement)';

/** "Styling: Tailwind CSS for a utility-first workflow": what is chosen for a job, as lists of decisions say it. */
export const job =
  '(?:(?:web|test|build|ui|css|http|api|web|state|package|task|static|e2e|unit|end-to-end|front-?end|back-?end|component|data) )*(?:framework|styling|language|database|db|orm|testing|tests|runner|linting|linter|formatting|formatter|bundler|bundling|build|tool|tooling|system|validation|management|manager|library|front-?end|back-?end|runtime|router|routing|ci|ci/cd|logging|logger|client|auth|authentication|migrations|queue|cache|caching|server|monorepo|icons|charts|forms|animations|deployment|containers|documentation|docs)';
/** "Chosen option: vtkio 0.6, because …". */
export const chosenOption =
  '(?:(?:the )?(?:chosen|selected|preferred|final) (?:option|solution|alternative|tool|library|framework|approach|choice)|decision)(?: is| was)?:? (?:to use |use )?["\'(]*';

export const rules = {
  ofJob: pattern(`^${job}: NAMES`),
  chosen: pattern(`^${chosenOption}NAMES`),
  replaced: pattern(
    `\\b(?:replac(?:e[sd]?|ing)|swap(?:ped|s|ping)?|substitut(?:e[sd]?|ing)) ${filler}NAMES(?: \\w+){0,3}? (?:with|by|for|in favou?r of) ${filler}NAMES`,
  ),
  replacedOnly: pattern(`\\breplac(?:e[sd]?|ing) ${filler}NAME ${packageNoun}`),
  fromTo: pattern(
    `\\b(?:migrat(?:e[sd]?|ing)|switch\\w*|mov(?:e[sd]?|ing)|convert\\w*|chang\\w+|port(?:ed|s|ing)?|transition\\w*|upgrad\\w+)\\b(?: \\S+){0,6}? from ${filler}NAMES to ${filler}NAMES`,
  ),
  renamed: pattern(
    `\\brenam(?:e[sd]?|ing|e of) ${filler}NAME(?: \\w+)? (?:to|as|into|->|=>|→) ${filler}NAME`,
  ),
  renamedTo: pattern(`\\brenam(?:e[sd]?|ing)(?: it)? (?:to|as|into|->|=>|→) ${filler}NAME`),
  removed: pattern(
    `\\b(?:remov(?:e[sd]?|ing|al of)|drop(?:ped|s|ping)?|delet(?:e[sd]?|ing)|uninstall\\w*|(?:get|got|getting) rid of|strip(?:ped|s)?|kill(?:ed|s)?|move off of|no longer (?:uses?|needs?|requires?|depends? on|rel(?:y|ies) on|imports?|has|have)|(?:does|do) not (?:use|need|require|depend on|have)|don't (?:use|need|require)|doesn't (?:use|need|require)) ${filler}NAMES`,
  ),
  wasRemoved: pattern(
    `NAMES(?: (?:${codeKinds}|exports?|${packageNoun}|is|are|was|were|has|have|been))* (?:removed|dropped|deleted|no longer (?:needed|used|required)|obsolete)\\b`,
  ),
  favoured: pattern(
    `\\b(?:in favou?r of|now uses?|use instead|(?:switch\\w*|migrat\\w+|mov(?:e[sd]?|ing)|upgrad\\w+|port(?:ed|s|ing)?)(?: \\w+){0,2}? to|courtesy of) ${filler}NAMES`,
  ),
  moved: pattern(
    `\\b(?:mov(?:e[sd]?|ing)|extract\\w*|relocat\\w+) ${filler}NAMES(?: \\S+){0,4}? (?:in)?to ${filler}NAME`,
  ),
  added: pattern(
    `(?<!\\b(?:not|n't|never) )\\b(?:add(?:s|ed|ing)?|introduc\\w+|creat(?:e[sd]?|ing)|implement(?:s|ed|ing)?|expos(?:e[sd]?|ing)|export(?:s|ed|ing)?|provid(?:e[sd]?|ing)|install(?:s|ed|ing)?|adopt(?:s|ed|ing)?|defin(?:e[sd]?|ing)|extract(?:s|ed|ing)?|support(?:s|ed|ing)?|rewrit\\w+ (?:in|with|using)) ${filler}NAMES`,
  ),
  used: pattern(
    `(?<!\\b(?:not|n't|never|just) |\`)\\b(?:us(?:e[sd]?|ing)|built (?:up)?on(?: top of)?|built with|based on|powered by|depends? on|rel(?:y|ies) on|requires?|choo?se|chosen|picked|adopt(?:s|ed)?|(?:go|goes|going|went) with|opt(?:ed)? for|settled on|select(?:ed)?|standardi[sz]ed? on|through|wrapper (?:for|around)|(?:comes?|provided|generated|run|tested|written|handled|validated|bundled|linted|formatted) (?:from|by|with|via)|via) ${filler}NAMES`,
  ),
  usedBefore: pattern(
    `NAME (?:(?:is|are|will be|has been|have been) (?:used|chosen|adopted|selected)|was chosen) (?:to|for|in|by|as|internally)\\b`,
  ),
  bullet: /^(`[^`\s]+`) +[-–—:] /g,
  located: pattern(
    `NAME(?:(?: (?:${codeKinds}))? (?:(?:is|are|was|were|lives?|sits?|stands?|resides?|can be found|stays?)\\b)(?: (?:now|defined|located|implemented|found|declared|kept|handled|placed|moved|listed|present|included|pinned|added as an? (?:direct |dev |runtime |peer )?dependency))*| (?:defined|located|implemented|declared))? (?:in|at|under|inside|into|to) ${filler}(?:file )?NAME`,
  ),
  inherited: pattern(
    `NAME(?: (?:class|struct|type|interface))? (?:now )?(?:implements?|extends?|inherits? from|inherits?|subclass(?:es)?|derives? from|is an? (?:subclass|instance|implementation) of) ${filler}NAME`,
  ),
  isSubclass: pattern(`NAME is an? NAME (?:subclass|implementation)`),
  kindAfter: pattern(
    `NAME(?:'s)? (?:error |abstract |async |generic |base )?(${codeKinds})\\b(?! (?:of|for) )`,
  ),
  kindBefore: pattern(`\\b(${codeKinds}) NAME`),
  isKind: pattern(
    `NAME (?:is|are) (?:now )?(?:an? |the )?((?:(?:async|abstract|exported|generic) )*(?:${codeKinds}|async))\\b`,
  ),
  isValue: pattern(
    `NAME (?:is|equals|defaults to|is set to|was set to|=)(?: now| set to| equal to)? (\\d[\\d_.]*|'[^']*'|"[^"]*"|true|false)(?![\\w%])`,
  ),
  members: pattern(`NAME (?:has|exposes|offers|provides) NAMES`),
  member: pattern(
    `NAME (?:has|have|contains|exposes|offers|provides) (?:an? |the )?(?:(?:method|function|field|property|option) NAME|NAME (?:method|function|field|property|option)\\b)`,
  ),
};

/** What may follow the name of a package that is used; "use feature branches" goes on, so it names none. */
export const endsUse = new RegExp(
  `^(?: v?\\d[\\w.]*\\+?)?(?:$|[.,;:)(\`']| (?:for|to|because|as|in|on|instead|over|and|with|since|so|from|when|by|module|under|internally|throughout|everywhere|${packageNoun})\\b)`,
);

/** "remove the redis container" removes something else than redis. */
export const endsRemoval = new RegExp(
  `${endsUse.source}|^ (?:usages?|uses?|imports?|exports?|support|calls?|references?|entirely|completely|altogether|again|now|at|here|last|earlier|recently|yesterday|today|${codeKinds})\\b`,
);

/** Plans, questions, wishes, conditions and advice claim nothing about the current code. */
const open =
  /^(?:(?:and|but|or|so|well),? )?if\b|\b(?:could|should|would|might|may want|plan(?:s|ned|ning)? (?:is )?to|want(?:s|ed)? to|intend\w*|propos\w+|consider(?:s|ed|ing)?|maybe|perhaps|please|attempt\w*|tr(?:y|ies|ied) to|todo|let'?s|going to|in (?:the )?(?:future|next)|someday|you (?:can|may|need)|can be used|feel free|revert|go(?:ing)? back to|if (?:we|you|one|needed|possible|necessary))\b/i;

/** What is decided to go may still be there. */
export const isIntent = (sentence: string): boolean =>
  /\b(?:will|shall|must|need(?:s|ed)? to|ha(?:s|ve|d) to|decid\w+ to|agree[sd]? to|aims? to|able to|can|allow\w*|eventually|soon|plan\w*|instead of|rather than)\b/i.test(
    sentence,
  );

/** A path in such a sentence may be named because it is gone. */
export const isAboutPast = (sentence: string): boolean =>
  /\b(?:was|were|had|used to|former\w*|previous\w*|old|orphan\w*|delet\w+|remov\w+|gone|drop\w*|mov\w+|renam\w+|replac\w+|extract\w*|split\w*|merg\w+)\b/i.test(
    sentence,
  );

/** The rules read English: in another script a sentence may say that something is gone. */
const otherScript = /(?!\p{Script=Latin})\p{L}/u;

export const isOpen = (sentence: string): boolean =>
  /\?\s*$/.test(sentence) || open.test(sentence) || otherScript.test(sentence);

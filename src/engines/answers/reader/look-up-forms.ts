export type ToolKind = 'linter' | 'formatter' | 'type_checker' | 'test_framework';

/** A question that names what it is about exactly enough to be looked up instead of searched for. */
export type LookUp =
  | { kind: 'uses' | 'impact'; name: string }
  /** `which`: one kind of tests, or `one` for a single test. */
  | { kind: 'tools'; category: ToolKind; which?: string | undefined }
  | { kind: 'existing'; need: string }
  | { kind: 'people' | 'changes' | 'reverts' | 'together'; subject: string }
  /** What a change to something that is described, not named, can affect; and how its tests are run alone. */
  | { kind: 'described' | 'one test'; subject: string }
  /** The tests of a symbol, a file or a part. */
  | { kind: 'tests'; subject: string }
  /** The commit that added or removed something. */
  | { kind: 'added' | 'removed'; subject: string }
  /** What changed last, anywhere; and what failed before, about anything or a subject. */
  | { kind: 'recent' | 'failures'; subject: string }
  | { kind: 'definition' | 'value'; name: string }
  /** How something works, what version is used, and which setting has these words in its name. */
  | { kind: 'how' | 'version'; subject: string }
  /** `second`: another question behind it, which the value does not answer. */
  | { kind: 'setting'; subject: string; second?: string | undefined; measure?: string | undefined }
  /** A commit by what it did, or by the reason that it gives. */
  | { kind: 'commit'; subject: string; asks: 'why' | 'commit' }
  /** A file, with a line where one is named. */
  | { kind: 'why'; subject: string; line?: number | undefined };

const kinds =
  '(?:crate|gem|dependency|library|function|method|class|type|trait|struct|interface|enum|constant|hook|component|symbol|decorator|macro|variable|property|attribute|field|mixin|exception|protocol|constructor)';
const name = `(?:the )?(?:${kinds} )?[\`'"]?(?-i:(?<name>[\\p{L}_$][\\p{L}\\p{N}_$]*(?:(?:\\.|::|#)[\\p{L}\\p{N}_$]+)*))(?:\\(\\))?[\`'"]?(?: ${kinds})?`;
const change =
  '(?:(?:chang|renam|remov|delet|mov)(?:e|ed|ing)|(?:touch|edit|alter|refactor|break)(?:ed|ing)?|modif(?:y|ied|ying)|rewr(?:ite|ote|iting))(?: the signature of| the behaviou?r of)?';
/** Case is ignored outside the name only: V8 takes milliseconds to fold the class of all letters. */
const form = (pattern: string) => new RegExp(`^\\s*(?i:${pattern})\\s*\\??\\s*$`, 'u');

const usesForms = [
  form(
    `(?:what|who|which \\w+|what \\w+)(?: all| else| is| are)? (?:calls?|calling|uses?|using|invokes?|references?|instantiates?) ${name}`,
  ),
  form(
    `(?:from )?where (?:is|are|do we|does anything) (?:call |use )?${name}(?: (?:being )?(?:called|used|invoked|referenced|instantiated))(?: from)?`,
  ),
  form(
    `(?:how many|which|what) (?:callers|call sites|usages|uses|places) (?:does|do|has|have) ${name}(?: have)?`,
  ),
  form(`where do (?:we|you|I) (?:call|use|invoke) ${name}`),
  form(
    `(?:is|are) ${name} (?:still |ever |even |actually |really )*(?:used|called|invoked|referenced|needed|instantiated)(?: (?:anywhere|somewhere|at all|any ?more|by (?:anyone|anything|anybody|something)|still))*`,
  ),
  form(
    `(?:does|do) (?:anything|anyone|anybody|something|any code|we) (?:still |ever |even |actually )*(?:use|call|invoke|reference|need)s? ${name}(?: (?:anywhere|any ?more|at all))?`,
  ),
  form(`is there (?:any(?:thing|one|body)|something) (?:that )?(?:uses?|using|calls?|calling) ${name}`),
  form(`is ${name} (?:dead|unused)(?: code)?`),
  form(
    `(?:find |show |list |what are |who are |which are )?(?:me )?(?:all )?(?:the )?(?:callers|usages?|uses|references|call sites) (?:of|to) ${name}`,
  ),
];
const impactForms = [
  form(
    `what (?:else )?(?:will |would |might |could |can |does |may )?(?:breaks?|fails?|happens?|(?:is|be|gets?) affected|changes|needs? to change) (?:if|when) (?:(?:I|we|you|someone) )?${change} ${name}`,
  ),
  form(`what (?:all )?depends on ${name}`),
  form(
    `(?:what is |what's )?(?:the )?(?:impact|blast radius) of (?:(?:${change}|a change (?:of|to|in)) )?${name}`,
  ),
  form(`(?:is it safe to|can (?:I|we) (?:safely )?) ?${change} ${name}`),
];
/** Something that is described: `how colors are put on the text`. */
const describedForms = [
  new RegExp(
    `^what(?: else| all| things?| code)?\\b.{0,30}\\b(?:breaks?|affect(?:s|ed)?|impact(?:s|ed)?|fails?|depends?|stops? working|goes wrong|happens?)\\b.{0,12}\\b(?:if|when|by)\\b (?:(?:I|we|you|someone|somebody) )?(?:${change}|(?:bump|rais|lower|increas|decreas|replac|swap|drop|tweak)\\w*|chang\\w+) (?<subject>(?:how |the |where ).{5,150}?|\\S+ \\S+ .{3,150}?)\\s*\\??\\s*$`,
    'i',
  ),
];
const alone = '(?: (?:alone|only|by itself|by themselves|on its own|in isolation))?';
const running =
  "(?:(?:how (?:(?:do|can|should|would) (?:I|we|you)|to)|what(?:'s| is) the command to) (?:run|execute|start|launch))";
const ofKind =
  '(?:unit|integration|e2e|end-to-end|functional|smoke|single|specific|one|individual|particular|all|whole|full)';
const oneTestForms = [
  new RegExp(
    `^${running} (?:only |just |solely )?(?:the |a |one )?(?:${ofKind} )?(?:tests?|specs?)(?: cases?)? (?:for|of|about|on|covering|called|named|that (?:covers?|checks?|tests?)) (?:the )?(?<subject>[\\w./:# -]{3,80}?)${alone}\\s*\\??\\s*$`,
    'i',
  ),
  new RegExp(
    `^${running} (?:only|just|solely) (?:the )?(?!${ofKind} )(?<subject>[\\w./:# -]{3,60}?) (?:tests?|specs?)(?: cases?)?${alone}\\s*\\??\\s*$`,
    'i',
  ),
  new RegExp(
    `^${running} (?:the )?(?!${ofKind} )(?<subject>[\\w./:# -]{3,60}?) (?:tests?|specs?)(?: cases?)? (?:alone|only|by itself|by themselves|on its own|in isolation)\\s*\\??\\s*$`,
    'i',
  ),
];
const toolForms: Array<[pattern: RegExp, category: ToolKind]> = [
  [
    /^(?:which|what) (?:linter|lint tool)\b|^how (?:do|can|should) (?:I|we|you) (?:run the linter|lint)\b/i,
    'linter',
  ],
  [
    /^(?:which|what) (?:code )?formatter\b|^how (?:do|can|should) (?:I|we|you) (?:run the formatter|format (?:the |this |our )?(?:code|files?))\b/i,
    'formatter',
  ],
  [
    /^(?:which|what) type.?checker\b|^how (?:do|can|should) (?:I|we|you) (?:run the type.?checker|type.?check)\b/i,
    'type_checker',
  ],
  [
    /^(?:which|what)(?:'s| is| are)? (?:the )?(?:test (?:runner|framework|command)|commands? (?:runs?|to run|for running|do I (?:use|run) to run) (?:the |all )*tests?)\b|^how (?:(?:do|can|should) (?:I|we|you)|to) test (?:this|it|the (?:code|project|package|library))\s*\??$/i,
    'test_framework',
  ],
  [
    /^how (?:(?:do|can|should|would) (?:I|we|you)|to) (?:run|execute|start) (?:the |all |our |just |only |a |an |one (?=single|specific|individual|particular))*(?:(?<which>[\w-]+) )?(?:tests?|specs?)\b/i,
    'test_framework',
  ],
  [
    /^how (?:are|is|can|do) (?:the |our |all )*(?:(?<which>[\w-]+) )?(?:tests?|specs?) (?:suite )?(?:be )?(?:run|executed|started)\b/i,
    'test_framework',
  ],
];
function kindOfTests(which: string | undefined): string | undefined {
  if (!which || /^(?:all|whole|full|entire|complete|existing|project|its|these|your|my)$/i.test(which))
    return undefined;
  return /^(?:one|single|specific|individual|particular)$/i.test(which) ? 'one' : which.toLowerCase();
}

const existingForms = [
  /^(?:is there|are there|do we have|have we got|does (?:this|the) (?:repo(?:sitory)?|project|code ?base) have)(?: already)? (?:already )?(?:an?|any|some)? ?(?:existing )?(?:(?<what>[\w-]+) )??(?:helper|util(?:ity)?|function|component|hook|class|module|method|wrapper|something|anything|code|support|way|logic|implementation)s?(?: function)? (?:already |here |built in )*(?:for|to|that|which|of) (?<need>.{3,200}?)\s*\??\s*$/i,
  /^(?:is|are) there (?:already |currently |any |some |an? |built-in )*(?!(?:an?|any|some|already|currently|reasons?|difference|chance|need|plans?|problems?|issues?|bugs?|anyone|somebody|someone|tests?) ?)(?<need>[\w][\w +#-]{2,60}?)(?: (?:already|anywhere|somewhere|available))*\s*\??\s*$/i,
  /^(?:does|do|can) (?:this|it|we|you|the (?:repo(?:sitory)?|project|code ?base|library|tool|program)|[\w-]+) (?:already |currently )*(?:supports?|have|provides?|includes?|offers?|implements?|ships?|comes? with)(?: (?:any|an?|built-in|support for))* (?<need>[\w][\w +#./-]{2,60}?)\s*\??\s*$/i,
];
/** Whether it does something, where nothing else was asked. */
const doesForms = [
  /^(?:does|do|can) (?:this|it|the (?:repo(?:sitory)?|project|code ?base|library|tool|program|client|server|parser|package)|(?!(?:we|you|I|they|anyone|someone|people|anything|something|callers?|tests?)\b)[\w-]+) (?:already |currently |also |ever |really |actually |automatically )*(?!(?:work|mean|matter|need|take|happen|know|think|look|go|come|make|cost)s?\b)(?<need>\w{3,} [\w][\w +#./-]{2,80}?)\s*\??\s*$/i,
];

const somebody =
  '(?:(?:knows|understands) (?:the )?(?:most|best) (?:about )?|(?:knows|understands) (?:(?:most |best |a lot )?about )?|owns |wrote |authored |maintains |works (?:most |mostly )?on |worked (?:most )?on |has worked (?:the )?(?:most )?on |changed |changes |touched |contribute[sd] (?:the )?(?:most )?to |is responsible for |is (?:the|an|our) (?:expert|owner|maintainer|main author) (?:on|for|of|in|about) |(?:should|can|could|do|would) I (?:ask|talk to|contact) (?:about|for|on) |can help (?:me )?with )';
const peopleForms = [
  new RegExp(
    `^whom? (?!.*\\band (?:who|what|when|why|where|how|which)\\b)${somebody}(?:the )?(?<subject>[\\w./@ -]{2,100}?)(?: (?:best|most|the most))?\\s*\\??\\s*$`,
    'i',
  ),
  /^who (?:are|is) the (?:main|top|biggest|core|primary|most active) (?:contributors?|authors?|maintainers?|developers?|experts?)(?: (?:to|of|for|on|in|behind) (?:the )?(?<subject>[\w./@ -]{2,100}?))?\s*\??\s*$/i,
];

const place = '(?<subject>[\\w./@-]{1,200}?)/?';
/** Several words of a part: `the retry logic`. Times are read elsewhere. */
const partOnly = '(?<subject>[\\w./@-]+(?: [\\w./@-]+){0,3}?)/?';
const part = `(?:the )?(?!the )(?!.*\\b(?:last|since|past|yesterday|today|weeks?|months?|years?|days?|version|release|between|this|ago|repo|repository|project)\\b)${partOnly}`;
const lately = '(?: lately| recently| most recently)?';
const changesForms = [
  form(
    `what(?:'s| is| has| have| was)? (?:recently |lately )?(?:changed|new|been changed|been done|happened)${lately} (?:in|to|under|at|with|about) (?:the )?${part}${lately}`,
  ),
  form(
    `(?:what (?:are|were|is|was) |show (?:me )?|list )?(?:the )?(?:most )?(?:recent|latest|last|newest) (?:\\d+ )?(?:changes?|commits?|work|modifications?|updates?) (?:in|to|of|under|on|for|made to|that touched) (?:the )?${part}`,
  ),
  form(
    `(?:when was|who|who was it that) (?:the )?(?:last |most recently )(?:changed|modified|updated|touched|edited) (?:the )?${part}`,
  ),
  form(`when was (?:the )?${partOnly} (?:last|most recently) (?:changed|modified|updated|touched|edited)`),
];
const here = '(?: (?:here|in (?:this|the|our) (?:repo|repository|project|code ?base|code)))?';
const recentForms = [
  form(`what(?:'s| has| have)? (?:recently |lately )(?:changed|been changed|been committed)${here}`),
  form(`what(?:'s| has| have)? (?:changed|been changed|been committed)(?: lately| recently| last)${here}`),
  form(
    '(?:what (?:are|were) |show (?:me )?|list )?(?:the |all |our |my )?(?:most )?(?:recent|latest|newest|last) (?:\\d+ )?(?:changes|commits|modifications|edits|updates)',
  ),
  form(
    `(?:what|which) files? (?:(?:were|was|are|got|have been|has been|did (?:we|I)|have (?:we|I)) )?(?:recently |lately |last )?(?:chang|modif|edit|touch|updat)\\w*${lately}`,
  ),
];
const failure = '(?:failures?|mistakes?|errors?|problems?|failed (?:attempts?|approaches))';
const failuresForms = [
  form(
    `(?:are there |have there been |do we have |show (?:me )?|list |what are )?(?:any |the |all |our )?(?:(?:similar|recent|earlier|previous|known|past|recorded|prior) )+${failure}(?: (?:about|with|in|of|like|to|for|around) ${part})?`,
  ),
  form(
    `have (?:we|you|I) (?:ever )?(?:seen|had|met|hit) (?:this|that|such an?|the same|an?|any)(?: similar| such)? ${failure}(?: (?:here|before|already|earlier))*`,
  ),
  form(
    `what (?:has |have |had )?(?:failed|gone wrong|went wrong|did(?:n't| not) work)(?: (?:before|here|so far|last time|earlier|already|in the past))*(?: (?:with|in|about) ${part})?`,
  ),
];
const togetherForms = [
  form(
    `(?:what|which files?)(?: else| other files?)?(?: usually| often| normally)? changes? (?:together |along )?with (?:the )?(?:file )?${place}`,
  ),
  form(
    `(?:what|which files?)(?: else| other files?)?(?: usually| often| normally| mostly| typically)? (?:also )?(?:changes?|gets? changed|is changed|are changed|is edited|gets? edited|is touched|gets? touched)(?: too| as well| along)? (?:when|whenever|if) (?:(?:I|we|somebody|someone) (?:change|edit|touch) )?(?:the )?(?:file )?${place}(?: (?:changes|is changed|gets changed|is edited|is touched|does))?`,
  ),
  form(
    `(?:what|which files?)(?: else| other files?)?(?: usually| often| normally| mostly| typically)? (?:is|are|gets?) (?:usually |often |normally |mostly )?(?:changed|edited|touched|modified) (?:together |along )?with (?:the )?(?:file )?${place}`,
  ),
  form(
    `what else (?:should I|do I (?:have|need) to|must I|needs? to) (?:be )?changed? (?:when|if) I (?:change|edit|touch) (?:the )?(?:file )?${place}`,
  ),
];
const revertForms = [
  /^(?:why|when) (?:was|were|has|have|did) (?:the )?["'`]?(?<subject>.{3,200}?)["'`]? (?:been |get |got )?(?:reverted|undone|taken back|rolled back|backed out|put back|withdrawn)\s*\??\s*$/i,
  /^(?:what|which changes?|which commits?)(?: was| were| has been| have been| got)? reverted(?: lately| recently)?(?<subject>)\s*\??\s*$/i,
  /^(?:who|which commit|what commit) reverted (?:the )?["'`\u201c]?(?<subject>.{3,200}?)["'`\u201d]?\s*\??\s*$/i,
  /^when was (?:the )?["'`\u201c]?(?<subject>.{3,200}?)["'`\u201d]? reverted\s*\??\s*$/i,
  /^why (?:was|were|has|did) (?:the )?["'`\u201c]?(?<subject>.{3,200}?)["'`\u201d]? (?:been |get |got )?reverted\s*\??\s*$/i,
  /^why (?:did (?:we|they|you|somebody|someone)|was it necessary to) revert (?:the )?["'`]?(?<subject>.{3,200}?)["'`]?\s*\??\s*$/i,
];
/** What was added or removed: a name, an option, or words in quotation marks. */
const thing = `(?:the )?(?:${kinds} |option |flag |file )?["'\`\u201c]?(?<subject>(?<=["'\`\u201c]).{3,80}?|[\\w$.:#/@-]{3,100}?)(?:\\(\\))?["'\`\u201d]?(?: ${kinds}| option| flag| file| middleware| module| support| parameter| argument)?`;
const added = '(?:first )?(?:added|introduced|created|implemented)';
const removed = '(?:removed|dropped|deleted|taken out)';
const originForms = (did: string, does: string) => [
  form(`(?:when|why|by whom) (?:was|were|did) ${thing} (?:get )?${did}(?: for)?`),
  form(`(?:who|which commit|what commit) ${did} ${thing}`),
  form(`why did (?:we|they|you|somebody|someone) (?:${does}) ${thing}`),
];
const addedForms = originForms(added, 'add|introduce|create');
const removedForms = originForms(removed, 'remove|drop|delete');
/** `flag groups (MarkFlagsExclusive etc)` */
const also = '(?:\\s*\\((?<also>[^()]{2,100})\\))?';
const testsForms = [
  form(
    `(?:where (?:are|is)|which are|what are|show(?: me)?|find|list|are there(?: any)?|is there)? ?(?:the |a |any )?(?:unit )?tests? (?:for|of|covering|that covers?) ${part}${also}`,
  ),
  form(
    `(?:which|what) (?:unit )?tests? (?:covers?|exercises?|checks?|uses?|calls?|is for|are for) ${part}${also}`,
  ),
  form(`(?:where|how) (?:is|are) (?:the )?${part} (?:unit )?tested`),
];
const howForms = [
  /^how (?:does|do) (?:the )?[`'"]?(?<subject>[\p{L}\p{N}_$:.# -]{3,60}?)(?:\(\))?[`'"]? (?:work|function)(?: here| internally)?\s*\??\s*$/iu,
  /^(?:how (?:is|are) (?:the )?[`'"]?(?<subject>[\p{L}\p{N}_$:.# -]{3,60}?)(?:\(\))?[`'"]? implemented|(?:walk me through|explain) (?:how )?(?:the )?[`'"]?(?<name>[\p{L}\p{N}_$:.#]{3,60})(?:\(\))?[`'"]?(?: works?)?)\s*\??\s*$/iu,
];
const versionForms = [
  /^(?:what|which)(?:'s| is)? (?<subject>[\w@./-]{2,30}) (?:versions?|releases?) (?:is|are) (?:the )?(?:oldest|lowest|minimum|earliest|newest|latest)\b.{0,40}$/i,
  /^(?:what|which|how old an?) (?:version of )?(?<subject>[\w@./-]{2,30})(?: versions?)? (?:do I need|does (?:this|it) need|is needed|is required|must I have|do I have to have|can I (?:still )?use).{0,30}$/i,
  /^(?:what|which)(?:'s| is)? (?:the )?(?:oldest|lowest|minimum|earliest|newest|latest) (?<subject>[\w@./-]{2,30}?)(?: versions?)?(?: (?:that )?(?:is|it|this|we|are)? ?(?:supported|supports?|allowed|works?|needed|required|needs|runs? on))+\s*\??\s*$/i,
  /^(?:what|which) (?<subject>python|node(?:\.?js)?|ruby|java|php|rust|go(?:lang)?|kotlin|swift) (?:versions?|releases?) (?:do(?:es)?|is|are|can) .{2,40}$/i,
  /^(?:what|which)(?:'s| is)? (?:the )?(?:current |latest )?version(?: number)?(?: (?:is this|of (?:this|the) (?:project|package|library|repo(?:sitory)?)|are we (?:on|at)|do we have))?\s*\??\s*$/i,
  /^(?:what|which)(?:'s| is)? (?:the )?(?:minimum |min |minimal |lowest |oldest |required |supported )*(?<subject>[\w@./-]{2,60}?)(?: language)? version(?: (?:is|do we|does (?:this|it)|are we)? ?(?:required|supported|needed|need|use|using|required here))?\s*\??\s*$/i,
  /^(?:what|which)(?:'s| is)? (?:the )?(?:minimum |required |supported )?version of (?<subject>[\w@./-]{2,60})(?: (?:do we use|is used|is required|do we need|is needed|are we (?:on|using)))?\s*\??\s*$/i,
];
/** A second question behind the first is not answered by a value. */
const secondQuestion = '(?<second>,? and (?:what|which|how|who|where|when|why)\\b.*?)?';
const settingForms = [
  `what(?:'s| is) (?:the )?(?<subject>(?:default|max(?:imum)?|min(?:imum)?|initial)(?: [\\w-]+){1,4}?)(?: value| here| by default)?`,
  `what(?:'s| is| are) (?:the )?(?<subject>(?:default|max(?:imum)?|min(?:imum)?|initial|name|number|size|length|value|prefix|suffix)(?: (?!by\\b)[\\w-]+){0,4}? (?:of|for|in|when|used) (?:the |an? )?[\\w -]{3,50}?)(?: by default)?`,
  `(?:what|which)(?:'s| is| are)? (?:the )?(?<subject>[\\w-]+(?: [\\w-]+){0,4}?)(?: (?:is|are) (?:allowed|used|accepted|enabled|set|supported))? by default`,
  `(?:is|are) (?:the )?(?<subject>[\\w-]+(?: [\\w-]+){0,3}?)(?: (?:on|off|enabled|disabled|turned on|turned off|active))? by default`,
  `how (?<measure>many|long|big|large|wide|often|deep|high|much|small|old) (?<subject>[\\w-]+(?: [\\w-]+){0,9}?)(?: (?:are|is) there| by default)?`,
  `what(?:'s| is) (?:the )?(?<subject>[\\w-]+(?: [\\w-]+){0,3} (?:limit|timeout|size|interval|threshold|depth|length|count))`,
].map((pattern) => new RegExp(`^${pattern}${secondQuestion}\\s*\\??\\s*$`, 'i'));
const whyForm =
  /^why (?:is|are|was|were|does|do|did|has|have) (?:the )?(?:(?:line|file|code) )?(?:(?:in|at|of) )?["'`]?(?<subject>[\w@.-]+(?:\/[\w@.-]+)+|[\w@-]+\.\w{1,5})(?:(?::|#L| line )(?<line>\d{1,6}))?["'`]?(?: .{0,60})?\s*\??\s*$/i;
const did =
  '(?:remov|add|introduc|replac|mov|renam|chang|fix|dropp|delet|implement|rewr|switch|creat|deprecat|disabl|enabl|updat|bump|br[eo]k)\\w*';
const reasonForms = [
  /^(?:why|how come|what(?:'s| is| was) the (?:reason|rationale|motivation) (?:for|behind|that|why)) (?<subject>.{3,300}?)\s*\??\s*$/i,
];
const commitForms = [
  /^(?:in |by )?(?:which|what) (?:commits?|change|pull request|pr) (?<subject>.{3,300}?)\s*\??\s*$/i,
  /^(?:since )?when (?:was|were|did|has|have|had) (?<subject>.{3,300}?)\s*\??\s*$/i,
  new RegExp(`^who (?<subject>${did} .{3,300}?)\\s*\\??\\s*$`, 'i'),
  /^what (?:was|has been|did (?:we|they)) (?:done?|changed?) (?:about|against|for) (?<subject>.{3,300}?)\s*\??\s*$/i,
  /^what happened (?:to|with) (?<subject>.{3,300}?)\s*\??\s*$/i,
  /^(?:(?:was|were|has|have|did) )(?<subject>.{3,300}? ever .{3,100}?)\s*\??\s*$/i,
  /^(?<subject>.{3,200}? used to .{3,200}?)[,;.:] *(?:and )?(?:so )?(?:what|who|how|when|which) .{3,100}$/i,
];
const definitionForms = [
  form(
    `(?:where|in which file|in what file|which file|what file) (?:is|are|'s|can I find|do I find|do we define|do they define) (?:the )?(?:definition of |implementation of |declaration of )?${name}(?: (?:defined|declared|implemented|located|found|in))?`,
  ),
  form(`where's ${name}(?: (?:defined|declared|implemented|located))?`),
  form(`where does ${name} (?:live|come from|reside|sit)`),
  form(`where ${name} (?:is|are) (?:defined|declared|implemented|located)`),
  form(`(?:which|what) (?:file|module) (?:defines|declares|implements|contains|has) ${name}`),
  form(`(?:find|locate|go to|show(?: me)?) (?:the )?(?:definition of |implementation of )?${name}`),
  form(`(?:what is )?(?:the )?(?:definition|declaration|implementation) of ${name}`),
];
const valueForms = [
  form(
    `what(?:'s| is) (?:the )?(?:current )?(?:default )?(?:value|default|setting|limit) (?:of|for) ${name}`,
  ),
  form(`what(?:'s| is| does) ${name} (?:set|default|equal)(?: to)?(?: by default)?`),
  form(`what(?:'s| is) ${name} by default`),
  form(`where (?:is|are) ${name} (?:set|assigned|configured|initiali[sz]ed)`),
  form(`what(?:'s| is) (?:the )?default ${name}(?: value| setting)`),
  /^what(?:'s| is) (?:the )?[`'"]?(?<name>[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)[`'"]?\s*\??\s*$/,
  form(`what (?:value|default) (?:does|has) ${name}(?: have)?`),
];

/** Most messages begin otherwise and need no closer look. */
const opening =
  /^(?:what|when|whom?|why|in|from|by|go|locate|recent|latest|last|newest|most|definition|declaration|implementation|walk|explain|who|which|where|how|is|are|can|do|does|have|find|show|list|all|the|tests?|unit|impact|blast|callers?|usages?|uses|references|call|similar|past|previous|earlier|known|prior|recorded|any|our|since|was|were|has|did)(?:'s)?\b|\bused to\b/i;

/** What people say before and after what they want to know. */
const before =
  /^\s*(?:(?:hi|hey|hello|ok|okay|so|and|please)[,!]?\s+)*(?:(?:can|could|would) (?:you|someone|anyone) (?:please )?(?:tell|show) me|(?:please )?tell me|I(?:'d| would) like to know|I (?:want|need) to know|do you know|any idea),?\s+/i;
const after =
  /(?:,? (?:please|exactly|currently|right now|these days|at the moment|here|(?:in|of|for|inside|within) (?:this|our) (?:repo(?:sitory)?|project|code ?base|library|package)))+(?=\s*[?.!]*\s*$)/i;

const readers: Array<[forms: RegExp[], lookUp: (groups: Record<string, string>) => LookUp]> = [
  [impactForms, ({ name = '' }) => ({ kind: 'impact', name })],
  [usesForms, ({ name = '' }) => ({ kind: 'uses', name })],
  [describedForms, ({ subject = '' }) => ({ kind: 'described', subject })],
  [oneTestForms, ({ subject = '' }) => ({ kind: 'one test', subject })],
  ...toolForms.map(([pattern, category]): (typeof readers)[number] => [
    [pattern],
    ({ which }) =>
      which && /[a-z][A-Z]|_/.test(which)
        ? { kind: 'one test', subject: which }
        : { kind: 'tools', category, which: kindOfTests(which) },
  ]),
  [
    testsForms,
    ({ subject = '', also: names }) => ({
      kind: 'tests',
      subject: [subject, names && `(${names})`].filter(Boolean).join(' '),
    }),
  ],
  [failuresForms, ({ subject = '' }) => ({ kind: 'failures', subject })],
  [existingForms, ({ what, need }) => ({ kind: 'existing', need: [what, need].filter(Boolean).join(' ') })],
  [recentForms, () => ({ kind: 'recent', subject: '' })],
  [togetherForms, ({ subject = '' }) => ({ kind: 'together', subject })],
  [revertForms, ({ subject = '' }) => ({ kind: 'reverts', subject })],
  [changesForms, ({ subject = '' }) => ({ kind: 'changes', subject: subject.replace(/\/$/, '') })],
  [peopleForms, ({ subject = '.' }) => ({ kind: 'people', subject })],
  [addedForms, ({ subject = '' }) => ({ kind: 'added', subject })],
  [removedForms, ({ subject = '' }) => ({ kind: 'removed', subject })],
  [[whyForm], ({ subject = '', line }) => ({ kind: 'why', subject, line: line ? Number(line) : undefined })],
  [reasonForms, ({ subject = '' }) => ({ kind: 'commit', subject, asks: 'why' })],
  [commitForms, ({ subject = '' }) => ({ kind: 'commit', subject, asks: 'commit' })],
  [versionForms, ({ subject = '' }) => ({ kind: 'version', subject })],
  [howForms, ({ subject, name = '' }) => ({ kind: 'how', subject: subject ?? name })],
  [valueForms, ({ name = '' }) => ({ kind: 'value', name })],
  [
    settingForms,
    ({ subject = '', second, measure }) => ({
      kind: 'setting',
      subject,
      ...(second ? { second } : {}),
      ...(measure ? { measure } : {}),
    }),
  ],
  [definitionForms, ({ name = '' }) => ({ kind: 'definition', name })],
  [doesForms, ({ need = '' }) => ({ kind: 'existing', need })],
];

export function readLookUp(text: string): LookUp | undefined {
  const asked = text.replace(before, '').replace(after, '').trim();
  if (!opening.test(asked)) return undefined;
  return lookUpOf(asked) ?? (secondPart.test(asked) ? lookUpOf(asked.replace(secondPart, '')) : undefined);
}

/** Of two questions in one the first is looked up: mostly the second one asks more about the same. */
const secondPart = /,? and (?:by )?(?:whom?|what|when|why|where|how|which)\b.*$/i;

function lookUpOf(asked: string): LookUp | undefined {
  for (const [forms, lookUp] of readers)
    for (const each of forms) {
      const match = each.exec(asked);
      if (match) return lookUp(match.groups ?? {});
    }
  return undefined;
}

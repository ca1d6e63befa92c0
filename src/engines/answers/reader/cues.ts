/** A sign in the words, and how much it speaks for a lane. Weights add up; the difference to the next lane counts. */
export interface Cue {
  lane: string;
  pattern: RegExp;
  weight: number;
  /** What to say when it decided. */
  says: string;
}

const cue = (lane: string, weight: number, says: string, pattern: RegExp): Cue => ({
  lane,
  weight,
  says,
  pattern,
});

const surface =
  'button|toggle|modal|dialog|drawer|sidebar|navbar|menu|layout|spacing|padding|margin|colou?rs?|contrast|theme|dark mode|light mode|icons?|fonts?|typography|css|style(?:s|d|sheet)?|restyle|responsive|mobile view|small screens?|phones?|breakpoints?|accessib\\w+|aria|focus ring|design tokens?|wireframe|mock-?up|animat\\w+|banner|tooltip|card component|form looks?|widget|landing page|header|footer|skeleton|align(?:s|ed|ment)?|pixels?|hover|cursor|screen|cramped|placeholder';
const building =
  'add|implement|build|create|refactor|migrate|rename|remove|delete|make|support|switch|extract|replace|introduce|enable|convert|split|move|write|port|upgrade|drop|integrate|fix|change|rewrite|allow|expose|generate|set up|plan|break|bump|turn|let';
const reporting =
  'fixed|done|finished|completed|implemented|resolved|shipped|landed|merged|finali[sz]ed|wrapped up|removed|improved|added|integrated|refactored|migrated|closed|upgraded|deployed|pushed|released';

/** Signs of a lane, in the words that people use. What they are worth beside a message's other words was learned. */
export const cues: Cue[] = [
  // Questions about the code as it is.
  cue(
    'librarian LOCATE',
    3,
    'asks for a place',
    /^(?:so |and |hey,? )?where(?:'s| is| are| do| does| can| in| exactly|abouts)?\b(?!.*\b(?:leave off|left off|were we|was i|did (?:we|i)|i was|i stopped)\b)/i,
  ),
  cue(
    'librarian LOCATE',
    3,
    'asks which file',
    /\b(?:which|what|in which|in what) (?:files?|modules?|packages?|functions?|class(?:es)?|director(?:y|ies)|folders?|methods?)\b(?!.*\b(?:modified|changed|touched|flaky)\b)/i,
  ),
  cue(
    'librarian LOCATE',
    2.5,
    'asks to be shown code',
    /^(?:please )?(?:find|locate|show(?: me)?|point me|search for|look up|open|take me to|jump to)\b(?!.*\b(?:papers?|past|earlier|history|sessions?|help|status|health|recent|statistics|similar|tests?|docs)\b)/i,
  ),
  cue(
    'librarian LOCATE',
    3,
    'asks whether it is there already',
    /^(?:is|are) there (?:already|any existing|an existing)\b|^(?:is|are) there (?:an?|any) (?:[\w-]+ )?(?:helper|util(?:ity)?|function|component|hook|class|module|method|wrapper)s?\b|^do we (?:already )?have (?:an?|any) (?:existing )?(?:[\w-]+ )?(?:helper|util(?:ity)?|function|component|hook|class|module|method|wrapper)s?\b/i,
  ),
  cue(
    'librarian LOCATE',
    2,
    'looks for a piece of code',
    /\b(?:looking for|search(?:ing)? for) the\b|\b(?:is|are|gets?) (?:defined|located|declared|registered|implemented|configured|called from)\b/i,
  ),
  cue(
    'librarian PATTERN',
    3,
    'asks how things are done here',
    /\bhow (?:do|are|should) we\b(?! do it)|\b(?:our|house|usual|project'?s?) (?:\w+ )?(?:strateg|approach|convention|style|way|pattern|standard)/i,
  ),
  cue(
    'librarian PATTERN',
    2.5,
    'asks for a convention',
    /\bconventions?\b|\bnaming\b|\bstrategy\b|\bapproach(?:es)?\b|\b(?:which|what|design) patterns?\b|\bpatterns\b|\bpattern for\b|\b(?:our|the) pattern\b|\bhouse style\b|\barchitectural style\b/i,
  ),
  cue(
    'librarian PATTERN',
    2,
    'asks what we use',
    /\b(?:do|are) we (?:use|us|wrap|prefer|follow|structur|nam|test|log|validat)|\bwe (?:use|follow)\b|\bhow (?:is|are) (?:\w+ ){1,3}(?:done|organi[sz]ed|structured|handled|named|tested)\b|\bus(?:es|ed?) for (?:\w+ )*calls\b/i,
  ),
  cue(
    'librarian EXPLAIN',
    2.5,
    'asks how something works',
    /\bhow (?:does|do)\b(?! (?:we|i|you|one|other)\b)|\bhow (?:is|are) .*\b(?:\w{2,}ed|built|made|kept|sent|set|read|written|chosen)\b|^when (?:does|do|is|are)\b/i,
  ),
  cue(
    'librarian EXPLAIN',
    2.5,
    'asks for an explanation',
    /^(?:please )?(?:explain|describe|walk (?:me )?through|trace|help me understand|talk me through)\b/i,
  ),
  cue(
    'librarian EXPLAIN',
    2,
    'asks what something does',
    /\bwhat (?:does|do) (?:the|this|that|\w*[A-Z_]\w*)\b|\bwhat happens (?:if|when)\b|\bwhat is the purpose\b|\bwhy (?:does|do|is|are) (?:the|our|it)\b|\bwhat \w+(?: \w+)? does \w*[A-Z]\w*\b/i,
  ),
  cue(
    'librarian GENERAL',
    2,
    'asks about the code base',
    /\b(?:code ?base|tech stack|this (?:project|repo|repository|site)|the (?:project|repository|repo|codebase|backend|front ?end)|schema|package\.json|dependenc(?:y|ies)|subsystems?|main modules?|programming languages?|libraries|endpoints?|routes?|tables?|TODOs?)\b/i,
  ),
  cue(
    'librarian GENERAL',
    2,
    'asks what depends on what',
    /\b(?:depends? on|impact of|still used|who owns|talks? to|overview of)\b|^(?:list|all|how many|how big|(?:what|which) languages|what depends)\b|\bentry points?\b/i,
  ),

  // Questions about what was.
  cue(
    'archivalist HISTORICAL',
    3.5,
    'asks how something was done',
    /\bhow (?:did|had|have|was|were)\b(?!.*\b(?:turn(?:ed)? out|go|went|hold|held up)\b)/i,
  ),
  cue(
    'archivalist HISTORICAL',
    3.5,
    'asks why it was decided',
    /\bwhy (?:did|was|were|had|have) \b|\b(?:what|which|anything) (?:did|was|were|had|have|\w+ did) (?:we |been )?(?:decide|reject|settle|pick|choose|agree)|\bdid we decide\b|\b(?:our|which|what|the) decisions? (?:did|on|about|was|behind)\b|\bpast solutions?\b|\bwhat (?:was|were) (?:the (?:reason|solution|approach|rationale|idea|thinking)|decided)\b/i,
  ),
  cue(
    'archivalist HISTORICAL',
    2.5,
    'asks about an earlier time',
    /\blast time\b|\bpreviously\b|\bback then\b|\bwe used\b|\bhave we used\b|\bdid we (?:establish|take|use|solve|choose|do)\b|\bin the end\b|\bremember when\b|\bbefore the\b/i,
  ),
  cue(
    'archivalist ACTIVITY',
    3,
    'asks what happened',
    /\bwhat(?:'s| has| have|'s been)? (?:happened|changed|been (?:committed|going on|done|happening))\b|\bwhat (?:did|has|have) (?:we|you|the (?:agent|last person)|they|i) (?:\w+ )?(?:done?|do|finish\w*|try|tried|change\w*)\b|\bthe last thing\b/i,
  ),
  cue(
    'archivalist ACTIVITY',
    3,
    'asks for recent work',
    /\b(?:recent|latest|week's|month's|today's|yesterday's) (?:changes|edits|commits|work|activity)\b|\bchanges (?:to|in|of)\b|\bwhat was done\b|\bhistory of\b|\bactivity\b|\bwho (?:has |have |had )?(?:worked|touched|changed|joined|wrote|edited|committed)\b|\bchanged (?:in|on)\b|\b(?:modified|committed|touched)\b|\bwhat's new\b|\bfeatures? were (?:dropped|added|removed)\b|\bsince (?:monday|tuesday|wednesday|thursday|friday|the release|yesterday|last)\b/i,
  ),
  cue(
    'archivalist OUTCOME',
    3.5,
    'asks how it came out',
    /\b(?:result|outcome|status) of\b|\bcame? out of\b|\bturn(?:ed)? out\b|\bin the end\b|\bhow (?:well )?did .*\b(?:go|hold|perform)\b|^(?:did|does|was|were|has|have|is) (?:the|that|someone|it|switching|any|there any)\b.*\b(?:work|works|worked|succeed\w*|fail\w*|pass|fixed|resolved|merged|closed|help|helped|confirm\w*|faster|hold|held|failures?)\b/i,
  ),
  cue(
    'archivalist OUTCOME',
    2.5,
    'asks whether it worked',
    /\bdid (?:we|you|they) already fix\b|\b(?:been|ever|actually) (?:fixed|resolved|merged|closed|work)\b|\bwhich (?:of the )?\w+ (?:failed|succeeded|worked)\b|\bdid the .*(?:pass|succeed|help)\b|\bdid the .*\bwork\W*$/i,
  ),
  cue(
    'archivalist SIMILAR',
    3.5,
    'looks for the like',
    /\bsimilar\b|\bcomparable\b|\bresembl\w+|\blike (?:this|that|the one|the \w+ bug)\b|\bsame (?:error|bug|issue|memory leak|message|problem)\b|\bseen (?:this|that|it)\b.*\bbefore\b|\bcome up before\b|\bknown issue\b|\bprior discussion\b|\bduplicates? of\b|\blook(?:s)? like (?:this|the)\b|\brelated failures?\b|\bhave we (?:hit|seen|run into|had)\b|\bearlier incidents\b/i,
  ),
  cue(
    'archivalist RESUME',
    4,
    'wants to go on',
    /\b(?:leave|left) off\b|\bwhere (?:was|were) (?:i|we)\b|\bwhere (?:did )?i (?:was|stop|stopped)\b|\bwhat (?:was|were) (?:i|we) (?:doing|working on)\b|\bpick(?:ing)? (?:it |things |up)|^(?:resume|continue|carry on|back to|go on)\b(?!.*\bsession\b.*\b(?:id|called)\b)|\b(?:left|remains|remaining) to (?:do|be done)\b|\bnext (?:planned )?step\b|\bwhat's next\b|\bup to speed\b|\b(?:my|the) (?:last|previous) session\b|\btrain of thought\b|\blast checkpoint\b|\bopen issues we left\b|\bwhere i was\b|\bcurrent (?:state|status)\b/i,
  ),
  cue(
    'archivalist GENERAL',
    2.5,
    'asks the records in general',
    /\b(?:past|earlier|our) (?:decisions|sessions|failures|lessons|mistakes)\b|\blessons?\b|\btimeline\b|\brecorded\b|\bwritten down\b|\brecap\b|\blearned about my\b|\bwhat do we know\b|\b(?:over|in) (?:the years|time|the past)\b|\bfrom (?:history|earlier)\b|\bthe team\b|\bdecisions (?:have|were|did)\b|\bwhen was this project\b|\bhas .* existed\b|\boverview of last\b|\beveryone been\b/i,
  ),

  // What is told.
  cue(
    'archivalist store',
    4,
    'asks to keep it',
    /^(?:please )?(?:remember|record|store|note|save|log|document|keep in mind|write down|make a note|don'?t forget|add to memory|for the record|put this|memori[sz]e|jot|let the archive)\b(?!.*\bwhen we\b)(?! (?:file|level|handler|rotation))/i,
  ),
  cue(
    'archivalist store',
    2,
    'asks to keep it',
    /\b(?:save|remember|record|note|store|log) (?:this|that|it|the (?:fix|decision|insight|pattern)|my preference)\b|\bfor (?:next time|future reference|the record)\b|\bin the log\b/i,
  ),
  cue(
    'archivalist check',
    3.5,
    'checks before acting',
    /\bcheck (?:if|whether|for conflicts|past|our|the records)\b|\bbefore (?:i|we|claiming|touching|editing|changing)\b|\b(?:gotchas?|pitfalls?|objections?|contradict\w*|recorded (?:mistakes|against)|(?:a|earlier|known) warnings?)\b|\bverify against\b|\bam i about to\b|\bwould this repeat\b|\brule[d]? out\b|\balready (?:tried|know)\b|\bhas this approach failed\b|\bsomebody else (?:editing|on)\b/i,
  ),
  cue(
    'archivalist declare',
    5,
    'announces work',
    /^(?:hi,? )?(?:i(?:'m| am|'ll| will|'d like to) (?:going to|about to|starting|start|working|work|taking|take|refactoring|happy to take|planning|be|continue|try|claim|own|begin)|starting (?:on|with)|working on|taking over|taking|going to (?:try|work|refactor)|planning to|beginning with|next i(?:'ll| will)|my plan|this session is about|declaring|heads up|about to|i own|can i (?:claim|take)|i am about)\b/i,
  ),
  cue(
    'archivalist complete',
    3.5,
    'reports work as done',
    new RegExp(
      `^(?:i(?:'ve| have)? |we(?:'ve| have)? |just |all |it(?:'s| is) |task |now )?(?:${reporting})\\b(?! (?:bug|issue|test)s? \\?)`,
      'i',
    ),
  ),
  cue(
    'archivalist complete',
    3,
    'reports work as done',
    /\b(?:is|are|has been|have been|now) (?:done|finished|complete|fixed|ready)\b(?!.*\?)|\bcomplete$|\btests green\b|\bworks without\b|^that's it for\b|\bhand this off\b|\bclosing\b|^(?:we|i) (?:shipped|removed|landed|merged|finished|fixed|improved)\b/i,
  ),

  // Knowledge from outside.
  cue(
    'academic RESEARCH',
    4,
    'asks for best practice',
    /\b(?:best|good|common) practices?\b|\bindustry standard\b|\brecommend(?:ed|s|ation|ations)?\b|\bstate of the art\b|\bpros and cons\b|\bliterature\b|\bpapers?\b(?! size)|\bthe docs say\b|\bper the rfc\b|\brfc\b|\bgood idea\b|\btrade-?offs?\b/i,
  ),
  cue(
    'academic RESEARCH',
    3.5,
    'compares',
    /\bvs\.?\b|\bversus\b|^compare\b|\bdifference between\b|\bspeaks for\b|\bdecide between\b|\bor \w+, what\b/i,
  ),
  cue(
    'academic RESEARCH',
    3.5,
    'asks for research',
    /^(?:research|investigate|study|learn about|look up how|find papers|tell me about (?!yourself))\b|\bhow (?:would|should|could) (?:i|one|you|(?:\w+ ){1,3}be)\b|\bwhen should (?:one|i|you)\b|\bother projects\b|\beffective techniques\b|\bhow do (?:you|other|people) (?:decide|projects|choose)\b/i,
  ),
  cue(
    'academic RESEARCH',
    2,
    'names a thing known outside',
    /\b(?:circuit breaker|garbage collection|event sourcing|CRDTs?|virtual DOM|eventual consistency|optimistic locking|exponential backoff|microservices|monorepo|GraphQL|gRPC|message queue|TCP|UDP|JWT|OAuth)\b/i,
  ),

  cue('academic RESEARCH', 2, 'names a thing by its general name', /\b(?:pattern|algorithm|protocol)$/i),

  // Work that needs agents.
  cue(
    'architect PLAN',
    2.5,
    'asks for something to be built',
    new RegExp(
      `^(?:please |can you |could you |let'?s |we (?:should|need to|must) |i (?:want|need|would like) (?:to |you to )?|feature request:? ?)*(?:${building})\\b(?! (?:papers?|a note|me))`,
      'i',
    ),
  ),
  cue(
    'architect PLAN',
    2,
    'asks for a change of the code',
    /\bfeature request\b|\bplease change it\b|\binto (?:tasks|its own|a queue|steps)\b|\bi want (?:this|it)\b|\b(?:must|should) (?:raise|return|support|be)\b|\bsupport for\b/i,
  ),
  cue(
    'architect CHANGE',
    3.5,
    'changes what was planned',
    /^(?:stop|wait|hold|pause|cancel|abort|actually|no,|not that|halt|approve|looks good|go ahead|reopen|putting off|skip|leave out|use the|instead|drop everything|also\b|ok,? do|change step|please hold)\b/i,
  ),
  cue(
    'architect CHANGE',
    2.5,
    'changes what was planned',
    /\binstead$|\bthe plan\b|\bchanged my mind\b|\broll back\b|\btaking (?:so|this|that) long\b|\bfor now$|\bcurrent run\b|\bin favour of\b|\bsecond option\b|\bstep (?:one|two|three|four|\d)\b|\buntil (?:monday|tomorrow|next|the new)\b/i,
  ),
  cue('designer DESIGN', 3, 'is about how it looks', new RegExp(`\\b(?:${surface})\\b`, 'i')),
  cue(
    'designer DESIGN',
    2,
    'asks for a look',
    /^(?:design|restyle|polish|animate|align|underline|style|make (?:the|our) \w+ (?:responsive|collapse|bigger|smaller))\b|\blooks?\b.*\b(?:cramped|off|ugly|better|hard to see)\b|\bhard to see\b|\boverlap/i,
  ),
  cue(
    'inspector INSPECT',
    3.5,
    'asks for a review',
    /\b(?:review|audit|inspect|validate|critique|lint(?:er)?|type checker|code smells?|acceptance criteria|vulnerabilit\w+|misconfigurations?|style violations|violations|race conditions?|security (?:pass|issues|holes|review)|compliance|safe to merge|uncommitted changes|look over|inspection|findings?)\b(?!.*\b(?:we had|in the queue)\b)/i,
  ),
  cue(
    'inspector INSPECT',
    2,
    'asks for a judgement',
    /^(?:analy[sz]e|check|summari[sz]e the diff)\b(?!.*\b(?:whether|if|past|status|conflicts)\b)|\bhighlight risks\b|\bsuggest improvements\b|\bknown holes\b|\byou (?:found|reported)\b/i,
  ),
  cue(
    'tester TEST',
    3,
    'is about tests',
    /\b(?:unit|integration|regression|e2e|load|property|failing|flaky|end[- ]to[- ]end) tests?\b|\btests?\b(?! (?:key|project|data)).*\b(?:for|of|please|plan|cases?|suite|missing)\b|\bcoverage\b|\bcovered\b|\bspecs?\b|\bmock\b|\bsuite\b|\btest (?:the|plan|cases?)\b|\bno tests\b|\bskip (?:the )?tests\b|\btests? (?:are|is) flaky\b/i,
  ),
  cue('tester TEST', 1.5, 'names tests', /\btests?\b/i),

  // The Guide itself.
  cue(
    'guide HELP',
    4,
    'asks for help',
    /^(?:help|usage|\?|show help|commands)\W*$|\bwhat can (?:you|i) (?:do|ask|type)\b|\b(?:which|what|list) (?:available )?(?:commands|agents|tools do you)\b(?!.*\b(?:online|up|running|reachable|healthy)\b)|\bavailable agents\b|\b(?:tell me )?about yourself\b|\bget started\b|\bslash command\b|\bwhat (?:do you understand|is the guide|should i type)\b|\bi can ask you\b|\bwhich agents can i\b|\bexplain the commands\b|\bhow (?:do i|does one) (?:use|send|address|ask|talk)\b|\bwho answers\b/i,
  ),
  cue(
    'guide STATUS',
    4,
    'asks how the system is',
    /^(?:status|health)\W*$|\b(?:system|service|server|agents?|bus|router|memory system|index) (?:status|health|healthy|doing|up|online|running|up to date|reachable|still running)\b|\bhealthy?\b(?! check)|\bdead letters?\b|\bcircuit breaker (?:open|state)\b|\bany circuit breaker\b|\bmessages are waiting\b|\brouting statistics\b|\banything stuck\b|\bagents? (?:are )?(?:up|online|reachable)\b|\breachable\b|\bstate of the (?:router|bus|guide)\b|\bis the (?:index|agent|archivalist|librarian|academic|guide)\b|\bguide doing\b/i,
  ),
  cue(
    'guide SESSION',
    4,
    'is about sessions',
    /^(?!how many|number of).*\b(?:list|show|open|close|start|new|create|switch|change to|suspend|pause|complete|end|name|which|what|fresh|all|other|this|called|in its own)\b.*\bsessions?\b(?!.*\b(?:is about|is to|told|token|store|past)\b)|\bsession (?:am i|list|called)\b|\bsuspend\b|\bthe session called\b/i,
  ),
];

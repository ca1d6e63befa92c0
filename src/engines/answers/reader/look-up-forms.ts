export type ToolKind = 'linter' | 'formatter' | 'type_checker' | 'test_framework';

/** A question that names what it is about exactly enough to be looked up instead of searched for. */
export type LookUp =
  | { kind: 'uses' | 'impact'; name: string }
  /** `which`: one kind of tests, or `one` for a single test. */
  | { kind: 'tools'; category: ToolKind; which?: string | undefined }
  | { kind: 'existing'; need: string }
  | { kind: 'people' | 'changes' | 'reverts' | 'together'; subject: string }
  | { kind: 'definition' | 'value'; name: string }
  /** How something works, what version is used, and which setting has these words in its name. */
  | { kind: 'how' | 'version' | 'setting'; subject: string }
  /** A file, with a line where one is named. */
  | { kind: 'why'; subject: string; line?: number | undefined };

const kinds = '(?:function|method|class|type|trait|struct|interface|enum|constant|hook|component|symbol)';
const name = `(?:the )?(?:${kinds} )?[\`'"]?(?-i:(?<name>[\\p{L}_$][\\p{L}\\p{N}_$]*(?:(?:\\.|::|#)[\\p{L}\\p{N}_$]+)*))(?:\\(\\))?[\`'"]?(?: ${kinds})?`;
const change = '(?:change|remove|rename|delete|touch|edit|modify|rewrite|move)';
/** Case is ignored outside the name only: V8 takes milliseconds to fold the class of all letters. */
const form = (pattern: string) => new RegExp(`^\\s*(?i:${pattern})\\s*\\??\\s*$`, 'u');

const usesForms = [
  form(`(?:what|who|which \\w+)(?: all)? (?:calls?|uses?|invokes?|references?) ${name}`),
  form(
    `where (?:is|are|do we|does anything) (?:call |use )?${name}(?: (?:called|used|invoked|referenced))(?: from)?`,
  ),
  form(`where do (?:we|you|I) (?:call|use|invoke) ${name}`),
  form(
    `(?:find |show |list )?(?:me )?(?:all )?(?:the )?(?:callers|usages?|uses|references|call sites) (?:of|to) ${name}`,
  ),
];
const impactForms = [
  form(
    `what (?:else )?(?:will |would |might |could |can |does |may )?(?:breaks?|fails?|(?:is|be|gets?) affected|changes) (?:if|when) (?:(?:I|we|you|someone) )?${change} ${name}`,
  ),
  form(`what (?:all )?depends on ${name}`),
  form(
    `(?:what is |what's )?(?:the )?(?:impact|blast radius) of (?:(?:changing|removing|renaming|deleting|a change (?:of|to|in)) )?${name}`,
  ),
  form(`(?:is it safe to|can (?:I|we) (?:safely )?) ?${change} ${name}`),
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
    /^(?:which|what) (?:test (?:runner|framework|command)|command runs (?:the |all )?tests?)\b/i,
    'test_framework',
  ],
  [
    /^how (?:(?:do|can|should|would) (?:I|we|you)|to) (?:run|execute|start) (?:the |all |our |just |only |a |an )*(?:(?<which>[\w-]+) )?(?:tests?|specs?)\b/i,
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

const existingForm =
  /^(?:is there|are there|do we have|have we got|does (?:this|the) (?:repo(?:sitory)?|project|code ?base) have)(?: already)? (?:already )?(?:an?|any|some)? ?(?:existing )?(?:(?<what>[\w-]+) )??(?:helper|util(?:ity)?|function|component|hook|class|module|method|wrapper|something|anything|code|support|way|logic|implementation)s?(?: function)? (?:already |here |built in )*(?:for|to|that|which|of) (?<need>.{3,200}?)\s*\??\s*$/i;

const peopleForm =
  /^who (?:(?:knows|understands) (?:the )?(?:most|best) (?:about )?|knows (?:(?:most |best |a lot )?about )?|owns |wrote |maintains |works (?:most )?on |changed |changes |touched |should I ask about )(?:the )?(?<subject>[\w./@ -]{2,100}?)(?: (?:best|most|the most))?\s*\??\s*$/i;

const place = '(?<subject>[\\w./@-]{1,200}?)/?';
const changesForms = [
  form(
    `what(?:'s| is| has| was)? (?:changed|new|been changed|been done|happened)(?: lately| recently)? (?:in|to|under|at|with) (?:the )?${place}(?: (?:folder|directory|file))?(?: lately| recently)?`,
  ),
  form(
    `(?:show (?:me )?)?(?:the )?(?:recent|latest|last|newest) (?:changes|commits|work) (?:in|to|of|under|on) (?:the )?${place}(?: (?:folder|directory|file))?`,
  ),
];
const togetherForms = [
  form(
    `(?:what|which files?)(?: else| other files?)?(?: usually| often| normally)? changes? (?:together |along )?with (?:the )?(?:file )?${place}`,
  ),
  form(
    `what else (?:should I|do I (?:have|need) to|must I|needs? to) (?:be )?changed? (?:when|if) I (?:change|edit|touch) (?:the )?(?:file )?${place}`,
  ),
];
const revertForms = [
  /^why (?:was|were|has|did) (?:the )?["'`\u201c]?(?<subject>.{3,200}?)["'`\u201d]? (?:been |get |got )?reverted\s*\??\s*$/i,
  /^why (?:did (?:we|they|you|somebody|someone)|was it necessary to) revert (?:the )?["'`]?(?<subject>.{3,200}?)["'`]?\s*\??\s*$/i,
];
const howForms = [
  /^how (?:does|do) (?:the )?[`'"]?(?<subject>[\p{L}\p{N}_$:.# -]{3,60}?)(?:\(\))?[`'"]? (?:work|function)(?: here| internally)?\s*\??\s*$/iu,
  /^(?:how (?:is|are) (?:the )?[`'"]?(?<subject>[\p{L}\p{N}_$:.# -]{3,60}?)(?:\(\))?[`'"]? implemented|(?:walk me through|explain) (?:how )?(?:the )?[`'"]?(?<name>[\p{L}\p{N}_$:.#]{3,60})(?:\(\))?[`'"]?(?: works?)?)\s*\??\s*$/iu,
];
const versionForms = [
  /^(?:what|which)(?:'s| is)? (?:the )?(?:current |latest )?version(?: number)?(?: (?:is this|of (?:this|the) (?:project|package|library|repo(?:sitory)?)|are we (?:on|at)|do we have))?\s*\??\s*$/i,
  /^(?:what|which)(?:'s| is)? (?:the )?(?:minimum |min |minimal |lowest |oldest |required |supported )*(?<subject>[\w@./-]{2,60}?)(?: language)? version(?: (?:is|do we|does (?:this|it)|are we)? ?(?:required|supported|needed|need|use|using|required here))?\s*\??\s*$/i,
  /^(?:what|which)(?:'s| is)? (?:the )?(?:minimum |required |supported )?version of (?<subject>[\w@./-]{2,60})(?: (?:do we use|is used|is required|do we need|is needed|are we (?:on|using)))?\s*\??\s*$/i,
];
const settingForms = [
  /^what(?:'s| is) (?:the )?(?<subject>(?:default|max(?:imum)?|min(?:imum)?|initial)(?: [\w-]+){1,4}?)(?: value| here| by default)?\s*\??\s*$/i,
  /^what(?:'s| is) (?:the )?(?<subject>[\w-]+(?: [\w-]+){0,3} (?:limit|timeout|size|interval|threshold|depth|length|count))\s*\??\s*$/i,
];
const whyForm =
  /^why (?:is|are|was|were|does|do|did|has|have) (?:the )?(?:(?:line|file|code) )?(?:(?:in|at|of) )?["'`]?(?<subject>[\w@.-]+(?:\/[\w@.-]+)+|[\w@-]+\.\w{1,5})(?:(?::|#L| line )(?<line>\d{1,6}))?["'`]?(?: .{0,60})?\s*\??\s*$/i;
const definitionForms = [
  form(`(?:where|in which file) (?:is|are) ${name}(?: (?:defined|declared|implemented|located))?`),
  form(`(?:find|locate|go to|show(?: me)?) (?:the )?(?:definition of |implementation of )?${name}`),
  form(`(?:what is )?(?:the )?(?:definition|declaration|implementation) of ${name}`),
];
const valueForms = [
  form(
    `what(?:'s| is) (?:the )?(?:current )?(?:default )?(?:value|default|setting|limit) (?:of|for) ${name}`,
  ),
  form(`what(?:'s| is) ${name} set to`),
  /^what(?:'s| is) (?:the )?[`'"]?(?<name>[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)[`'"]?\s*\??\s*$/,
  form(`what (?:value|default) (?:does|has) ${name}(?: have)?`),
];

/** Most messages begin otherwise and need no closer look. */
const opening =
  /^\s*(?:what|why|in|go|locate|recent|latest|last|newest|definition|declaration|implementation|walk|explain|who|which|where|how|is|are|can|do|does|have|find|show|list|all|the|impact|blast|callers?|usages?|uses|references|call)\b/i;

export function readLookUp(text: string): LookUp | undefined {
  if (!opening.test(text)) return undefined;
  const named = (forms: RegExp[]) => forms.map((each) => each.exec(text)?.groups?.['name']).find(Boolean);
  const impact = named(impactForms);
  if (impact) return { kind: 'impact', name: impact };
  const used = named(usesForms);
  if (used) return { kind: 'uses', name: used };
  for (const [pattern, category] of toolForms) {
    const match = pattern.exec(text.trim());
    if (match) return { kind: 'tools', category, which: kindOfTests(match.groups?.['which']) };
  }
  const existing = existingForm.exec(text.trim())?.groups;
  if (existing)
    return { kind: 'existing', need: [existing['what'], existing['need']].filter(Boolean).join(' ') };
  const subject = peopleForm.exec(text.trim())?.groups?.['subject'];
  if (subject) return { kind: 'people', subject };
  const about = (forms: RegExp[]) =>
    forms.map((each) => each.exec(text.trim())?.groups?.['subject']).find(Boolean);
  const together = about(togetherForms);
  if (together) return { kind: 'together', subject: together };
  const changed = about(changesForms);
  if (changed) return { kind: 'changes', subject: changed };
  const reverted = about(revertForms);
  if (reverted) return { kind: 'reverts', subject: reverted };
  const why = whyForm.exec(text.trim())?.groups;
  if (why?.['subject'])
    return { kind: 'why', subject: why['subject'], line: why['line'] ? Number(why['line']) : undefined };
  const versioned = versionForms.map((each) => each.exec(text.trim())).find(Boolean);
  if (versioned) return { kind: 'version', subject: versioned.groups?.['subject'] ?? '' };
  const how = howForms.map((each) => each.exec(text.trim())?.groups).find(Boolean);
  const worked = how?.['subject'] ?? how?.['name'];
  if (worked) return { kind: 'how', subject: worked };
  const valued = named(valueForms);
  if (valued) return { kind: 'value', name: valued };
  const set = about(settingForms);
  if (set) return { kind: 'setting', subject: set };
  const defined = named(definitionForms);
  return defined ? { kind: 'definition', name: defined } : undefined;
}

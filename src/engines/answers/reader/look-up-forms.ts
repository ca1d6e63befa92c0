export type ToolKind = 'linter' | 'formatter' | 'type_checker' | 'test_framework';

/** A question that names what it is about exactly enough to be looked up instead of searched for. */
export type LookUp =
  | { kind: 'uses' | 'impact'; name: string }
  | { kind: 'tools'; category: ToolKind }
  | { kind: 'existing'; need: string }
  | { kind: 'people' | 'changes' | 'reverts'; subject: string }
  | { kind: 'definition' | 'value'; name: string };

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
    /^(?:which|what) test (?:runner|framework|command)\b|^how (?:do|can|should) (?:I|we|you) run (?:the |all |our |all the )?(?:\w+ )?tests?\b|^how (?:are|is) (?:the |our )?(?:\w+ )?tests? (?:suite )?run\b/i,
    'test_framework',
  ],
];
const existingForm =
  /^(?:is there|are there|do we have|have we got|does (?:this|the) (?:repo(?:sitory)?|project|code ?base) have)(?: already)? (?:already )?(?:an?|any|some)? ?(?:existing )?(?:(?<what>[\w-]+) )??(?:helper|util(?:ity)?|function|component|hook|class|module|method|wrapper)s?(?: function)? (?:already )?(?:for|to|that|which) (?<need>.{3,200}?)\s*\??\s*$/i;

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
const revertForms = [
  /^why (?:was|were|has|did) (?:the )?["'`\u201c]?(?<subject>.{3,200}?)["'`\u201d]? (?:been |get |got )?reverted\s*\??\s*$/i,
  /^why (?:did (?:we|they|you|somebody|someone)|was it necessary to) revert (?:the )?["'`]?(?<subject>.{3,200}?)["'`]?\s*\??\s*$/i,
];
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
  form(`what (?:value|default) (?:does|has) ${name}(?: have)?`),
];

/** Most messages begin otherwise and need no closer look. */
const opening =
  /^\s*(?:what|why|in|go|locate|recent|latest|last|newest|definition|declaration|implementation|who|which|where|how|is|are|can|do|does|have|find|show|list|all|the|impact|blast|callers?|usages?|uses|references|call)\b/i;

export function readLookUp(text: string): LookUp | undefined {
  if (!opening.test(text)) return undefined;
  const named = (forms: RegExp[]) => forms.map((each) => each.exec(text)?.groups?.['name']).find(Boolean);
  const impact = named(impactForms);
  if (impact) return { kind: 'impact', name: impact };
  const used = named(usesForms);
  if (used) return { kind: 'uses', name: used };
  for (const [pattern, category] of toolForms)
    if (pattern.test(text.trim())) return { kind: 'tools', category };
  const existing = existingForm.exec(text.trim())?.groups;
  if (existing)
    return { kind: 'existing', need: [existing['what'], existing['need']].filter(Boolean).join(' ') };
  const subject = peopleForm.exec(text.trim())?.groups?.['subject'];
  if (subject) return { kind: 'people', subject };
  const about = (forms: RegExp[]) =>
    forms.map((each) => each.exec(text.trim())?.groups?.['subject']).find(Boolean);
  const changed = about(changesForms);
  if (changed) return { kind: 'changes', subject: changed };
  const reverted = about(revertForms);
  if (reverted) return { kind: 'reverts', subject: reverted };
  const valued = named(valueForms);
  if (valued) return { kind: 'value', name: valued };
  const defined = named(definitionForms);
  return defined ? { kind: 'definition', name: defined } : undefined;
}

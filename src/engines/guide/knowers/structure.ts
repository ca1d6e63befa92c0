import { compose, type Found, type KnowerAnswer, type KnowerQuestion } from './knower.ts';

export type ToolKind = 'linter' | 'formatter' | 'type_checker' | 'test_framework';

/** A question that names what it is about exactly enough to be looked up instead of searched for. */
export type StructureQuestion =
  | { kind: 'uses' | 'impact'; name: string }
  | { kind: 'tools'; category: ToolKind }
  | { kind: 'existing'; need: string }
  | { kind: 'people'; subject: string };

export interface Structure {
  found: Found[];
  /** How many there are in all. */
  total: number;
}

/** What the index of the code and of its conventions knows; nothing where a name is not a symbol. */
export interface StructureParts {
  uses(name: string, limit: number): Promise<Structure | undefined>;
  impact(name: string, limit: number): Promise<Structure | undefined>;
  tools(category: ToolKind): Promise<Structure>;
  existing(need: string, limit: number): Promise<Structure>;
  /** What was remembered about it, which no index knows. */
  remembered(about: string, session: string, limit: number): Promise<Found[]>;
  /** Who changed it most; nobody where no file or folder is called so. */
  people(subject: string, limit: number): Promise<Structure & { path?: string }>;
}

/** What it turned out to be about, which its form says better than its words. */
export interface LookedUp extends KnowerAnswer {
  target: 'librarian' | 'archivalist';
  intent: 'LOCATE' | 'PATTERN' | 'ACTIVITY';
  subject: string;
}

const most = 12;
const mostRemembered = 3;

const kinds = '(?:function|method|class|type|trait|struct|interface|enum|constant|hook|component|symbol)';
const name = `(?:the )?(?:${kinds} )?[\`'"]?(?<name>[\\p{L}_$][\\p{L}\\p{N}_$]*(?:(?:\\.|::|#)[\\p{L}\\p{N}_$]+)*)(?:\\(\\))?[\`'"]?(?: ${kinds})?`;
const change = '(?:change|remove|rename|delete|touch|edit|modify|rewrite|move)';
const form = (pattern: string) => new RegExp(`^\\s*${pattern}\\s*\\??\\s*$`, 'iu');

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
  /^who (?:(?:knows|understands) (?:the )?(?:most|best) (?:about )?|knows (?:most |best |a lot )?about |owns |wrote |maintains |works (?:most )?on |changed |changes |touched |should I ask about )(?:the )?(?<subject>[\w./@ -]{2,100}?)(?: (?:best|most|the most))?\s*\??\s*$/i;

/** Most messages begin otherwise and need no closer look. */
const opening =
  /^\s*(?:what|who|which|where|how|is|are|can|do|does|have|find|show|list|all|the|impact|blast|callers?|usages?|uses|references|call)\b/i;

export function readStructureQuestion(text: string): StructureQuestion | undefined {
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
  return subject ? { kind: 'people', subject } : undefined;
}

/** Looked up, or nothing where the question is of no such form or nothing is known: then it is searched for. */
export async function answerByStructure(
  parts: StructureParts,
  { query, session }: Pick<KnowerQuestion, 'query' | 'session'>,
): Promise<LookedUp | undefined> {
  const question = readStructureQuestion(query);
  if (!question) return undefined;
  const known = await lookUp(parts, question);
  if (!known || (known.found.length === 0 && question.kind !== 'uses')) return undefined;
  const { found, total } = known;
  const about = aboutOf(question);
  const remembered = await parts.remembered(
    question.kind === 'tools' ? query : about.subject,
    session,
    mostRemembered,
  );
  const more = total > found.length && 'name' in question;
  return {
    ...compose(
      [
        {
          heading: headingOf(question, known),
          found,
          none: 'Nothing that the index sees; a call by another name or from outside is not seen.',
        },
        { heading: 'remembered', found: remembered },
      ],
      {
        notes: more
          ? [
              `${total - found.length} more: sylk ${question.kind === 'uses' ? 'callers' : 'impact'} ${question.name}`,
            ]
          : [],
      },
    ),
    status: 'ok',
    ...about,
  };
}

function aboutOf(question: StructureQuestion): Pick<LookedUp, 'target' | 'intent' | 'subject'> {
  if (question.kind === 'people')
    return { target: 'archivalist', intent: 'ACTIVITY', subject: question.subject };
  if (question.kind === 'tools')
    return { target: 'librarian', intent: 'PATTERN', subject: question.category };
  const subject = question.kind === 'existing' ? question.need : question.name;
  return { target: 'librarian', intent: 'LOCATE', subject };
}

async function lookUp(
  parts: StructureParts,
  question: StructureQuestion,
): Promise<(Structure & { path?: string }) | undefined> {
  switch (question.kind) {
    case 'uses':
      return parts.uses(question.name, most);
    case 'impact':
      return parts.impact(question.name, most);
    case 'tools':
      return parts.tools(question.category);
    case 'existing':
      return parts.existing(question.need, 5);
    case 'people':
      return parts.people(question.subject, 5);
  }
}

function headingOf(question: StructureQuestion, { total, path }: Structure & { path?: string }): string {
  if (question.kind === 'uses') return `what uses ${question.name}: ${counted(total, 'place')}`;
  if (question.kind === 'impact')
    return `a change of ${question.name} reaches ${counted(total, 'file')}, nearest first`;
  if (question.kind === 'tools') return 'as this project does it';
  if (question.kind === 'people')
    return `who changed ${path} most, of ${total === 1 ? 'one person' : `${total} people`}`;
  return 'there already';
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

import { isNode, LineCounter, parseDocument, parse as parseYaml } from 'yaml';
import { closest } from '../../base/closest.ts';
import { messageOf, SylkError } from '../../base/errors.ts';
import { type Plan, planNodeSchema, planSchema, type Touch } from '../../stores/runs/index.ts';
import { checkPlan, type PlanProblem } from './plan-check.ts';

/**
 * Reads a plan that can run from JSON, YAML, or Markdown; throws with every reason why it can't. A Markdown plan has a heading, a
 * paragraph that says what is wanted, and a table with the columns id, agent, prompt, and, if needed, depends on, touches,
 * criteria, constraints, priority.
 */
export function readPlan(text: string): Plan {
  const { plan, problems } = parsePlanText(text);
  if (plan) return plan;
  const reasons = problems.map(problemText);
  throw new SylkError('VALIDATION_ERROR', `This plan can't run. ${reasons.join(' ')}`, {
    hint: 'A plan has a prompt and nodes, each with id, agent and prompt. See docs/runs.md for an example.',
  });
}

export const problemText = ({ node, message, line }: PlanProblem): string =>
  `${[node, line === undefined ? '' : `${node ? '(' : ''}line ${line}${node ? ')' : ''}`].filter(Boolean).join(' ')}${node || line !== undefined ? ': ' : ''}${message}`;

/** The plan, or everything that keeps the text from being one that can run: each problem with its node and line where it has one. */
export function parsePlanText(text: string): { plan?: Plan; nodes: number; problems: PlanProblem[] } {
  const { raw, lineOf } = parsePlan(text);
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
    return { nodes: 0, problems: [{ node: '', message: noPlan }] };
  const parsed = planSchema.safeParse(raw);
  const issues = parsed.error?.issues.slice(0, 20) ?? [];
  const wrong = issues.map(({ path, ...issue }) => {
    const [list, at] = path;
    const isOfNode = list === 'nodes' && typeof at === 'number';
    const place = placeOf(isOfNode ? path.slice(2) : path);
    return {
      at: isOfNode ? at : undefined,
      node: isOfNode ? nameOf(raw, at) : '',
      message: explain(place, issue),
    };
  });
  const plan = parsed.data ?? readableParts(raw);
  // What the schema does not know is looked for in the rest, so that a person mends everything at once.
  const impossible = plan ? checkPlan(plan).problems : [];
  const ids = plan?.nodes.map(({ id }) => id) ?? [];
  const problems = [...wrong, ...impossible].map(({ at, node, message }) => {
    const place = at ?? ids.lastIndexOf(node);
    return { node, message, line: place < 0 ? undefined : lineOf(place) };
  });
  const nodes = plan?.nodes.length ?? 0;
  return parsed.success && problems.length === 0
    ? { plan: parsed.data, nodes, problems }
    : { nodes, problems };
}

/** A plan of those fields that are as they should be; undefined where there is no list of nodes. */
function readableParts(raw: object): Plan | undefined {
  const { nodes, execution_order } = raw as { nodes?: unknown; execution_order?: unknown };
  if (!Array.isArray(nodes) || nodes.length === 0) return undefined;
  const order = planSchema.shape.execution_order.safeParse(execution_order);
  const read = nodes.map((node: unknown, at) => {
    const fields = Object.entries(planNodeSchema.shape).flatMap(([name, schema]) => {
      const given = (node as Record<string, unknown> | null)?.[name];
      return given !== undefined && schema.safeParse(given).success ? [[name, given] as const] : [];
    });
    return {
      id: nameOf(raw, at).replaceAll(/[^\w.-]/g, '-'),
      agent: 'engineer',
      prompt: '-',
      ...Object.fromEntries(fields),
    };
  });
  const plan = planSchema.safeParse({ prompt: '-', nodes: read, execution_order: order.data });
  return plan.data;
}

const noPlan =
  'This is no plan. A plan has the fields prompt and nodes, or a heading and a table of nodes with the columns id, agent and prompt.';

/** A node by its id, or by its place where it has none. */
function nameOf(raw: unknown, at: number): string {
  const id = (raw as { nodes?: Array<{ id?: unknown }> }).nodes?.[at]?.id;
  return typeof id === 'string' && id !== '' ? id.slice(0, 64) : `node ${at + 1}`;
}

type Issue = { code?: string; message: string; keys?: string[]; input?: unknown };

function explain(place: string, { code, message, keys = [] }: Issue): string {
  const known = [...Object.keys(planNodeSchema.shape), ...Object.keys(planSchema.shape)];
  if (code === 'unrecognized_keys')
    return keys
      .map((key) => {
        const near = closest(key, known);
        return `"${key}" is no field${place ? ` of ${place}` : ''}.${near ? ` Did you mean "${near}"?` : ''}`;
      })
      .join(' ');
  if (/received undefined$/.test(message)) return `${place || 'The plan'} is missing.`;
  return `${place ? `${place}: ` : ''}${message}.`;
}

const placeOf = (path: PropertyKey[]): string =>
  path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '');

interface ParsedText {
  raw: unknown;
  /** The line of a node, by its place in the list. */
  lineOf(at: number): number | undefined;
}

function parsePlan(text: string): ParsedText {
  try {
    if (!text.trim().startsWith('{') && /^\s*\|.*\|\s*$/m.test(text)) return parseMarkdown(text);
    // JSON is YAML, except for what only its own parser says well.
    const raw = text.trim().startsWith('{') ? JSON.parse(text) : parseYaml(text, { maxAliasCount: 0 });
    const lines = new LineCounter();
    const document = parseDocument(text, { lineCounter: lines });
    return {
      raw,
      lineOf: (at) => {
        const node = document.getIn(['nodes', at], true);
        return isNode(node) && node.range ? lines.linePos(node.range[0]).line : undefined;
      },
    };
  } catch (error) {
    // A parser shows the lines below its first one, which the person has anyway.
    const [reason = ''] = messageOf(error).split('\n');
    throw new SylkError('VALIDATION_ERROR', `The plan can't be read: ${reason.replace(/:$/, '.')}`, {
      hint: 'Write it as YAML, JSON, or Markdown with a table of nodes. See docs/runs.md for an example.',
      cause: error,
    });
  }
}

const cellsOf = (row: string): string[] =>
  row
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.replaceAll('\\|', '|').trim());

const list = (cell: string | undefined, separator: RegExp): string[] =>
  (cell ?? '')
    .split(separator)
    .map((item) => item.trim().replace(/^`|`$/g, ''))
    .filter((item) => item !== '' && item !== '-' && item !== '–');

/** `src/a.ts`, `src/a.ts (40%)`, `package.json (shared)`. */
function readTouch(text: string): unknown {
  const [, path = text, percent, shared] = /^(.*?)\s*\((?:(\d+)\s*%)?,?\s*(shared)?\)$/.exec(text) ?? [];
  return {
    path: path.replace(/^`|`$/g, ''),
    probability: percent === undefined ? undefined : Number(percent) / 100,
    shared: shared === undefined ? undefined : true,
  };
}

function writeTouch({ path, probability, shared }: Touch): string {
  const notes = [probability < 1 && `${Math.round(probability * 100)}%`, shared && 'shared'].filter(Boolean);
  return notes.length > 0 ? `${path} (${notes.join(' ')})` : path;
}

function parseMarkdown(text: string): ParsedText {
  const lines = text.split('\n');
  const isRow = (line: string) => line.trim().startsWith('|');
  const rows = lines.filter(isRow);
  const places = lines.flatMap((line, at) => (isRow(line) ? [at + 1] : []));
  const [header = '', ruler = '', ...body] = rows;
  if (!/^[\s|:-]+$/.test(ruler)) throw new Error('the table has no line of dashes under its heading');
  const columns = cellsOf(header).map((name) => name.toLowerCase().replace(/[\s_]+/g, ' '));
  const first = lines.findIndex((line) => line.trim().startsWith('|'));
  const prose = lines.slice(0, first).filter((line) => line.trim() !== '');
  const raw = {
    prompt: prose.map((line) => line.replace(/^#+\s*/, '')).join('\n'),
    nodes: body.map((row) => {
      const cells = cellsOf(row);
      const cell = (name: string) => cells[columns.indexOf(name)];
      return {
        id: cell('id'),
        agent: cell('agent') || 'engineer',
        prompt: cell('prompt') ?? cell('task'),
        depends_on: list(cell('depends on'), /[,;\s]+/),
        touches: list(cell('touches'), /[,;]+/).map(readTouch),
        compliance_criteria: list(cell('criteria'), /;/),
        context: { constraints: list(cell('constraints'), /;/) },
        metadata: { priority: cell('priority') || undefined },
      };
    }),
  };
  return { raw, lineOf: (at) => places[at + 2] };
}

/** The same plan as a table that a person can edit. What a table has no column for is kept by the revision it came from. */
export function writePlanMarkdown(plan: Plan): string {
  const escapeCell = (text: string) => text.replaceAll('|', '\\|').replace(/\s*\n\s*/g, ' ');
  const rows = plan.nodes.map((node) =>
    [
      node.id,
      node.agent,
      node.prompt,
      node.depends_on.join(', '),
      node.touches.map(writeTouch).join(', '),
      node.compliance_criteria.join('; '),
      node.context.constraints.join('; '),
      node.metadata.priority,
    ].map(escapeCell),
  );
  const header = ['id', 'agent', 'prompt', 'depends on', 'touches', 'criteria', 'constraints', 'priority'];
  const table = [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return `# ${plan.prompt.split('\n').join('\n\n')}\n\n${table.join('\n')}\n`;
}

import { messageOf, SylkError } from '../../base/errors.ts';

/** A task of another tool, in our format. */
export interface ForeignTask {
  /** The tool's own id; a repeated id is the same task. */
  key: string;
  title: string;
  summary: string;
  description: string;
  priority: 'HIGH' | 'MEDIUM' | 'LOW';
  complexity: number;
  tags: string[];
  state: 'open' | 'started' | 'done';
  /** The parent of other tasks. */
  isParent: boolean;
  parent?: string;
  blockedBy: string[];
  relatedTo: string[];
}

export const taskFormats = ['json', 'github', 'todowrite', 'beads'] as const;
export type TaskFormat = (typeof taskFormats)[number];

export interface ForeignTasks {
  format: TaskFormat;
  tasks: ForeignTask[];
  /** Intentionally skipped items, such as pull requests. */
  ignored: number;
  problems: Array<{ item: string; message: string }>;
}

type Item = Record<string, unknown>;

/** Reads tasks from JSON or from one JSON object per line. Unreadable items are problems; the rest is still read. */
export function readForeignTasks(text: string, wanted?: TaskFormat): ForeignTasks {
  const { items, problems } = parseItems(text);
  const format = wanted ?? formatOf(items);
  const result: ForeignTasks = { format, tasks: [], ignored: 0, problems };
  for (const [at, item] of items.entries()) {
    // GitHub lists pull requests among issues.
    if (format === 'github' && item['pull_request']) result.ignored++;
    else {
      const task = taskOf(item, at);
      if (task.title) result.tasks.push(task);
      else problems.push({ item: `${at + 1}`, message: 'It has no title.' });
    }
  }
  return result;
}

function parseItems(text: string): { items: Item[]; problems: ForeignTasks['problems'] } {
  const problems: ForeignTasks['problems'] = [];
  let whole: unknown;
  try {
    whole = JSON.parse(text);
  } catch (error) {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    if (!lines[0]?.trim().startsWith('{') || lines.length < 2) throw notJson(messageOf(error));
    const items = lines.flatMap((line, at): Item[] => {
      try {
        return [JSON.parse(line) as Item];
      } catch (failure) {
        problems.push({ item: `line ${at + 1}`, message: messageOf(failure) });
        return [];
      }
    });
    return { items: items.filter(isItem), problems };
  }
  const list = Array.isArray(whole)
    ? whole
    : ['todos', 'issues', 'tasks', 'items', 'newTodos']
        .map((key) => (isItem(whole) ? whole[key] : undefined))
        .find((inner) => Array.isArray(inner));
  const items = (list as unknown[] | undefined) ?? (isItem(whole) ? [whole] : []);
  return {
    items: items.map((item) => (typeof item === 'string' ? { title: item } : item)).filter(isItem),
    problems,
  };
}

const isItem = (value: unknown): value is Item =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const notJson = (why: string) =>
  new SylkError('VALIDATION_ERROR', `Neither JSON nor one JSON object per line: ${why}`, {
    hint: 'Examples: `gh issue list --json number,title,body,labels,state,url`, .beads/issues.jsonl, or [{"title": "…"}].',
  });

function formatOf(items: Item[]): TaskFormat {
  const some = (...keys: string[]) => items.some((item) => keys.every((key) => key in item));
  if (some('number', 'title')) return 'github';
  if (some('issue_type') || some('dependencies', 'id')) return 'beads';
  if (some('content', 'status')) return 'todowrite';
  return 'json';
}

function taskOf(item: Item, at: number): ForeignTask {
  const title = textAt(item, 'title', 'name', 'content', 'subject').replace(/\s+/g, ' ').trim().slice(0, 255);
  const body = textAt(item, 'body', 'description', 'details', 'notes');
  const labels = labelsOf(item);
  const address = textAt(item, 'html_url', 'url');
  const links = linksOf(item);
  return {
    key: textAt(item, 'number', 'id', 'key') || title || `${at + 1}`,
    title,
    summary: (textAt(item, 'summary') || firstParagraph(body) || title).slice(0, 1000),
    description: [body, textAt(item, 'design'), textAt(item, 'acceptance_criteria'), address]
      .filter(Boolean)
      .join('\n\n')
      .slice(0, 30_000),
    priority: priorityOf(item['priority'], labels),
    complexity: complexityOf(item['complexity'] ?? item['estimate']),
    tags: labels.slice(0, 50),
    state: stateOf(textAt(item, 'state', 'status')),
    isParent: item['issue_type'] === 'epic' || item['type'] === 'epic',
    ...links,
  };
}

function textAt(item: Item, ...keys: string[]): string {
  for (const key of keys) {
    const value = item[key];
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
    if (typeof value === 'number') return String(value);
  }
  return '';
}

const firstParagraph = (body: string): string =>
  body
    .split(/\n\s*\n/, 1)
    .join('')
    .replace(/\s+/g, ' ')
    .trim();

function labelsOf(item: Item): string[] {
  const given = item['labels'] ?? item['tags'] ?? [];
  const list: unknown[] = typeof given === 'string' ? given.split(',') : [given].flat().filter(Boolean);
  const names = list.map((label) => (isItem(label) ? textAt(label, 'name') : String(label)));
  return [...new Set(names.map((name) => name.trim().toLowerCase().slice(0, 100)).filter(Boolean))];
}

/** Words, or numbers where 0 is the most urgent and 2 is in the middle of five. */
function priorityOf(given: unknown, labels: string[]): ForeignTask['priority'] {
  const said = [String(given ?? ''), ...labels].join(' ').toLowerCase();
  const number = typeof given === 'number' ? given : undefined;
  if ((number !== undefined && number < 2) || /\b(?:high|urgent|critical|blocker|p0|p1)\b/.test(said))
    return 'HIGH';
  if ((number !== undefined && number > 2) || /\b(?:low|minor|trivial|p3|p4)\b/.test(said)) return 'LOW';
  return 'MEDIUM';
}

const complexityOf = (given: unknown): number => {
  const number = Math.round(Number(given));
  return given !== null && given !== '' && number >= 1 && number <= 10 ? number : 5;
};

function stateOf(word: string): ForeignTask['state'] {
  if (/^(?:closed|done|completed|complete|cancelled|resolved|wont_?fix)$/i.test(word)) return 'done';
  return /^(?:in[_ -]?progress|active|started|doing)$/i.test(word) ? 'started' : 'open';
}

function linksOf(item: Item): Pick<ForeignTask, 'blockedBy' | 'relatedTo' | 'parent'> {
  const blockedBy = new Set(idsIn(item['blockedBy'] ?? item['blocked_by'] ?? item['depends_on']));
  const relatedTo = new Set<string>();
  let parent = textAt(item, 'parent', 'parent_id');
  for (const link of Array.isArray(item['dependencies']) ? item['dependencies'] : []) {
    if (!isItem(link)) {
      blockedBy.add(String(link));
      continue;
    }
    const target = textAt(link, 'depends_on_id', 'id');
    if (!target) continue;
    const type = textAt(link, 'type', 'dependency_type') || 'blocks';
    if (type === 'blocks') blockedBy.add(target);
    else if (type === 'parent-child') parent = target;
    else relatedTo.add(target);
  }
  return { blockedBy: [...blockedBy], relatedTo: [...relatedTo], parent: parent || undefined };
}

const idsIn = (given: unknown): string[] => [given ?? []].flat().map(String);

import { SylkError } from '../../base/errors.ts';
import { type CodeStore, reachedFiles } from '../../stores/code/index.ts';
import { type History, type HistoryView, relatedFiles } from '../../stores/history/index.ts';
import { isConsultedAgent, type Plan, type PlanNode, type Touch } from '../../stores/runs/index.ts';
import { type OpenedRecall, suggestTouches } from '../recall/index.ts';

export interface TouchSources {
  recall: Pick<OpenedRecall, 'question' | 'rankFiles'>;
  history: Pick<History, 'ignoredRevisions'>;
  view: HistoryView;
  code: Pick<CodeStore, 'symbols' | 'linked'>;
}

export interface AddedTouch {
  node: string;
  path: string;
  probability: number;
  why: string;
}

/** Below it a touch says nothing. */
const leastProbability = 0.1;
const mostAdded = 8;
/** Search alone, and a link in the code alone, never keep two nodes apart: even with a certain touch they stay below the threshold. */
const searchWeight = 0.4;
/** Whoever named files has thought of others that the words lead to. */
const searchWeightBesideNamed = 0.2;
const linkWeight = 0.2;

/** Adds files that the nodes of a plan will probably change besides those it names, from what the repository remembers. */
export async function completeTouches(
  plan: Plan,
  sources: TouchSources,
): Promise<{ plan: Plan; added: AddedTouch[] }> {
  const added: AddedTouch[] = [];
  const nodes: PlanNode[] = [];
  for (const node of plan.nodes) {
    const found = isConsultedAgent(node.agent) ? [] : await foundFor(node, sources);
    added.push(...found);
    const touches = found.map(({ path, probability }): Touch => ({ path, probability, shared: false }));
    nodes.push({ ...node, touches: [...node.touches, ...touches].slice(0, 200) });
  }
  return { plan: { ...plan, nodes }, added };
}

async function foundFor(node: PlanNode, sources: TouchSources): Promise<AddedTouch[]> {
  const { view, recall } = sources;
  const evidence = createEvidence();
  const declared = node.touches.filter(({ path }) => view.find(path) !== undefined);
  for (const touch of declared) {
    addCochange(evidence, touch, sources);
    addLinks(evidence, touch, sources);
  }
  const paths = declared.map(({ path }) => path);
  const task = [node.prompt, ...node.context.constraints].join('\n').slice(0, 20_000);
  const weight = node.touches.length > 0 ? searchWeightBesideNamed : searchWeight;
  for (const { path, score, why } of await suggestTouches(recall, sources, task, paths))
    evidence.add(path, weight * Math.min(1, score), why);
  const isNamed = (path: string) =>
    node.touches.some(
      (touch) => touch.path === path || (touch.path.endsWith('/') && path.startsWith(touch.path)),
    );
  return evidence
    .all()
    .filter(({ path, probability }) => probability >= leastProbability && !isNamed(path))
    .slice(0, mostAdded)
    .map((touch) => ({ node: node.id, ...touch }));
}

/** How often the other file changed in the commits of the one that is named. */
function addCochange(
  evidence: Evidence,
  { path, probability }: Touch,
  { history, view }: TouchSources,
): void {
  const id = view.find(path);
  if (id === undefined) return;
  for (const { name, support } of relatedFiles(history, view, id, { minCount: 2 }).slice(0, 10))
    evidence.add(
      name,
      probability * support,
      `changed in ${Math.round(support * 100)} % of the commits of ${path}`,
    );
}

/** Files that use the one that is named. */
function addLinks(evidence: Evidence, { path, probability }: Touch, { code }: TouchSources): void {
  const symbol = fileSymbol(code, path);
  if (!symbol) return;
  const links = code.linked(symbol, { direction: 'in', depth: 1, limit: 200 });
  for (const { path: user, confidence } of reachedFiles(links, path).slice(0, 20))
    evidence.add(user, probability * linkWeight * confidence, `uses ${path}`);
}

/** Git tracks files that the index of the code leaves out: pictures, and what is too large. */
function fileSymbol(code: TouchSources['code'], path: string) {
  try {
    return code.symbols(path).find((each) => each.path === path);
  } catch (error) {
    if (error instanceof SylkError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

/** What speaks for each file, as if the reasons did not know of each other. */
function createEvidence() {
  const files = new Map<string, { miss: number; best: number; why: string }>();
  return {
    add: (path: string, probability: number, why: string): void => {
      const known = files.get(path) ?? { miss: 1, best: 0, why };
      const isBest = probability > known.best;
      files.set(path, {
        miss: known.miss * (1 - Math.min(0.95, probability)),
        best: isBest ? probability : known.best,
        why: isBest ? why : known.why,
      });
    },
    all: () =>
      [...files]
        .map(([path, { miss, why }]) => ({ path, probability: Math.round((1 - miss) * 100) / 100, why }))
        .toSorted((left, right) => right.probability - left.probability || (left.path < right.path ? -1 : 1)),
  };
}
type Evidence = ReturnType<typeof createEvidence>;

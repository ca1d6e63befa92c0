import type { Library } from '../../base/library/index.ts';
import type { FoldedState } from './folded-state.ts';
import type { RunTables } from './tables.ts';

/** The names of parts that are stored beside the row of the run: big, and seldom changed by an event. */
const wholeParts = ['plan', 'proposal'] as const;
const nodePart = (id: string) => `node ${id}`;

/** The rest of a state: small, and written with every event. */
export const headOf = (state: FoldedState): string =>
  JSON.stringify({
    ...state,
    plan: undefined,
    proposal: undefined,
    nodes: undefined,
    order: state.nodes.map(({ id }) => id),
  });

/** Writes what an event has changed. Deciding copies what it changes, so that what is the same object is the same. */
export async function storeParts(
  library: Library,
  before: FoldedState | undefined,
  state: FoldedState,
): Promise<void> {
  const old = partsOf(before);
  const parts = partsOf(state);
  const isOld = new Set(old.map(({ part }) => part));
  const isKept = new Set(parts.map(({ part }) => part));
  const changed = parts.filter(({ part }) => !isOld.has(part));
  const removed = old
    .filter(({ part, name }) => !isKept.has(part) && !changed.some((each) => each.name === name))
    .map(({ name }) => name);
  const db = library.tables<RunTables>();
  if (changed.length > 0)
    await library.post(
      db
        .insertInto('run_parts')
        .values(changed.map(({ name, part }) => ({ run_id: state.run, name, body: JSON.stringify(part) })))
        .onConflict((conflict) =>
          conflict.columns(['run_id', 'name']).doUpdateSet(({ ref }) => ({ body: ref('excluded.body') })),
        ),
    );
  if (removed.length > 0)
    await library.post(
      db.deleteFrom('run_parts').where('run_id', '=', state.run).where('name', 'in', removed),
    );
}

interface Part {
  name: string;
  part: object;
}

function partsOf(state: FoldedState | undefined): Part[] {
  if (!state) return [];
  const whole = wholeParts.flatMap((name): Part[] => (state[name] ? [{ name, part: state[name] }] : []));
  for (const node of state.nodes) whole.push({ name: nodePart(node.id), part: node });
  return whole;
}

/** The state of a run, put together; one statement, so that its parts belong together. Before format 2 the head was all of it. */
export async function readState<State extends FoldedState>(
  library: Library,
  run: string,
): Promise<State | undefined> {
  const db = library.tables<RunTables>();
  const rows = await db
    .selectFrom('run_parts')
    .select(['name', 'body'])
    .where('run_id', '=', run)
    .unionAll(
      db
        .selectFrom('runs')
        .select(({ val }) => [val('head').as('name'), 'state as body'])
        .where('id', '=', run),
    )
    .execute();
  const parts = new Map(rows.map(({ name, body }) => [name, JSON.parse(body)]));
  const head = parts.get('head');
  if (!head?.order) return head;
  const { order, ...state } = head;
  for (const name of wholeParts) if (parts.has(name)) state[name] = parts.get(name);
  return { ...state, nodes: order.map((id: string) => parts.get(nodePart(id))) };
}

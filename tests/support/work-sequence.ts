import type { fixedClock } from '../../src/base/clock.ts';
import { SylkError } from '../../src/base/errors.ts';
import type { openAreas } from '../../src/stores/areas/index.ts';
import type { openWork, StagedRecord, TaskRecord } from '../../src/stores/work/index.ts';

/** A second, plain telling of the rules: maps and sets, no SQL. The stores must agree with it after every step. */
interface Item {
  kind: 'feature' | 'task';
  feature: string | undefined;
  status: string;
  rank: number;
  complexity: number;
  born: number;
  tags: Set<string>;
  blockedBy: Set<string>;
  version: number;
  claim: { by: string; token: string; until: number } | undefined;
}

interface Area {
  kind: 'atom' | 'molecule';
  molecule: string | undefined;
  version: number;
  entries: number;
}

export interface ModelReport {
  operations: number;
  refused: Record<string, number>;
  conflicts: number;
}

export const states = ['NEW', 'ACTIVE', 'CLOSED'];
const exit = 'WILL_NOT_IMPLEMENT';
const final = (status: string) => status === 'CLOSED' || status === exit;
const ranks = ['HIGH', 'MEDIUM', 'LOW'] as const;

interface Run {
  work: ReturnType<typeof openWork>;
  areas: ReturnType<typeof openAreas>;
  clock: ReturnType<typeof fixedClock>;
  report: ModelReport;
  length: number;
  random: () => number;
}

/** One random sequence of all writes; throws at the first disagreement. */
export async function runSequence({ work, areas, clock, report, length, random }: Run): Promise<void> {
  const by = { actor: 'model', person: true };
  const pick = <T>(list: T[]): T | undefined => list[Math.floor(random() * list.length)];
  const chance = (share: number) => random() < share;
  const project = await work.createContainer(by, { kind: 'project', name: 'P', summary: 's' });
  const items = new Map<string, Item>();
  const known = new Map<string, Area>();
  let births = 0;
  let anyTask: string | undefined;

  const expectCode = async (code: string | undefined, act: () => Promise<unknown>): Promise<unknown> => {
    report.operations++;
    try {
      const reply = await act();
      if (code !== undefined) throw new Error(`expected ${code}, but it was done`);
      return reply;
    } catch (error) {
      if (!(error instanceof SylkError)) throw error;
      if (error.code !== code)
        throw new Error(`expected ${code ?? 'success'}, got ${error.code}: ${error.message}`);
      report.refused[code] = (report.refused[code] ?? 0) + 1;
      return undefined;
    }
  };
  /** Usually the right version; sometimes an old one, which must be refused. */
  const versionFor = (version: number) =>
    chance(0.15) ? Math.max(0, version - 1 - Math.floor(random() * 2)) : version;
  const live = (item: Item) => item.claim !== undefined && item.claim.until > clock.now();

  const reaches = (from: string, target: string): boolean => {
    const seen = new Set<string>();
    const open = [from];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (id === target) return true;
      if (seen.has(id)) continue;
      seen.add(id);
      open.push(...(items.get(id)?.blockedBy ?? []));
    }
    return false;
  };
  const release = (id: string) => {
    for (const other of items.values()) {
      if (!other.blockedBy.delete(id)) continue;
      other.version++;
    }
  };
  const settleFeature = (item: Item) => {
    const feature = item.feature === undefined ? undefined : items.get(item.feature);
    if (!feature || final(feature.status)) return;
    if (!final(item.status)) {
      if (item.status === 'ACTIVE' && feature.status === 'NEW') {
        feature.status = 'ACTIVE';
        feature.version++;
      }
      return;
    }
    const siblings = [...items.values()].filter((other) => other.feature === item.feature);
    if (!siblings.every((other) => final(other.status))) return;
    feature.status = siblings.every((other) => other.status === exit) ? exit : 'CLOSED';
    feature.version++;
    if (feature.status === 'CLOSED') release(item.feature!);
  };

  const steps: Record<string, () => Promise<void>> = {
    create: async () => {
      const kind = chance(0.2) ? 'feature' : 'task';
      const feature =
        kind === 'task' && chance(0.6)
          ? pick([...items].filter(([, item]) => item.kind === 'feature').map(([id]) => id))
          : undefined;
      const rank = Math.floor(random() * 3);
      const complexity = 1 + Math.floor(random() * 10);
      const code =
        feature !== undefined && final(items.get(feature)!.status) ? 'INVALID_OPERATION' : undefined;
      const home = feature === undefined ? { projectId: project.id } : { featureId: feature };
      clock.advance(1);
      const made = (await expectCode(code, () =>
        work.createContainer(by, {
          kind,
          name: `n${births}`,
          summary: 's',
          priority: ranks[rank],
          complexity,
          tags: ['t'],
          ...home,
        }),
      )) as { id: string } | undefined;
      if (!made) return;
      if (kind === 'task') anyTask = made.id;
      const fresh = {
        kind,
        feature,
        rank,
        complexity,
        born: births++,
        status: 'NEW',
        tags: new Set(['t']),
        blockedBy: new Set<string>(),
        version: 1,
        claim: undefined,
      } as Item;
      items.set(made.id, fresh);
    },
    update: async () => {
      const [id, item] = pick([...items]) ?? [];
      if (!id || !item) return;
      const version = versionFor(item.version);
      const done = await expectCode(version === item.version ? undefined : 'CONFLICT', () =>
        work.updateContainer(by, { kind: item.kind, id, version, tags: ['t', 'u'] }),
      );
      if (!done) return;
      item.version++;
      item.tags = new Set(['t', 'u']);
    },
    race: async () => {
      const [id, item] = pick([...items]) ?? [];
      if (!id || !item) return;
      const attempt = (summary: string) =>
        work.updateContainer(by, { kind: item.kind, id, version: item.version, summary });
      const outcomes = await Promise.allSettled([attempt('one'), attempt('two'), attempt('three')]);
      report.operations += 3;
      const lost = outcomes.filter((one) => one.status === 'rejected').map((one) => one.reason as SylkError);
      if (lost.length !== 2) throw new Error(`${3 - lost.length} winners of one version`);
      for (const error of lost)
        if (error.code !== 'CONFLICT' || error.data?.currentVersion !== item.version + 1)
          throw new Error(`a loser got ${error.code} ${JSON.stringify(error.data)}`);
      report.conflicts += lost.length;
      item.version++;
    },
    block: async () => {
      const [id, item] = pick([...items]) ?? [];
      const [blocker, other] = pick([...items]) ?? [];
      if (!id || !item || !blocker || !other) return;
      const version = versionFor(item.version);
      const code =
        version !== item.version
          ? 'CONFLICT'
          : final(item.status)
            ? 'INVALID_OPERATION'
            : item.blockedBy.has(blocker)
              ? undefined
              : final(other.status)
                ? 'VALIDATION_ERROR'
                : reaches(blocker, id)
                  ? 'CIRCULAR_DEPENDENCY'
                  : undefined;
      const done = await expectCode(code, () =>
        work.block(by, { kind: item.kind, id, version, blockedBy: [blocker] }),
      );
      if (!done) return;
      item.blockedBy.add(blocker);
      item.version++;
    },
    unblock: async () => {
      const [id, item] = pick([...items].filter(([, one]) => one.blockedBy.size > 0)) ?? [];
      if (!id || !item) return;
      const blocker = pick([...item.blockedBy])!;
      const version = versionFor(item.version);
      const done = await expectCode(version === item.version ? undefined : 'CONFLICT', () =>
        work.unblock(by, { kind: item.kind, id, version, blockedBy: [blocker] }),
      );
      if (!done) return;
      item.blockedBy.delete(blocker);
      item.version++;
    },
    move: async () => {
      const [id, item] = pick([...items]) ?? [];
      if (!id || !item) return;
      const verb = pick(['advance', 'advance', 'advance', 'revert', 'terminate'] as const)!;
      const version = versionFor(item.version);
      const code =
        version !== item.version
          ? 'CONFLICT'
          : final(item.status)
            ? 'INVALID_OPERATION'
            : verb === 'advance' && item.blockedBy.size > 0
              ? 'BLOCKED'
              : verb === 'revert' && item.status === 'NEW'
                ? 'INVALID_OPERATION'
                : undefined;
      const done = await expectCode(code, () => work[verb](by, { kind: item.kind, id, version }));
      if (!done) return;
      const place = states.indexOf(item.status);
      item.status = verb === 'terminate' ? exit : states[place + (verb === 'advance' ? 1 : -1)]!;
      item.version++;
      if (final(item.status)) item.claim = undefined;
      if (item.status === 'CLOSED') release(id);
      if (verb !== 'revert') settleFeature(item);
    },
    remove: async () => {
      const [id, item] = pick([...items]) ?? [];
      if (!id || !item || !chance(0.3)) return;
      const children = [...items].filter(([, other]) => other.feature === id).map(([child]) => child);
      const cascade = chance(0.5);
      const code = children.length > 0 && !cascade ? 'INVALID_OPERATION' : undefined;
      const done = await expectCode(code, () => work.removeContainer(by, { kind: item.kind, id, cascade }));
      if (!done) return;
      for (const gone of [...children, id]) {
        release(gone);
        items.delete(gone);
        if (anyTask === gone) anyTask = undefined;
      }
    },
    claim: async () => {
      const free = [...items].filter(
        ([, item]) =>
          item.kind === 'task' &&
          item.blockedBy.size === 0 &&
          !live(item) &&
          (item.status === 'NEW' || (item.status === 'ACTIVE' && item.claim !== undefined)),
      );
      const first = free.sort(
        ([, a], [, b]) => a.rank - b.rank || a.complexity - b.complexity || a.born - b.born,
      )[0];
      const claimed = await work.claimTask(by, { projectId: project.id, claimant: 'c', leaseSeconds: 10 });
      report.operations++;
      if (claimed?.task.id !== first?.[0])
        throw new Error(`claimed ${claimed?.task.id}, the model says ${first?.[0]}`);
      if (!claimed || !first) return;
      first[1].version++;
      first[1].claim = { by: 'c', token: claimed.claimToken, until: clock.now() + 10_000 };
    },
    letGo: async () => {
      const [id, item] = pick([...items].filter(([, one]) => one.claim !== undefined)) ?? [];
      if (!id || !item?.claim) return;
      const code = live(item) ? undefined : 'CONFLICT';
      if (chance(0.5)) {
        const done = await expectCode(code, () =>
          work.renewClaim({ id, claimToken: item.claim!.token, leaseSeconds: 10 }),
        );
        if (done) item.claim.until = clock.now() + 10_000;
        return;
      }
      const done = await expectCode(code, () => work.releaseClaim(by, { id, claimToken: item.claim!.token }));
      if (!done) return;
      item.claim = undefined;
      item.version++;
    },
    wait: async () => clock.advance(4000),
    createArea: async () => {
      const kind = chance(0.3) ? 'molecule' : 'atom';
      const home = chance(0.5)
        ? pick([...known].filter(([, area]) => area.kind === 'molecule').map(([id]) => id))
        : undefined;
      const base = { projectId: project.id, name: `area ${known.size}` };
      const made = (await expectCode(undefined, () =>
        kind === 'molecule'
          ? areas.createMolecule(by, base)
          : areas.createAtom(by, { ...base, paths: ['src/**'], moleculeId: home ?? null }),
      )) as { id: string };
      known.set(made.id, { kind, molecule: kind === 'atom' ? home : undefined, version: 1, entries: 0 });
    },
    updateArea: async () => {
      const [id, area] = pick([...known]) ?? [];
      if (!id || !area) return;
      const version = versionFor(area.version);
      const change = {
        id,
        version,
        knowledge: 'k',
        knowledgeMode: chance(0.5) ? ('append' as const) : ('overwrite' as const),
      };
      const done = await expectCode(version === area.version ? undefined : 'CONFLICT', () =>
        area.kind === 'atom' ? areas.updateAtom(by, change) : areas.updateMolecule(by, change),
      );
      if (done) area.version++;
    },
    removeArea: async () => {
      const [id, area] = pick([...known]) ?? [];
      if (!id || !area || !chance(0.4)) return;
      const version = versionFor(area.version);
      const cascade = chance(0.5);
      const done = await expectCode(version === area.version ? undefined : 'CONFLICT', () =>
        area.kind === 'atom'
          ? areas.deleteAtom(by, { id, version })
          : areas.deleteMolecule(by, { id, version, cascade }),
      );
      if (!done) return;
      known.delete(id);
      for (const [member, atom] of known) {
        if (atom.molecule !== id) continue;
        if (cascade) known.delete(member);
        else {
          atom.molecule = undefined;
          atom.version++;
        }
      }
    },
    appendEntry: async () => {
      const [id, area] = pick([...known]) ?? [];
      if (!id || !area) return;
      await expectCode(undefined, () =>
        areas.appendChangelog(by, { parentType: area.kind, parentId: id, taskId: anyTask, summary: 'e' }),
      );
      area.entries++;
    },
  };

  const names = Object.keys(steps);
  for (let at = 0; at < length; at++) await steps[at < 4 ? 'create' : pick(names)!]!();

  for (const [id, item] of items) {
    const record = (await work.getContainer(item.kind, id)) as StagedRecord;
    const seen = [record.status, record.version, [...record.blockedBy].sort(), [...record.tags].sort()];
    const told = [item.status, item.version, [...item.blockedBy].sort(), [...item.tags].sort()];
    if (JSON.stringify(seen) !== JSON.stringify(told))
      throw new Error(`${id}: ${JSON.stringify(seen)}, the model says ${JSON.stringify(told)}`);
    if (item.kind === 'task' && ((record as TaskRecord).claim?.live ?? false) !== live(item))
      throw new Error(`${id}: claim differs`);
  }
  const total = async (kind: 'feature' | 'task') =>
    (await work.searchContainers({ kind, projectId: project.id, limit: 1, offset: 0 })).total;
  if ((await total('feature')) + (await total('task')) !== items.size)
    throw new Error('the number of containers differs');
  const window = { projectId: project.id, changelogLimit: 0, limit: 1000, offset: 0 };
  const stored = [...(await areas.searchAtoms(window)).items, ...(await areas.searchMolecules(window)).items];
  if (stored.length !== known.size) throw new Error(`${stored.length} areas, the model says ${known.size}`);
  for (const one of stored) {
    const area = known.get(one.id);
    const entries = (
      await areas.searchChangelog({ parentType: area!.kind, parentId: one.id, limit: 1, offset: 0 })
    ).total;
    if (area?.version !== one.version || entries !== area.entries) throw new Error(`area ${one.id} differs`);
  }
}

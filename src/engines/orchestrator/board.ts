import { SylkError } from '../../base/errors.ts';
import { type Git, requireRevision } from '../../base/git/index.ts';
import { newId } from '../../base/ids.ts';
import type { Library } from '../../base/library/index.ts';
import type { Move, Runs } from '../../stores/runs/index.ts';
import type { Author, Claimed, MoveReply, MoveRequest, TaskRecord, Work } from '../../stores/work/index.ts';
import { runOfHolder, taskIdOf } from './board-tasks.ts';
import type { NodeState, RunState } from './decide/index.ts';

export interface BoardParts {
  library: Library;
  work: Work;
  runs: () => Promise<Runs<RunState>>;
  git: Git;
}

/** A task of the board that is a node of a run. */
interface HeldNode {
  runs: Runs<RunState>;
  state: RunState;
  node: NodeState;
  claimToken: string | null;
  status: string;
}

/**
 * Claims and moves of tasks, whoever they belong to. A task of a run is claimed, completed, given back and dropped by an event of
 * that run, which writes the board in the same transaction; any other task goes to the store as before.
 */
export function createBoard({ library, work, runs, git }: BoardParts) {
  const heldNode = async (id: string): Promise<HeldNode | undefined> => {
    const row = await work.findContainer(id, 'task');
    const run = runOfHolder(row?.held_by);
    if (!row || run === undefined) return undefined;
    const store = await runs();
    const state = await store.state(run);
    const node = state.nodes.find((each) => taskIdOf(run, each.id) === id);
    return node && { runs: store, state, node, claimToken: row.claim_token, status: row.status ?? '' };
  };
  const moveRun = ({ runs, state }: HeldNode, move: Move) => runs.move(state.run, move, newId('move'));

  return {
    claimTask: (by: Author, request: Parameters<Work['claimTask']>[1]): Promise<Claimed | undefined> =>
      library.write(async () => {
        const { id, claimant, leaseSeconds } = request;
        const held = id === undefined ? undefined : await heldNode(id);
        if (!held || id === undefined) return work.claimTask(by, request);
        await moveRun(held, claimOf(held.node, claimant, leaseSeconds));
        return claimed(id, leaseSeconds);
      }),

    renewClaim: (request: Parameters<Work['renewClaim']>[0]): Promise<Claimed> =>
      library.write(async () => {
        const held = await heldNode(request.id);
        if (!held) return work.renewClaim(request);
        const { claimedBy = '', stage } = requireClaim(held, request.claimToken);
        // While it is judged a claim does not expire.
        if (stage === 'claimed') await moveRun(held, claimOf(held.node, claimedBy, request.leaseSeconds));
        return claimed(request.id, request.leaseSeconds);
      }),

    releaseClaim: (by: Author, request: Parameters<Work['releaseClaim']>[1]): Promise<TaskRecord> =>
      library.write(async () => {
        const held = await heldNode(request.id);
        if (!held) return work.releaseClaim(by, request);
        const { id: node, claimedBy = '' } = requireClaim(held, request.claimToken);
        await moveRun(held, { type: 'node_released', node, by: claimedBy });
        return (await work.heldTask(request.id)).task;
      }),

    /** One step forward. A task of a run is handed in with a commit, which is then judged and merged like any other. */
    advance: async (
      by: Author,
      request: MoveRequest & { commit?: string | undefined },
    ): Promise<MoveReply> => {
      const commit = request.commit === undefined ? undefined : await findCommit(git, request.commit);
      return library.write(async () => {
        const held = await heldNode(request.id);
        if (!held) return work.advance(by, request);
        const { id: node, claimedBy = '' } = requireWorker(held, by, request.claimToken);
        if (commit === undefined) throw noCommit(held, request.commit);
        await moveRun(held, { type: 'node_completed', node, by: claimedBy, commit });
        return replyOf(held, request.id);
      });
    },

    /** To the exit state. A task of a run is dropped from its plan, which a person decides. */
    terminate: (by: Author, request: Parameters<Work['terminate']>[1]): Promise<MoveReply> =>
      library.write(async () => {
        const held = await heldNode(request.id);
        if (!held) return work.terminate(by, request);
        if (!by.person)
          throw new SylkError('INVALID_OPERATION', 'Only a person drops a task of a run.', {
            hint: `Ask them to run \`sylk work terminate ${request.id}\`.`,
          });
        await moveRun(held, { type: 'node_dropped', node: held.node.id });
        return replyOf(held, request.id);
      }),
  };

  async function claimed(id: string, leaseSeconds: number): Promise<Claimed> {
    const { task, claimToken } = await work.heldTask(id);
    return { task, claimToken: claimToken ?? '', leaseSeconds };
  }

  async function replyOf({ status }: HeldNode, id: string): Promise<MoveReply> {
    const { currentStatus, isTerminal, pipelinePosition } = await work.workflowState('task', id);
    return {
      record: (await work.heldTask(id)).task,
      transition: { from: status, to: currentStatus },
      terminal: isTerminal,
      pipelinePosition,
      unblockedEntities: [],
      affectedDependents: [],
      featureUnblockedEntities: [],
      featureAffectedDependents: [],
    };
  }
}

export type Board = ReturnType<typeof createBoard>;

const claimOf = ({ id: node }: NodeState, by: string, leaseSeconds: number): Move => ({
  type: 'node_claimed',
  node,
  by,
  lease_ms: Math.round(leaseSeconds * 1000),
});

function requireClaim({ node, claimToken }: HeldNode, given: string): NodeState {
  if (node.claimedBy !== undefined && claimToken === given) return node;
  throw new SylkError('CONFLICT', 'This claim has ended: the run has taken the task back.', {
    hint: 'Stop the work, read the task again, and claim it anew if it is free.',
  });
}

function requireWorker(held: HeldNode, by: Author, claimToken: string | undefined): NodeState {
  const { node, state } = held;
  if (node.claimedBy === undefined)
    throw new SylkError('INVALID_OPERATION', `The run ${state.run} works on this task itself.`, {
      hint: 'It is closed when its work is merged. Claim it by its id to do it yourself.',
    });
  if (claimToken !== undefined) return requireClaim(held, claimToken);
  if (by.person || by.actor === node.claimedBy) return node;
  throw new SylkError('CONFLICT', `The task is claimed by ${node.claimedBy}.`, {
    hint: 'Pass the claim token that the claim answered, or take another task.',
  });
}

async function findCommit(git: Git, text: string): Promise<string | undefined> {
  const revision = `${requireRevision(text)}^{commit}`;
  const id = await git.text(['rev-parse', '-q', '--verify', '--end-of-options', revision], { accept: [1] });
  return id.trim() || undefined;
}

const noCommit = ({ state }: HeldNode, given: string | undefined): SylkError =>
  new SylkError(
    'VALIDATION_ERROR',
    given === undefined
      ? `The task belongs to the run ${state.run}: it is handed in with a commit.`
      : `There is no commit ${JSON.stringify(given)} in this repository.`,
    { hint: 'sylk work advance TASK VERSION --commit HASH' },
  );

import type { Git } from '../../base/git/index.ts';
import type { Command } from '../../stores/runs/index.ts';
import type { Execution } from '../execution/index.ts';
import type { RunState } from '../orchestrator/index.ts';
import { type CheckoutState, checkoutDifferences, readCheckout } from '../worktrees/index.ts';

const mostNamed = 10;

type Execute<Answer> = (command: Command, run: Execution<RunState>) => Promise<Answer>;

export interface CheckoutWatch {
  /**
   * Looks at the person's own checkout after each command. Programs in the sandbox can't write there, so a change is the person's: it
   * is told once for each run, and nothing stops.
   */
  during<Answer>(execute: Execute<Answer>): Execute<Answer>;
  /** Does something of ours that could write there: a difference stops the run, because it is ours or nobody can know. */
  around<Answer>(run: string, what: string, act: () => Promise<Answer>): Promise<Answer>;
}

export function watchCheckout({
  git,
  stop,
  tell,
}: {
  git: Git;
  stop(run: string, reason: string): Promise<void>;
  /** Says it where nobody has said it in this run yet. */
  tell(run: string, text: string): Promise<void>;
}): CheckoutWatch {
  let known: Promise<CheckoutState> | undefined;
  // While something of ours could write there, and after it has, nobody may say that the run did not.
  let acting = 0;
  const stopped = new Set<string>();
  const changedSince = async (before: CheckoutState) => {
    const after = await readCheckout(git);
    known = Promise.resolve(after);
    return checkoutDifferences(before, after);
  };
  return {
    during: (execute) => async (command, run) => {
      known ??= readCheckout(git);
      const before = await known;
      try {
        return await execute(command, run);
      } finally {
        const changed = await changedSince(before);
        if (changed.length > 0 && acting === 0 && !stopped.has(run.run))
          await tell(
            run.run,
            `Your own checkout changed: ${namesOf(changed)}\nNothing of the run can write there, so it goes on from the commit that it began with.`,
          );
      }
    },
    around: async (run, what, act) => {
      acting += 1;
      const before = await readCheckout(git);
      try {
        return await act();
      } finally {
        const changed = await changedSince(before);
        acting -= 1;
        if (changed.length > 0) {
          stopped.add(run);
          await stop(
            run,
            `Your own checkout changed while ${what}: ${namesOf(changed)}. If that was you, resume the run.`,
          );
        }
      }
    },
  };
}

function namesOf(changed: string[]): string {
  const rest = changed.length > mostNamed ? ` and ${changed.length - mostNamed} more` : '';
  return `${changed.slice(0, mostNamed).join(', ')}${rest}`;
}

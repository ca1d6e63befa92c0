import type { Git } from '../../base/git/index.ts';
import type { Command } from '../../stores/runs/index.ts';
import type { Execution } from '../execution/index.ts';
import type { RunState } from '../orchestrator/index.ts';
import { checkoutDifferences, readCheckout } from '../worktrees/index.ts';

const mostNamed = 10;

type Execute<Answer> = (command: Command, run: Execution<RunState>) => Promise<Answer>;

/** Looks at the person's own checkout before and after a command. Whatever changed it, the run stops there. */
export function watchCheckout({ git, stop }: { git: Git; stop(run: string, reason: string): Promise<void> }) {
  return <Answer>(execute: Execute<Answer>): Execute<Answer> =>
    async (command, run) => {
      const before = await readCheckout(git);
      try {
        return await execute(command, run);
      } finally {
        const changed = checkoutDifferences(before, await readCheckout(git));
        if (changed.length > 0) await stop(run.run, reasonOf(command, changed));
      }
    };
}

function reasonOf({ kind, node }: Command, changed: string[]): string {
  const names = changed.slice(0, mostNamed).join(', ');
  const rest = changed.length > mostNamed ? ` and ${changed.length - mostNamed} more` : '';
  const command = [kind, node].filter(Boolean).join(' ');
  return `Your own checkout changed while "${command}" was under way: ${names}${rest}. If that was you, resume the run.`;
}

import { z } from 'zod';
import type { App } from '../app.ts';
import { contentItem, stateOf } from '../base/content-item.ts';
import { visibleLine } from '../base/terminal-text.ts';
import { reporting } from './calls.ts';
import { operation } from './operation.ts';

/** What fills this working tree with its packages, and whether a person agreed to exactly that before. */
async function commandsOf(app: App) {
  const commands = (await app.inspection()).findSetup(app.repository.root);
  const items = commands.map(({ command, script }) => contentItem(`set-up: ${command}`, script ?? command));
  const trusted = app.trustedContent();
  return { commands, items, isAgreed: items.every((item) => stateOf(trusted, item) === 'trusted') };
}

/** Asked once: the same commands run in other working trees of this repository without a question. */
export const setUpChecks = operation({
  name: 'set_up_checks',
  summary:
    "Install what the project's tools need: runs the set-up script or the package managers that lock files name, in this working tree, in a sandbox with network.",
  effect: 'decide',
  input: z.object({
    show: z.coerce.boolean().default(false).describe('only show the commands'),
  }),
  output: z.object({
    commands: z.array(z.object({ command: z.string(), because: z.string() })),
    ran: z.boolean(),
    problem: z.string().optional(),
  }),
  examples: [{ show: true }],
  isFailure: ({ problem }) => problem !== undefined,
  render: ({ commands, ran, problem }) =>
    commands.length === 0
      ? 'No set-up script, lock file or manifest was found: nothing to install.'
      : [
          ...commands.map(({ command, because }) => `${visibleLine(command)}  (${visibleLine(because)})`),
          ...(problem === undefined
            ? ran
              ? ['Done. Run `sylk check`.']
              : []
            : [`It failed: ${problem}`, 'Next: run it by hand, then `sylk check`.']),
        ].join('\n'),
  consent: async ({ show }, app) => {
    const { commands, isAgreed } = await commandsOf(app);
    const shown = commands.map(({ command, script }) => (script ? `${command}\n${script}` : command));
    return { shown: shown.join('\n'), allowed: show || isAgreed };
  },
  run: async function* ({ show }, { app, caller, signal }) {
    const { commands, items } = await commandsOf(app);
    const listed = commands.map(({ command, because }) => ({ command, because }));
    if (show || commands.length === 0) return { commands: listed, ran: false };
    await (await app.approvals()).trustContent({ path: app.repository.mainRoot, items, by: caller.name });
    const inspection = await app.inspection();
    const failed = yield* reporting((progress) =>
      inspection.prepare({
        worktree: app.repository.root,
        commands,
        signal,
        progress: (message) => progress({ done: 0, message }),
      }),
    );
    return {
      commands: listed,
      ran: true,
      ...(failed ? { problem: `${failed.command}: ${failed.problem}` } : {}),
    };
  },
});

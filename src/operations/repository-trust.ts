import { z } from 'zod';
import { type App, openApp } from '../app.ts';
import { stateOf } from '../base/content-item.ts';
import { visibleLine } from '../base/terminal-text.ts';
import { reviewRepository } from '../stores/skills/index.ts';
import { operation } from './operation.ts';
import { isWaiting, type Reviewed, requireSeen, reviewDigest, reviewText } from './trust-review.ts';

const trustOutput = z.object({
  path: z.string(),
  trusted: z.boolean(),
  items: z.number().describe('trusted settings, sources and skills'),
  decided_at: z.string(),
  decided_by: z.string(),
});
type Trust = z.output<typeof trustOutput>;

const describeTrust = ({ path, trusted, items, decided_at }: Trust): string =>
  `${trusted ? `trusted (${items} items)` : 'not trusted'}  ${visibleLine(path)}${decided_at ? `  since ${decided_at}` : ''}`;

/** Everything of the repository that can act or reach an agent, as it is now. */
async function review(app: App): Promise<Reviewed[]> {
  const found = await reviewRepository(await app.skills());
  const trusted = app.trustedContent();
  const sources = found.sources.map((item) => ({ ...item, state: stateOf(trusted, item) }));
  const approvals = await app.approvals();
  const settings: Reviewed[] = [];
  const roles = (await app.roles())
    .ofRepository()
    .map((item) => ({ ...item, state: stateOf(trusted, item) }));
  for (const setting of [...app.rereadConfig().acting, ...sources, ...roles]) {
    const known = await approvals.trustedItem({ path: app.repository.mainRoot, item: setting.item });
    settings.push({ ...setting, before: known?.text });
  }
  return [...settings, ...found.skills];
}

/** This repository, or another one named by a person. */
async function inRepository<T>(
  app: App,
  path: string | undefined,
  work: (app: App) => Promise<T>,
): Promise<T> {
  if (path === undefined) return work(app);
  const other = openApp({ directory: path, env: app.env, clock: app.clock });
  try {
    return await work(other);
  } finally {
    await other.close();
  }
}

const trust = operation({
  name: 'trust_repository',
  summary:
    'Trust the parts of this repository that can act: URLs in its settings and the text of its skills, exactly as they are now.',
  effect: 'decide',
  idempotent: true,
  input: z.object({
    path: z.string().optional().describe('default: this repository'),
    digest: z.string().optional().describe('digest of what was shown; the answer applies to nothing else'),
  }),
  output: trustOutput,
  examples: [{}],
  command: { positionals: ['path'] },
  render: (decision) =>
    decision.trusted
      ? describeTrust(decision)
      : `Nothing to trust in ${visibleLine(decision.path)}: no settings, sources or skills are waiting.`,
  consent: async ({ path }, app) =>
    inRepository(app, path, async (there) => {
      const items = await review(there);
      return {
        shown: `${there.repository.mainRoot}\n${reviewText(items)}`,
        allowed: !items.some(isWaiting),
        input: { digest: reviewDigest(items) },
      };
    }),
  run: async ({ path, digest }, { app, caller }) =>
    inRepository(app, path, async (there) => {
      const items = await review(there);
      const approvals = await there.approvals();
      const { mainRoot } = there.repository;
      if (!items.some(isWaiting)) return approvals.trustDecision(mainRoot);
      requireSeen(items, digest);
      return approvals.trustContent({ path: mainRoot, items, by: caller.name });
    }),
});

const untrust = operation({
  name: 'untrust_repository',
  summary: 'Revoke trust: nothing of the repository at this path can act any more.',
  effect: 'decide',
  idempotent: true,
  input: z.object({ path: z.string().optional().describe('default: this repository') }),
  output: trustOutput,
  examples: [{}],
  command: { positionals: ['path'] },
  render: describeTrust,
  run: async ({ path = '' }, { app, caller }) => {
    const approvals = await app.approvals();
    const target = path || app.repository.mainRoot;
    await approvals.untrustContent({ path: target, by: caller.name });
    return approvals.trustDecision(target);
  },
});

const listTrusted = operation({
  name: 'list_trusted_repositories',
  summary: 'Repositories that a person has trusted or refused, with the number of trusted items.',
  effect: 'read',
  input: z.object({}),
  output: z.object({ repositories: z.array(trustOutput) }),
  examples: [{}],
  render: ({ repositories }) =>
    repositories.length === 0 ? 'No trusted repositories.' : repositories.map(describeTrust).join('\n'),
  run: async (_input, { app }) => ({ repositories: await (await app.approvals()).trustDecisions() }),
});

export const repositoryTrust = [trust, untrust, listTrusted];

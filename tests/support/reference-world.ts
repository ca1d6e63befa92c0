import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { type Embedder, normalise } from '../../src/base/embedding/index.ts';
import { openLibrary } from '../../src/base/library/index.ts';
import { silentLog } from '../../src/base/log.ts';
import { openApprovals } from '../../src/stores/approvals/index.ts';
import { openReferences } from '../../src/stores/references/index.ts';

const draft = (source: object) => ({
  title: 'Library',
  body: 'A library that is gathered while the process dies.',
  sources: [source] as never,
  tags: ['old'],
  max_age_days: 30,
  trust_score: 8,
  kind: 'documentation' as const,
});

/** Vectors that cost nothing: what is killed here is writing, not meaning. */
const letters: Embedder = {
  fingerprint: 'letters',
  dimensions: 8,
  tier: 0,
  loaded: () => true,
  release: async () => {},
  embed: async (texts) =>
    texts.map((text) => {
      const vector = new Float32Array(8);
      for (let at = 0; at < text.length; at++) vector[text.charCodeAt(at) % 8]! += 1;
      return normalise(vector);
    }),
};

/** References and approvals in one directory, as the product wires them. */
export async function openShelfWorld(home: string, allowHosts: string[] = []) {
  const library = openLibrary({ url: join(home, 'sylk.db') });
  const approvals = openApprovals({
    library,
    clock: systemClock,
    policy: { rules: [], restrict: [] },
    expireHours: 24,
  });
  const references = await openReferences({
    root: join(home, 'references'),
    clock: systemClock,
    log: silentLog,
    embedder: letters,
    outside: { gh: '', allowHosts },
    budget: { maxFiles: 20_000, maxBytes: 500_000_000, maxFileBytes: 1_000_000, timeoutMs: 120_000 },
  });
  return {
    library,
    approvals,
    references,
    create: (source: object, approvalId?: string) =>
      references.create({
        draft: draft(source),
        author: { agent: 'lab', model: '' },
        answered: approvalId !== undefined,
        permit: ({ title, summary, ...asked }) =>
          approvals.permit({
            ...asked,
            reason: { type: 'reference_topic_create', title, summary },
            repository: '',
            requestedBy: 'lab',
            approvalId,
          }),
      }),
    close: async () => {
      await references.close();
      await library.close();
    },
  };
}

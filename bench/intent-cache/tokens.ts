import type { Measured } from './measure.ts';
import { sumOf } from './measure.ts';

/** What a question costs without a cache, and how often one is expected to serve, by the design documents. */
const expected: Record<string, { tokens: number; rate: string }> = {
  'librarian LOCATE': { tokens: 3000, rate: '70–85' },
  'librarian PATTERN': { tokens: 5000, rate: '70–85' },
  'librarian EXPLAIN': { tokens: 4000, rate: '70–85' },
  'librarian GENERAL': { tokens: 3000, rate: '70–85' },
  'archivalist HISTORICAL': { tokens: 4000, rate: '80–90' },
  'archivalist ACTIVITY': { tokens: 2000, rate: '60–70' },
  'archivalist OUTCOME': { tokens: 1500, rate: '70–80' },
  'archivalist SIMILAR': { tokens: 5000, rate: '50–60' },
  'archivalist RESUME': { tokens: 1000, rate: '40–50' },
  'archivalist GENERAL': { tokens: 2500, rate: '60–75' },
  'academic RESEARCH': { tokens: 4000, rate: '60' },
};

/** Hit rates beside what the design expects, and its own costs with and without the cache. */
export function describeTokens(measured: Measured[]): string[] {
  let without = 0;
  let withCache = 0;
  const lines = Object.entries(expected).map(([name, { tokens, rate }]) => {
    const own = measured.filter(({ group }) => `${group.agent} ${group.intent}` === name);
    const { hits, tries } = sumOf(own);
    // Every group was asked once to be kept.
    const all = tries + own.length;
    without += all * tokens;
    withCache += (all - hits) * tokens;
    return `${name.padEnd(24)} ${((100 * hits) / tries).toFixed(0).padStart(4)} % of paraphrases, expected ${rate} %`;
  });
  const share = ((100 * (without - withCache)) / without).toFixed(0);
  return [
    ...lines,
    `tokens at the design's cost a question: ${without} without, ${withCache} with the cache (${share} % less)`,
  ];
}

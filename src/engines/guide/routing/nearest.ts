import { type Embedder, similarity } from '../../../base/embedding/index.ts';

/** A message that somebody labelled. */
export interface LabelledExample {
  lane: string;
  text: string;
}

export interface Likeness {
  /** How far above the average of all lanes a lane is, in standard deviations; only those above are told. */
  lanes: Map<string, number>;
  /** The labelled message that means most nearly the same. */
  nearest: { lane: string; text: string; likeness: number };
}

/** A message is compared with the nearest ten of every lane: one twin by chance decides nothing. */
const compared = 10;

/** Who a message is for, by the labelled messages that mean the same. Vectors are made on the first use. */
export function createNearest(examples: LabelledExample[], embedder: () => Promise<Embedder>) {
  let vectors: Promise<Float32Array[]> | undefined;
  const known = (): Promise<Float32Array[]> => {
    vectors ??= (async () => (await embedder()).embed(examples.map(({ text }) => text)))();
    vectors.catch(() => {
      vectors = undefined;
    });
    return vectors;
  };
  return async (text: string): Promise<Likeness> => {
    const all = await known();
    const [vector] = await (await embedder()).embed([text]);
    const byLane = new Map<string, number[]>();
    let nearest = { lane: '', text: '', likeness: -1 };
    for (const [at, { lane, text: other }] of examples.entries()) {
      const likeness = similarity(vector!, all[at]!);
      byLane.set(lane, [...(byLane.get(lane) ?? []), likeness]);
      if (likeness > nearest.likeness) nearest = { lane, text: other, likeness };
    }
    return { lanes: standardised(byLane), nearest };
  };
}

function standardised(byLane: Map<string, number[]>): Map<string, number> {
  const means = [...byLane].map(([lane, values]) => {
    const best = values.sort((left, right) => right - left).slice(0, compared);
    return { lane, value: best.reduce((sum, value) => sum + value, 0) / best.length };
  });
  const mean = means.reduce((sum, { value }) => sum + value, 0) / means.length;
  const spread =
    Math.sqrt(means.reduce((sum, { value }) => sum + (value - mean) ** 2, 0) / means.length) || 1;
  return new Map(
    means.map(({ lane, value }) => [lane, (value - mean) / spread] as const).filter(([, above]) => above > 0),
  );
}

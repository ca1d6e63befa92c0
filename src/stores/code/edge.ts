/** How one symbol relates to another. Reverse relations are the same edges read the other way. */
export const edgeKinds = [
  'calls',
  'imports',
  'extends',
  'implements',
  'embeds',
  'references',
  'returns',
  'receives',
] as const;

export type EdgeKind = (typeof edgeKinds)[number];

/** How a link is known: scopes and imports lead there, only the name is the same, a compiler or a SCIP index says so. */
export const linkSources = ['imports', 'name', 'compiler', 'scip'] as const;

export type LinkSource = (typeof linkSources)[number];

export interface Edge {
  /** Symbol ids; the file itself is a symbol too. */
  source: number;
  target: number;
  kind: EdgeKind;
  line: number;
  known: LinkSource;
}

const width = 4;

/** Four numbers per edge: a file's edges are read and filtered without creating objects. */
export function packEdges(edges: Edge[]): Uint8Array {
  const packed = new Int32Array(edges.length * width);
  for (const [index, edge] of edges.entries()) {
    packed[index * width] = edge.source;
    packed[index * width + 1] = edge.target;
    packed[index * width + 2] = edge.line;
    packed[index * width + 3] = edgeKinds.indexOf(edge.kind) | (linkSources.indexOf(edge.known) << 8);
  }
  return new Uint8Array(packed.buffer);
}

export function* unpackEdges(
  bytes: Uint8Array,
  wanted: { source?: ReadonlySet<number>; target?: ReadonlySet<number> } = {},
): Generator<Edge> {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  const packed = new Int32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength >> 2);
  for (let at = 0; at < packed.length; at += width) {
    const [source, target] = [packed[at] ?? 0, packed[at + 1] ?? 0];
    if (wanted.source && !wanted.source.has(source)) continue;
    if (wanted.target && !wanted.target.has(target)) continue;
    const code = packed[at + 3] ?? 0;
    const kind = edgeKinds[code & 0xff] ?? 'references';
    yield { source, target, line: packed[at + 2] ?? 0, kind, known: linkSources[code >> 8] ?? 'name' };
  }
}

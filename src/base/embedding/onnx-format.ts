/** The few parts of ONNX's protobuf that a model needs, written by hand: no toolchain, no file of its own. */
const elementTypes = { f32: 1, i8: 3, i64: 7 } as const;
export type ElementType = keyof typeof elementTypes;

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = BigInt(value);
  if (rest < 0n) rest += 1n << 64n;
  do {
    const low = Number(rest & 127n);
    rest >>= 7n;
    bytes.push(rest ? low | 128 : low);
  } while (rest);
  return Buffer.from(bytes);
}

const integer = (field: number, value: number): Buffer => Buffer.concat([varint(field << 3), varint(value)]);

const bytes = (field: number, content: Buffer | string): Buffer => {
  const body = typeof content === 'string' ? Buffer.from(content) : content;
  return Buffer.concat([varint((field << 3) | 2), varint(body.length), body]);
};

const single = (field: number, value: number): Buffer => {
  const body = Buffer.alloc(4);
  body.writeFloatLE(value);
  return Buffer.concat([varint((field << 3) | 5), body]);
};

export type Attribute = { float: number } | { integer: number } | { integers: number[] };

function attribute(name: string, value: Attribute): Buffer {
  const head = bytes(1, name);
  if ('float' in value) return Buffer.concat([head, single(2, value.float), integer(20, 1)]);
  if ('integer' in value) return Buffer.concat([head, integer(3, value.integer), integer(20, 2)]);
  return Buffer.concat([head, ...value.integers.map((each) => integer(8, each)), integer(20, 7)]);
}

export interface GraphNode {
  operator: string;
  inputs: string[];
  outputs: string[];
  attributes?: Record<string, Attribute>;
  /** Operators beyond the standard set, such as com.microsoft. */
  domain?: string;
}

export const writeNode = (node: GraphNode): Buffer =>
  Buffer.concat([
    ...node.inputs.map((name) => bytes(1, name)),
    ...node.outputs.map((name) => bytes(2, name)),
    bytes(4, node.operator),
    ...Object.entries(node.attributes ?? {}).map(([name, value]) => bytes(5, attribute(name, value))),
    ...(node.domain ? [bytes(7, node.domain)] : []),
  ]);

export function writeTensor(
  name: string,
  type: ElementType,
  dimensions: number[],
  data: Float32Array | BigInt64Array | Int8Array,
): Buffer {
  const raw = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  return Buffer.concat([
    ...dimensions.map((size) => integer(1, size)),
    integer(2, elementTypes[type]),
    bytes(8, name),
    bytes(9, raw),
  ]);
}

export interface Port {
  name: string;
  type: ElementType;
  /** A name stands for a size that is known only when the model runs. */
  dimensions: Array<number | string>;
}

const writePort = ({ name, type, dimensions }: Port): Buffer => {
  const shape = dimensions.map((size) =>
    bytes(1, typeof size === 'string' ? bytes(2, size) : integer(1, size)),
  );
  const tensor = Buffer.concat([integer(1, elementTypes[type]), bytes(2, Buffer.concat(shape))]);
  return Buffer.concat([bytes(1, name), bytes(2, bytes(1, tensor))]);
};

/** A whole model: operator set 17 and the extra operators of com.microsoft. */
export function writeModel(graph: {
  nodes: Buffer[];
  tensors: Buffer[];
  inputs: Port[];
  outputs: Port[];
}): Buffer {
  const body = Buffer.concat([
    ...graph.nodes.map((node) => bytes(1, node)),
    bytes(2, 'encoder'),
    ...graph.tensors.map((tensor) => bytes(5, tensor)),
    ...graph.inputs.map((port) => bytes(11, writePort(port))),
    ...graph.outputs.map((port) => bytes(12, writePort(port))),
  ]);
  const operators = (domain: string, version: number) =>
    bytes(8, Buffer.concat([...(domain ? [bytes(1, domain)] : []), integer(2, version)]));
  return Buffer.concat([
    integer(1, 8),
    bytes(2, 'sylk'),
    bytes(7, body),
    operators('', 17),
    operators('com.microsoft', 1),
  ]);
}

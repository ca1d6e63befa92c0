/** IEEE half precision to single, by a table made at the first use. */
let table: Float32Array | undefined;

function decodeTable(): Float32Array {
  const values = new Float32Array(65_536);
  for (let bits = 0; bits < values.length; bits++) {
    const sign = bits >> 15 ? -1 : 1;
    const exponent = (bits >> 10) & 31;
    const fraction = bits & 1023;
    if (exponent === 0) values[bits] = sign * 2 ** -14 * (fraction / 1024);
    else if (exponent === 31) values[bits] = fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
    else values[bits] = sign * 2 ** (exponent - 15) * (1 + fraction / 1024);
  }
  return values;
}

export function fromHalf(halves: Uint16Array): Float32Array {
  table ??= decodeTable();
  const singles = new Float32Array(halves.length);
  for (let at = 0; at < halves.length; at++) singles[at] = table[halves[at]!]!;
  return singles;
}

const bitsOf = new DataView(new ArrayBuffer(4));

/** Rounds to nearest. Meant for values of unit vectors: what is too small becomes zero, too large becomes infinite. */
export function toHalf(singles: Float32Array): Uint16Array {
  const halves = new Uint16Array(singles.length);
  for (let at = 0; at < singles.length; at++) {
    bitsOf.setFloat32(0, singles[at]!);
    const bits = bitsOf.getUint32(0);
    const sign = (bits >>> 16) & 0x8000;
    const exponent = ((bits >>> 23) & 0xff) - 112;
    const fraction = bits & 0x7fffff;
    if (exponent <= 0) halves[at] = exponent < -10 ? sign : sign | subnormal(fraction, exponent);
    else if (exponent >= 31) halves[at] = sign | 0x7c00;
    else halves[at] = sign + (exponent << 10) + (fraction >> 13) + ((fraction >> 12) & 1);
  }
  return halves;
}

const subnormal = (fraction: number, exponent: number): number => {
  const whole = fraction | 0x800000;
  const shift = 14 - exponent;
  return (whole >> shift) + ((whole >> (shift - 1)) & 1);
};

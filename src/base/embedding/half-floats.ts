/** IEEE half precision to single. */
export const fromHalf = (halves: Uint16Array): Float32Array =>
  new Float32Array(new Float16Array(halves.buffer as ArrayBuffer, halves.byteOffset, halves.length));

/** Rounds to nearest. Meant for values of unit vectors: what is too small becomes zero, too large becomes infinite. */
export const toHalf = (singles: Float32Array): Uint16Array =>
  new Uint16Array(new Float16Array(singles).buffer as ArrayBuffer);

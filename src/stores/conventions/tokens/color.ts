import { converter, differenceEuclidean, parse } from 'culori';

/** Red, green, blue from 0 to 255, alpha from 0 to 1. */
export type Color = [number, number, number, number];

const toRgb = converter('rgb');
const labDistance = differenceEuclidean('lab65');

/** Parses a CSS color, including the bare `H S% L%` of some themes. */
export function readColor(text: string): Color | undefined {
  const value = text.trim().toLowerCase();
  // The library also accepts digits without `#`, which are sizes and weights here.
  if (/^[\da-f]+$/.test(value)) return undefined;
  const color = toRgb(parse(/^[\d.]+(deg)?\s+[\d.]+%\s+[\d.]+%$/.test(value) ? `hsl(${value})` : value));
  if (!color) return undefined;
  const [red, green, blue] = [color.r, color.g, color.b].map((channel) =>
    Math.round(255 * Math.max(0, Math.min(1, channel))),
  );
  return [red ?? 0, green ?? 0, blue ?? 0, color.alpha ?? 1];
}

/** Perceived distance of two colors; below about 3 they are hard to tell apart. */
export const colorDistance = (one: Color, other: Color): number =>
  labDistance(asRgb(one), asRgb(other)) + 100 * Math.abs(one[3] - other[3]);

const asRgb = ([r, g, b]: Color) => ({ mode: 'rgb' as const, r: r / 255, g: g / 255, b: b / 255 });

const pixelsOf: Record<string, number> = { px: 1, rem: 16, em: 16, pt: 96 / 72 };

/** A length in pixels, with 16 to the rem, the browser default. */
export function readLength(text: string): number | undefined {
  const [, digits, unit = ''] = /^(-?[\d.]+)(px|rem|em|pt)?$/.exec(text.trim().toLowerCase()) ?? [];
  const number = Number(digits);
  if (digits === undefined || Number.isNaN(number)) return undefined;
  const factor = pixelsOf[unit] ?? (number === 0 ? 1 : undefined);
  return factor === undefined ? undefined : number * factor;
}

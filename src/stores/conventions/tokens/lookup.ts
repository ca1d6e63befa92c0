import { z } from 'zod';
import { type Color, colorDistance, readColor, readLength } from './color.ts';
import { type DesignToken, tokenMatch } from './record.ts';

export const tokenLookup = z.object({
  value: z.string(),
  found: z.boolean(),
  matches: z.array(tokenMatch),
  similar: z.array(tokenMatch),
  suggestion: z.string().optional(),
});
export type TokenLookup = z.infer<typeof tokenLookup>;

/** The token that has this value, however it is written; else the nearest ones. */
export function lookUp(value: string, tokens: DesignToken[]): TokenLookup {
  const color = readColor(value);
  const length = readLength(value);
  const same = (token: DesignToken): boolean => {
    if (plain(token.value) === plain(value)) return true;
    if (color) {
      const other = readColor(token.value);
      return (
        other !== undefined && sameColor(color, other, isRounded(value) || isRounded(token.value) ? 1.5 : 0.5)
      );
    }
    return length !== undefined && token.category !== 'colors' && readLength(token.value) === length;
  };
  const matches = unique(tokens.filter(same));
  if (matches.length > 0) return { value, found: true, matches, similar: [] };
  return {
    value,
    found: false,
    matches: [],
    similar: unique(nearest(tokens, color, length)),
    suggestion: 'No matching token found. Consider adding one or using a similar existing token.',
  };
}

/** Notations that do not land on whole channels may be off by one. */
const isRounded = (text: string): boolean => /^(hsl|oklch)|%/i.test(text.trim());

const sameColor = (one: Color, other: Color, off: number): boolean =>
  one.every((channel, at) => Math.abs(channel - other[at]!) <= (at === 3 ? 0.005 : off));

const plain = (value: string): string => value.toLowerCase().replace(/\s+/g, ' ').trim();

function nearest(
  tokens: DesignToken[],
  color: ReturnType<typeof readColor>,
  length: number | undefined,
): DesignToken[] {
  const scored = tokens.flatMap((token) => {
    if (color) {
      const other = readColor(token.value);
      const distance = other ? colorDistance(color, other) : Number.POSITIVE_INFINITY;
      return distance < 12 ? [{ token, distance }] : [];
    }
    const other = length === undefined || token.category === 'colors' ? undefined : readLength(token.value);
    const distance =
      other === undefined ? Number.POSITIVE_INFINITY : Math.abs(other - length!) / Math.max(1, length!);
    return distance <= 0.25 ? [{ token, distance }] : [];
  });
  return scored
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 5)
    .map(({ token }) => token);
}

function unique(tokens: DesignToken[]): Array<z.infer<typeof tokenMatch>> {
  const found = tokens.map((token) => ({
    category: token.category,
    name: token.name,
    value: token.value,
    reference: token.reference,
    ...(token.theme ? { theme: token.theme } : {}),
    source: `${token.file}:${token.line}`,
  }));
  return [
    ...new Map(
      found.map((match) => [
        `${match.category} ${match.name} ${match.theme ?? ''} ${match.reference}`,
        match,
      ]),
    ).values(),
  ].slice(0, 10);
}

import { type Color, colorDistance, readColor, readLength } from './color.ts';
import type { DesignToken, TokenLookup, TokenMatch } from './record.ts';

/** The token with this value in any notation; otherwise the nearest ones. */
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

/** Notations that do not map to whole channels may be off by one. */
const isRounded = (text: string): boolean => /^(hsl|oklch)|%/i.test(text.trim());

const sameColor = (one: Color, other: Color, off: number): boolean =>
  one.every((channel, at) => Math.abs(channel - (other[at] ?? 0)) <= (at === 3 ? 0.005 : off));

const plain = (value: string): string => value.toLowerCase().replace(/\s+/g, ' ').trim();

function nearest(tokens: DesignToken[], color: Color | undefined, length: number | undefined): DesignToken[] {
  const distanceTo = (token: DesignToken): number | undefined => {
    if (color) {
      const other = readColor(token.value);
      const distance = other && colorDistance(color, other);
      return distance !== undefined && distance < 12 ? distance : undefined;
    }
    const other = length === undefined || token.category === 'colors' ? undefined : readLength(token.value);
    if (length === undefined || other === undefined) return undefined;
    const distance = Math.abs(other - length) / Math.max(1, length);
    return distance <= 0.25 ? distance : undefined;
  };
  return tokens
    .flatMap((token) => {
      const distance = distanceTo(token);
      return distance === undefined ? [] : [{ token, distance }];
    })
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 5)
    .map(({ token }) => token);
}

function unique(tokens: DesignToken[]): TokenMatch[] {
  const matches = new Map<string, TokenMatch>();
  for (const { category, name, value, reference, theme, file, line } of tokens)
    matches.set(`${category} ${name} ${theme} ${reference}`, {
      category,
      name,
      value,
      reference,
      theme: theme || undefined,
      source: `${file}:${line}`,
    });
  return [...matches.values()].slice(0, 10);
}

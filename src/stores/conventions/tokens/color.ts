/** Red, green, blue from 0 to 255, alpha from 0 to 1. */
export type Color = [number, number, number, number];

const named: Record<string, string> = {
  black: '#000000',
  white: '#ffffff',
  red: '#ff0000',
  green: '#008000',
  blue: '#0000ff',
  yellow: '#ffff00',
  gray: '#808080',
  grey: '#808080',
  orange: '#ffa500',
  purple: '#800080',
  pink: '#ffc0cb',
  navy: '#000080',
  teal: '#008080',
  silver: '#c0c0c0',
  maroon: '#800000',
  lime: '#00ff00',
  cyan: '#00ffff',
  magenta: '#ff00ff',
  transparent: '#00000000',
};

/** Reads a CSS colour in hexadecimal, rgb(), hsl(), oklch() or by name; also the bare `H S% L%` of some themes. */
export function readColor(text: string): Color | undefined {
  const value = text.trim().toLowerCase();
  const hex = /^#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/.exec(named[value] ?? value)?.[1];
  if (hex) {
    const full = hex.length <= 4 ? [...hex].map((digit) => digit + digit).join('') : hex;
    const part = (at: number) => Number.parseInt(full.slice(at, at + 2), 16);
    return [part(0), part(2), part(4), full.length === 8 ? part(6) / 255 : 1];
  }
  const bare = /^([\d.]+)(?:deg)?\s+([\d.]+)%\s+([\d.]+)%$/.exec(value);
  if (bare) return [...fromHsl(Number(bare[1]), Number(bare[2]) / 100, Number(bare[3]) / 100), 1];
  const call = /^(rgba?|hsla?|oklch)\(([^)]*)\)$/.exec(value);
  if (!call) return undefined;
  const parts = call[2]!.split(/[\s,/]+/).filter(Boolean);
  const number = (at: number, percentOf = 1) => {
    const part = parts[at] ?? '';
    return part.endsWith('%') ? (Number.parseFloat(part) / 100) * percentOf : Number.parseFloat(part);
  };
  const alpha = parts.length > 3 ? number(3) : 1;
  if (parts.length < 3 || [0, 1, 2].some((at) => Number.isNaN(number(at)))) return undefined;
  if (call[1]!.startsWith('rgb')) return [number(0, 255), number(1, 255), number(2, 255), alpha];
  if (call[1]!.startsWith('hsl')) return [...fromHsl(number(0), number(1), number(2)), alpha];
  return [...fromOklch(number(0), number(1, 0.4), number(2)), alpha];
}

function fromHsl(hue: number, saturation: number, lightness: number): [number, number, number] {
  const spread = saturation * Math.min(lightness, 1 - lightness);
  const channel = (offset: number) => {
    const at = (offset + hue / 30) % 12;
    return Math.round(255 * (lightness - spread * Math.max(-1, Math.min(at - 3, 9 - at, 1))));
  };
  return [channel(0), channel(8), channel(4)];
}

function fromOklch(lightness: number, chroma: number, hue: number): [number, number, number] {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const gamma = (value: number) => {
    const inside = Math.max(0, Math.min(1, value));
    return Math.round(255 * (inside <= 0.0031308 ? 12.92 * inside : 1.055 * inside ** (1 / 2.4) - 0.055));
  };
  return [
    gamma(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    gamma(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    gamma(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

/** How far apart two colours look; under about 3 they are hard to tell apart side by side. */
export function colorDistance(one: Color, other: Color): number {
  const lab = ([r, g, b]: Color) => {
    const linear = (value: number) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    };
    const [red, green, blue] = [linear(r), linear(g), linear(b)];
    const f = (value: number) => (value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116);
    const x = f((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047);
    const y = f(0.2126 * red + 0.7152 * green + 0.0722 * blue);
    const z = f((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883);
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)] as const;
  };
  const [a, b] = [lab(one), lab(other)];
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) + 100 * Math.abs(one[3] - other[3]);
}

/** A length in pixels, with 16 to the rem, as every browser starts out. */
export function readLength(text: string): number | undefined {
  const match = /^(-?[\d.]+)(px|rem|em|pt)?$/.exec(text.trim().toLowerCase());
  if (!match || Number.isNaN(Number(match[1]))) return undefined;
  const factor =
    { px: 1, rem: 16, em: 16, pt: 96 / 72 }[match[2] ?? ''] ?? (Number(match[1]) === 0 ? 1 : undefined);
  return factor === undefined ? undefined : Number(match[1]) * factor;
}

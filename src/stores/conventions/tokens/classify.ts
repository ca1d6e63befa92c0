import { readColor, readLength } from './color.ts';
import type { DesignToken, TokenCategory, TypographyToken } from './record.ts';

/** Category by name first, by value second. */
export function classify(
  name: string,
  value: string,
  group = '',
): { category: TokenCategory; field?: keyof TypographyToken } {
  const text = `${group} ${name}`.toLowerCase();
  const field = typographyField(text, value);
  if (/shadow|elevation/.test(text)) return { category: 'shadows' };
  if (/radius|radii|rounded|corner/.test(text)) return { category: 'radii' };
  if (field) return { category: 'typography', field };
  if (readColor(value) || /^(color-mix|light-dark|rgb|hsl|oklch|lab|lch)\(/.test(value))
    return { category: 'colors' };
  if (/colou?r|palette/.test(text)) return { category: 'colors' };
  if (/spac|gap|gutter|padding|margin|inset|size|width|height/.test(text) && readLength(value) !== undefined)
    return { category: 'spacing' };
  if (/spac|gap|gutter|padding|margin/.test(text)) return { category: 'spacing' };
  return { category: 'other' };
}

function typographyField(text: string, value: string): keyof TypographyToken | undefined {
  if (/font-?family|typeface|font-(sans|serif|mono|body|heading|display)|fontfamily/.test(text))
    return 'font_family';
  if (
    /font-?size|text-size|fontsize|\btext-(xs|sm|base|md|lg|[2-9]?xl)\b(?!-)/.test(text) &&
    readLength(value) !== undefined
  )
    return 'font_size';
  if (/font-?weight|fontweight/.test(text)) return 'font_weight';
  if (/line-?height|leading|lineheight/.test(text)) return 'line_height';
  return undefined;
}

/** Prefixes that only repeat the category: `--color-primary` → primary. */
const prefixes: Record<TokenCategory, RegExp> = {
  colors: /^(color|colour|colors|clr)[-_.]/i,
  spacing: /^(spacing|space|size|gap)[-_.]/i,
  typography: /^(font-?family|font-?size|font-?weight|line-?height|typography|font|text|leading)[-_.]/i,
  shadows: /^(box-?shadow|shadow|shadows|elevation)[-_.]/i,
  radii: /^(border-?radius|radius|radii|rounded|corner)[-_.]/i,
  other: /^$/,
};

export const shortName = (category: TokenCategory, name: string): string =>
  name.replace(prefixes[category], '') || name;

export function makeToken(raw: {
  name: string;
  value: string;
  group?: string;
  theme?: string;
  reference: string;
  file: string;
  line: number;
}): DesignToken {
  const { category, field } = classify(raw.name, raw.value, raw.group);
  return {
    category,
    name: shortName(category, raw.name),
    value: raw.value,
    reference: raw.reference,
    theme: raw.theme ?? '',
    field,
    file: raw.file,
    line: raw.line,
  };
}

import { readColor } from './color.ts';
import { cssPatterns, cssTokens } from './css.ts';
import type { ComponentPattern, DesignToken } from './record.ts';
import { tailwindTokens, themeTokens } from './theme-files.ts';
import { isTailwindConfig } from './token-files.ts';
import { jsonTokens, looksLikeTokens } from './token-json.ts';

export interface DesignTokens {
  tokens: DesignToken[];
  patterns: ComponentPattern[];
}

export async function readTokens(texts: Array<[string, string]>): Promise<DesignTokens> {
  const tokens: DesignToken[] = [];
  for (const [path, text] of texts) {
    try {
      if (/\.(css|scss|sass|less)$/.test(path)) tokens.push(...cssTokens(text, path));
      else if (path.endsWith('.json'))
        tokens.push(...(looksLikeTokens(path, text) ? jsonTokens(text, path) : []));
      else if (isTailwindConfig(path)) tokens.push(...(await tailwindTokens(text, path)));
      else tokens.push(...(await themeTokens(text, path)));
    } catch {
      // A file that cannot be read as what its name says holds no tokens.
    }
  }
  const resolved = resolveReferences(tokens).sort((a, b) => rank(a) - rank(b));
  const names = new Map(
    resolved.map((token) => [/var\(--([\w-]+)\)/.exec(token.reference)?.[1] ?? '', token.name]),
  );
  const patterns = texts
    .filter(([path]) => /\.(css|scss|less)$/.test(path))
    .flatMap(([path, text]) => cssPatterns(text, path, (name) => names.get(name)));
  return { tokens: resolved, patterns: patterns.slice(0, 40) };
}

/** Default values before themes, and typical design-system files before the rest. */
const rank = ({ theme, file }: DesignToken): number =>
  (theme === '' ? 0 : 2) +
  (/(^|\/)[\w.-]*(global|theme|token|variable|root|tailwind)[\w.-]*$/i.test(file) ? 0 : 1);

/** Resolves `var(--x)` and `$x`, first within the same theme. */
function resolveReferences(tokens: DesignToken[]): DesignToken[] {
  const byName = new Map<string, string>();
  for (const token of tokens)
    for (const mark of [
      /var\(--[\w-]+\)/.exec(token.reference)?.[0],
      /^[$@][\w-]+$/.exec(token.reference)?.[0],
    ])
      if (mark)
        for (const key of token.theme === '' ? [mark, ` ${mark}`] : [`${token.theme} ${mark}`])
          if (!byName.has(key)) byName.set(key, token.value);
  const follow = (value: string, theme: string, depth = 0): string =>
    depth > 8
      ? value
      : value.replace(
          /var\(\s*(--[\w-]+)\s*(?:,[^()]*)?\)|(?<![\w-])[$@][a-zA-Z][\w-]*/g,
          (all, name?: string) => {
            const mark = name ? `var(${name})` : all;
            const target = byName.get(`${theme} ${mark}`) ?? byName.get(mark);
            return target === undefined || target === value ? all : follow(target, theme, depth + 1);
          },
        );
  return tokens.map((token) => {
    const value = follow(token.value, token.theme);
    if (value === token.value || token.category !== 'other') return { ...token, value };
    return readColor(value) ? { ...token, value, category: 'colors' } : { ...token, value };
  });
}

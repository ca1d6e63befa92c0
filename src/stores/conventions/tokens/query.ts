import { z } from 'zod';
import { type AnswerCache, fingerprintOf } from '../cache.ts';
import type { ProjectFiles } from '../project-files.ts';
import { categoryAliases } from './classify.ts';
import { readColor } from './color.ts';
import { cssPatterns, cssTokens } from './css.ts';
import { lookUp, type TokenLookup } from './lookup.ts';
import {
  type ComponentPattern,
  type DesignToken,
  type TokenCategory,
  type TypographyToken,
  tokenCategories,
  typographyToken,
} from './record.ts';
import { isTailwindConfig, isThemeFile, tailwindTokens, themeTokens } from './theme-files.ts';
import { jsonTokens, looksLikeTokens } from './token-json.ts';

const valueMap = z.record(z.string(), z.string());

export const designSystem = z.object({
  colors: valueMap.optional(),
  spacing: valueMap.optional(),
  typography: z.record(z.string(), typographyToken).optional(),
  shadows: valueMap.optional(),
  radii: valueMap.optional(),
  other: valueMap.optional(),
  themes: z.record(z.string(), valueMap).describe('values that differ in a theme, such as dark'),
  component_patterns: z.record(
    z.string(),
    z.object({ name: z.string(), description: z.string(), tokens: z.array(z.string()), example: z.string() }),
  ),
  sources: z.array(z.string()),
  total: z.number(),
  omitted: z.number().describe('tokens left out to keep the reply small; ask for one category'),
});
export type DesignSystem = z.infer<typeof designSystem>;

export interface TokenShelf {
  all(request: { category: string; limit: number; theme?: string | undefined }): Promise<DesignSystem>;
  byValue(value: string): Promise<TokenLookup>;
}

interface Gathered {
  tokens: DesignToken[];
  patterns: ComponentPattern[];
}

const wanted = (path: string): boolean =>
  (/\.(css|scss|sass|less)$/.test(path) && !/\.min\.css$/.test(path)) ||
  isTailwindConfig(path) ||
  isThemeFile(path) ||
  /(^|\/)[\w.-]*tokens?[\w.-]*\.json$|(^|\/)(design-)?tokens\/.+\.json$/i.test(path);
const aside =
  /(^|\/)(node_modules|vendor|dist|build|coverage|\.next|storybook-static|fixtures?|__tests__|tests?)\//;
const maxFiles = 400;
const maxBytes = 400_000;

export function createTokenShelf(files: ProjectFiles, cache: AnswerCache): TokenShelf {
  const gather = async (): Promise<Gathered> => {
    const paths = (await files.list()).filter((path) => wanted(path) && !aside.test(path)).slice(0, maxFiles);
    const texts: Array<[string, string]> = [];
    for (const path of paths) {
      const text = await files.read(path);
      if (text !== undefined && text.length <= maxBytes) texts.push([path, text]);
    }
    const key = {
      kind: 'tokens',
      project: '',
      branch: await files.branch(),
      fingerprint: fingerprintOf(texts, 'v1'),
    };
    const known = cache.get<Gathered>(key);
    if (known) return known.value;
    const gathered = await readTokens(texts);
    cache.set(key, gathered);
    return gathered;
  };
  return {
    all: async ({ category, limit, theme }) =>
      present(await gather(), categoryAliases[category] ?? category, limit, theme),
    byValue: async (value) => lookUp(value, (await gather()).tokens),
  };
}

async function readTokens(texts: Array<[string, string]>): Promise<Gathered> {
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

/** Default values before themes, and files that a design system is usually kept in before the rest. */
const rank = ({ theme, file }: DesignToken): number =>
  (theme === '' ? 0 : 2) +
  (/(^|\/)[\w.-]*(global|theme|token|variable|root|tailwind)[\w.-]*$/i.test(file) ? 0 : 1);

/** `var(--x)` and `$x` get the value they stand for; what they stand for in the same theme comes first. */
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

function present(
  { tokens, patterns }: Gathered,
  category: string,
  limit: number,
  theme?: string,
): DesignSystem {
  const categories =
    category === 'all' ? tokenCategories : tokenCategories.filter((name) => name === category);
  const chosen = tokens.filter((token) => categories.includes(token.category));
  const shown = chosen
    .filter((token) => token.theme === '' || theme === undefined || token.theme === theme)
    .slice(0, limit);
  const system: DesignSystem = {
    themes: {},
    component_patterns:
      category === 'all'
        ? Object.fromEntries(patterns.slice(0, 12).map((pattern) => [pattern.name, pattern]))
        : {},
    sources: [...new Set(chosen.map((token) => token.file))],
    total: chosen.length,
    omitted: chosen.length - shown.length,
  };
  for (const name of categories) {
    if (name === 'typography') system.typography = typography(shown);
    else if (name !== 'other' || shown.some((token) => token.category === 'other'))
      system[name] = values(shown, name);
  }
  for (const token of shown.filter((entry) => entry.theme !== '')) {
    const own = system.themes[token.theme] ?? {};
    own[token.name] = token.value;
    system.themes[token.theme] = own;
  }
  return system;
}

/** The first value of a name wins: it stands in the more general file. */
const values = (tokens: DesignToken[], category: TokenCategory): Record<string, string> =>
  Object.fromEntries(
    tokens
      .toReversed()
      .filter((token) => token.category === category && token.theme === '')
      .map((token) => [token.name, token.value]),
  );

/** Sizes, weights and heights that share a name are one token. */
function typography(tokens: DesignToken[]): Record<string, TypographyToken> {
  const found: Record<string, TypographyToken> = {};
  for (const token of tokens.filter((entry) => entry.category === 'typography' && entry.field)) {
    const name = token.name.replace(/--line-height$|-(font-(size|family|weight)|line-height)$/, '');
    const own = found[name] ?? {};
    own[token.field!] ??= token.value;
    found[name] = own;
  }
  return found;
}

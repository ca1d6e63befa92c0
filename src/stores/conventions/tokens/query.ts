import { type DerivedCache, fingerprintOf } from '../cache.ts';
import type { ProjectFiles } from '../project-files.ts';
import type { DesignTokens } from './read.ts';
import {
  categoryAliases,
  type DesignSystem,
  type DesignToken,
  type TokenCategory,
  type TokenLookup,
  type TypographyToken,
  tokenCategories,
} from './record.ts';
import { isTokenFile } from './token-files.ts';

const aside =
  /(^|\/)(node_modules|vendor|dist|build|coverage|\.next|storybook-static|fixtures?|__tests__|tests?)\//;
const maxFiles = 400;
const maxBytes = 400_000;

export interface TokenRequest {
  category: string;
  limit: number;
  theme?: string | undefined;
}

export function createTokenShelf(files: ProjectFiles, cache: DerivedCache) {
  const gather = async (): Promise<DesignTokens> => {
    const paths = (await files.list())
      .filter((path) => isTokenFile(path) && !aside.test(path))
      .slice(0, maxFiles);
    const texts: Array<[string, string]> = [];
    for (const path of paths) {
      const text = await files.read(path);
      if (text !== undefined && text.length <= maxBytes) texts.push([path, text]);
    }
    const fingerprint = fingerprintOf(texts, 'v1');
    const cached = cache.get<DesignTokens>('tokens', fingerprint);
    if (cached) return cached.value;
    // Loaded here because only token questions need the color library.
    const { readTokens } = await import('./read.ts');
    const tokens = await readTokens(texts);
    cache.put('tokens', [[fingerprint, tokens]], 200);
    return tokens;
  };
  return {
    all: async ({ category, limit, theme }: TokenRequest): Promise<DesignSystem> =>
      present(await gather(), categoryAliases[category] ?? category, limit, theme),
    byValue: async (value: string): Promise<TokenLookup> =>
      (await import('./lookup.ts')).lookUp(value, (await gather()).tokens),
  };
}

function present(
  { tokens, patterns }: DesignTokens,
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

/** The first value of a name wins: it is in the more general file. */
const values = (tokens: DesignToken[], category: TokenCategory): Record<string, string> =>
  Object.fromEntries(
    tokens
      .toReversed()
      .filter((token) => token.category === category && token.theme === '')
      .map((token) => [token.name, token.value]),
  );

/** Sizes, weights and heights with the same name are one token. */
function typography(tokens: DesignToken[]): Record<string, TypographyToken> {
  const found: Record<string, TypographyToken> = {};
  for (const token of tokens.filter((entry) => entry.category === 'typography' && entry.field)) {
    const name = token.name.replace(/--line-height$|-(font-(size|family|weight)|line-height)$/, '');
    const own = found[name] ?? {};
    if (token.field) own[token.field] ??= token.value;
    found[name] = own;
  }
  return found;
}

import { type Language, languageOf } from '../../../base/syntax/index.ts';
import { lineOf } from '../places.ts';
import { makeToken } from './classify.ts';
import type { DesignToken } from './record.ts';
import { readStaticModule, type StaticObject, type StaticValue } from './static-object.ts';

/** A Tailwind 3 configuration, read as text: no plug-in or function call is run. */
export async function tailwindTokens(text: string, file: string): Promise<DesignToken[]> {
  const { exported, constants } = await readStaticModule(text, languageFor(file));
  const config = isObject(exported)
    ? exported
    : Object.values(constants).find((value) => isObject(value) && 'theme' in value);
  const theme = isObject(config) && isObject(config.theme) ? config.theme : undefined;
  if (!theme) return [];
  const { extend, ...own } = theme;
  const tokens: DesignToken[] = [];
  for (const source of [own, isObject(extend) ? extend : {}])
    for (const [group, values] of Object.entries(source))
      if (Object.hasOwn(classes, group) && isObject(values))
        tokens.push(...flattenTheme({ group, reference: classes[group] ?? '', text, file }, values));
  return tokens;
}

const classes: Record<string, string> = {
  colors: 'bg-',
  backgroundColor: 'bg-',
  textColor: 'text-',
  spacing: 'p-',
  fontFamily: 'font-',
  fontSize: 'text-',
  fontWeight: 'font-',
  lineHeight: 'leading-',
  borderRadius: 'rounded-',
  boxShadow: 'shadow-',
};

/** Constants of a theme file: `colors.primary[500]`. */
export async function themeTokens(text: string, file: string): Promise<DesignToken[]> {
  const { exported, constants } = await readStaticModule(text, languageFor(file));
  const tokens: DesignToken[] = [];
  for (const [name, value] of Object.entries(constants))
    if (isObject(value))
      tokens.push(...flattenTheme({ group: name, reference: `${name}.`, text, file }, value));
  if (tokens.length === 0 && isObject(exported))
    tokens.push(...flattenTheme({ group: 'theme', reference: 'theme.', text, file }, exported));
  return tokens;
}

const isObject = (value: StaticValue | undefined): value is StaticObject =>
  value !== undefined && typeof value === 'object' && !Array.isArray(value);

const languageFor = (file: string): Language => languageOf(file) ?? 'typescript';

const camel = (text: string): string => text.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

interface ThemeGroup {
  /** The key above the values. */
  group: string;
  /** Prefix of a name where a token is used. */
  reference: string;
  text: string;
  file: string;
}

/** Tokens of nested values: `{ primary: { 500: '#00f' } }` → primary-500. */
function flattenTheme(theme: ThemeGroup, values: StaticObject, path: string[] = []): DesignToken[] {
  const { group, reference, text, file } = theme;
  return Object.entries(values).flatMap(([key, value]) => {
    const here = key === 'DEFAULT' ? path : [...path, key];
    if (isObject(value)) return path.length < 6 ? flattenTheme(theme, value, here) : [];
    // [size, { lineHeight }] of Tailwind's font sizes: the first entry is the size.
    const list = Array.isArray(value) ? value : [value];
    const isList = group === 'fontFamily' && Array.isArray(value);
    const single = isList ? list.filter((part) => typeof part === 'string').join(', ') : list[0];
    if (typeof single !== 'string' && typeof single !== 'number') return [];
    const dotted = reference.endsWith('.');
    const name = here.join('-') || 'default';
    return [
      makeToken({
        name,
        value:
          typeof single === 'number' && single !== 0 && /spac|radi|size|gap/i.test(`${group} ${name}`)
            ? `${single}px`
            : String(single),
        group: camel(group),
        reference: dotted ? `${reference}${here.join('.')}` : `${reference}${name}`,
        file,
        line: lineOf(
          text,
          Math.max(0, text.search(new RegExp(`["']?${key.replace(/[^\w]/g, '\\$&')}["']?\\s*:`))),
        ),
      }),
    ];
  });
}

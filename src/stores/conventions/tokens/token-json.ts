import { isObject } from '../../../base/json.ts';
import { type Json, readJson } from '../dependencies/structured-text.ts';
import { lineOf } from '../places.ts';
import { makeToken } from './classify.ts';
import type { DesignToken } from './record.ts';

/** Design-token JSON: the DTCG form (`$value`, `$type`, `{alias}`) and the older `value` of Style Dictionary. */
export function jsonTokens(text: string, file: string): DesignToken[] {
  const root = readJson(text);
  const values = new Map<string, { value: unknown; type: string }>();
  walk(root, [], '', values);
  return [...values].flatMap(([path, { value, type }]) => {
    const name = path.replaceAll('.', '-');
    const line = lineOf(text, Math.max(0, text.indexOf(`"${path.slice(path.lastIndexOf('.') + 1)}"`)));
    const make = (field: string, single: unknown): DesignToken[] => {
      const written = textOfValue(resolve(single, values));
      if (written === undefined) return [];
      return [
        makeToken({
          name: field ? `${name}-${field}` : name,
          value: written,
          group: groups[type] ?? '',
          reference: `{${path}}`,
          file,
          line,
        }),
      ];
    };
    const plain = resolve(value, values);
    if (type === 'typography' && isObject(plain)) {
      return Object.entries(plain).flatMap(([field, single]) => make(dashed(field), single));
    }
    return make('', plain);
  });
}

const groups: Record<string, string> = {
  color: 'color',
  dimension: '',
  spacing: 'spacing',
  fontFamily: 'font-family',
  fontWeight: 'font-weight',
  fontSize: 'font-size',
  shadow: 'shadow',
  boxShadow: 'shadow',
  borderRadius: 'radius',
  lineHeight: 'line-height',
};

const dashed = (field: string): string => field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function walk(
  node: unknown,
  path: string[],
  type: string,
  values: Map<string, { value: unknown; type: string }>,
): void {
  if (!isObject(node) || path.length > 12) return;
  const entry: Json = node;
  const named = entry.$type ?? ('value' in entry ? entry.type : undefined);
  const own = typeof named === 'string' ? named : type;
  if ('$value' in entry || ('value' in entry && path.length > 0)) {
    values.set(path.join('.'), { value: entry.$value ?? entry.value, type: own });
    return;
  }
  for (const [key, inner] of Object.entries(entry))
    if (!key.startsWith('$')) walk(inner, [...path, key], own, values);
}

/** Resolves `{a.b}`; a cycle stays as written. */
function resolve(
  value: unknown,
  values: Map<string, { value: unknown; type: string }>,
  seen: string[] = [],
): unknown {
  const alias =
    typeof value === 'string' ? /^\{([^}]+)\}$/.exec(value)?.[1]?.replace(/\.value$/, '') : undefined;
  if (alias === undefined || seen.includes(alias)) return value;
  const target = values.get(alias);
  return target ? resolve(target.value, values, [...seen, alias]) : value;
}

function textOfValue(value: unknown): string | undefined {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (Array.isArray(value)) {
    const parts = value.map(textOfValue).filter((part) => part !== undefined);
    return parts.length > 0 ? parts.join(', ') : undefined;
  }
  if (!isObject(value)) return undefined;
  const entry: Json = value;
  if ('value' in entry && 'unit' in entry) return `${entry.value}${entry.unit}`;
  if (typeof entry.hex === 'string') return entry.hex;
  if (Array.isArray(entry.components) && typeof entry.colorSpace === 'string') {
    if (entry.colorSpace === 'srgb')
      return `rgb(${entry.components
        .slice(0, 3)
        .map((part) => Math.round(Number(part) * 255))
        .join(' ')})`;
    return `${entry.colorSpace}(${entry.components.join(' ')})`;
  }
  const shadow = ['offsetX', 'offsetY', 'blur', 'spread', 'color']
    .map((key) => textOfValue(entry[key]))
    .filter((part) => part !== undefined);
  return shadow.length >= 3 ? shadow.join(' ') : undefined;
}

/** Whether a JSON file holds tokens: by its name, or by its content. */
export const looksLikeTokens = (path: string, text: string): boolean =>
  /"\$value"\s*:/.test(text) || (/token/i.test(path) && /"value"\s*:/.test(text));

import { mergedOrder } from './import-order.ts';
import type { LanguageStyle, StyleEvidence } from './record.ts';
import type { Tally } from './tally.ts';

/** Tallies of many files, with the first location of each value. */
export interface Summed {
  counts: Tally['counts'];
  /** `aspect value` → file:line of the file with the most matches. */
  places: Map<string, { file: string; line: number; weight: number }>;
  /** `a<b` → files in which import group a comes before b. */
  order: Record<string, number>;
  files: number;
}

/** A test shows a style as well as any file, but is a poor example to copy. */
const isTest = (file: string): boolean =>
  /(^|\/)(tests?|__tests__|spec|testing)\/|[._-](test|spec)s?\.\w+$|(^|\/)test_/.test(file);

export const emptySum = (): Summed => ({ counts: {}, places: new Map(), order: {}, files: 0 });

export function addTally(sum: Summed, tally: Tally, file: string): void {
  for (const [aspect, values] of Object.entries(tally.counts)) {
    const own = sum.counts[aspect] ?? {};
    for (const [value, times] of Object.entries(values)) {
      own[value] = (own[value] ?? 0) + times;
      const key = `${aspect} ${value}`;
      const known = sum.places.get(key);
      const weight = isTest(file) ? times / 100 : times;
      if (!known || weight > known.weight) sum.places.set(key, { file, line: tally.first[key] ?? 1, weight });
    }
    sum.counts[aspect] = own;
  }
}

/** The most frequent value of an aspect with its share, if there is enough data. */
export function evidenceOf(sum: Summed, aspect: string, least = 3): StyleEvidence | undefined {
  const sorted = Object.entries(sum.counts[aspect] ?? {}).sort(
    (a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1),
  );
  const total = sorted.reduce((all, [, times]) => all + times, 0);
  const [first, ...rest] = sorted;
  if (!first || total < least) return undefined;
  const place = sum.places.get(`${aspect} ${first[0]}`);
  return {
    value: first[0],
    count: first[1],
    total,
    share: Math.round((100 * first[1]) / total) / 100,
    others: Object.fromEntries(rest.slice(0, 4)),
    example: place ? `${place.file}:${place.line}` : '',
  };
}

type Take = (aspect: string, least?: number) => string | undefined;

const namingFields = ['functions', 'variables', 'constants', 'types', 'files', 'components'] as const;

export function summarise(
  sum: Summed,
  language: string,
): Omit<LanguageStyle, 'language' | 'files_analysed' | 'files_total' | 'configured_by'> {
  const evidence: Record<string, StyleEvidence> = {};
  const take = (aspect: string, least?: number): string | undefined => {
    const found = evidenceOf(sum, aspect, least);
    if (found) evidence[aspect] = found;
    return found?.value;
  };
  const naming: LanguageStyle['naming'] = {};
  for (const field of namingFields) {
    const value = take(`naming.${field}`);
    if (value) naming[field] = value;
  }
  const indentStyle = take('formatting.indent_style');
  const indentSize = indentStyle === 'spaces' ? take('formatting.indent_size') : undefined;
  const quotes = take('formatting.quote_style');
  const semicolons = take('formatting.semicolons');
  const comma = trailingComma(take, language);
  return {
    naming,
    formatting: {
      indent_style: indentStyle,
      indent_size: indentSize ? Number(indentSize) : undefined,
      quote_style: quotes,
      semicolons: semicolons === undefined ? undefined : semicolons === 'true',
      trailing_comma: comma,
    },
    patterns: patternsOf(sum, take),
    evidence,
    examples: examplesOf(evidence),
  };
}

/** `all` also after the last argument, `es5` only in literals, `none` nowhere. */
function trailingComma(take: Take, language: string): string | undefined {
  const objects = take('comma.objects');
  const calls = take('comma.arguments');
  if (!objects && !calls) return undefined;
  // Only JavaScript had versions that refused a comma after the last argument.
  if (language !== 'typescript' && language !== 'javascript')
    return (objects ?? calls) === 'yes' ? 'all' : 'none';
  if (calls === 'yes' && objects !== 'no') return 'all';
  return objects === 'yes' ? 'es5' : 'none';
}

function patternsOf(sum: Summed, take: Take): LanguageStyle['patterns'] {
  const errors = take('patterns.error_handling', 1);
  const custom = evidenceOf(sum, 'patterns.custom_errors', 1);
  const asynchronous = take('patterns.async_style', 1);
  const component = take('patterns.component_style', 1);
  const hooks = evidenceOf(sum, 'patterns.hooks', 1);
  const order = mergedOrder(frequent(sum));
  const exports = exportStyle(sum, take);
  return {
    error_handling: errors && custom ? `${errors} with custom errors` : errors,
    async_style: asynchronous,
    component_style: component === 'functional' && hooks ? 'functional with hooks' : component,
    export_style: exports,
    import_order: order.length > 1 ? order : undefined,
  };
}

/** Groups that meet in too few files have no order. */
const frequent = (sum: Summed): Record<string, number> =>
  Object.fromEntries(Object.entries(sum.order).filter(([, files]) => files >= Math.max(2, sum.files * 0.02)));

function exportStyle(sum: Summed, take: Take): string | undefined {
  const value = take('patterns.export_style');
  if (value === '__all__') return value;
  if (!value) return undefined;
  const { named = 0, default: whole = 0 } = sum.counts['patterns.export_style'] ?? {};
  const share = Math.min(named, whole) / Math.max(1, named + whole);
  return share > 0.2 ? 'mixed' : `${value} exports`;
}

const examplesOf = (evidence: Record<string, StyleEvidence>): LanguageStyle['examples'] =>
  Object.entries(evidence).flatMap(([aspect, { example }]) => {
    const cut = example.lastIndexOf(':');
    return cut < 0
      ? []
      : [
          {
            pattern: aspect.replace(/^(naming|formatting|patterns)\./, ''),
            file: example.slice(0, cut),
            line: Number(example.slice(cut + 1)),
          },
        ];
  });

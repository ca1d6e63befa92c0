import { parseJson } from '../json.ts';
import type { Finding, TestResult } from './record.ts';
import { type JsonMap, type ToolRow, table } from './table.ts';
import { type Fields, findingOf, maxItems, testOf } from './text.ts';

/*
 * Paths into JSON, as the table writes them. Steps are joined by dots: a key, an index, `*` for every element, `[key]`
 * for the first element whose key is true (or the first of all). A field that an item lacks is taken from what contains it;
 * `@key` is the name under which the nearest container stands; `a|b` takes the first that exists.
 */

interface Place {
  value: unknown;
  key?: string;
  above?: Place;
}

const isContainer = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

function step(value: unknown, name: string): unknown {
  if (!isContainer(value)) return undefined;
  const flag = /^\[(\w+)\]$/.exec(name)?.[1];
  if (flag === undefined) return Object.hasOwn(value, name) ? value[name] : undefined;
  const elements = Array.isArray(value) ? value : [];
  return elements.find((element) => isContainer(element) && element[flag] === true) ?? elements[0];
}

const follow = (value: unknown, path: string): unknown =>
  path.split('.').reduce((current: unknown, name) => step(current, name), value);

function placesOf(root: unknown, path: string): Place[] {
  let places: Place[] = [{ value: root }];
  for (const name of path.split('.')) {
    places = places.flatMap((place) => {
      if (name !== '*') return [{ value: step(place.value, name), above: place }];
      if (!isContainer(place.value)) return [];
      return Object.entries(place.value)
        .slice(0, maxItems + 1)
        .map(([key, value]) => ({ value, key: Array.isArray(place.value) ? undefined : key, above: place }));
    });
  }
  return places.filter((place) => isContainer(place.value)).slice(0, maxItems + 1);
}

function fieldOf(place: Place, path: string | undefined): unknown {
  for (const choice of path?.split('|') ?? []) {
    for (let at: Place | undefined = place; at; at = at.above) {
      const value = choice === '@key' ? at.key : follow(at.value, choice);
      if (value !== undefined && value !== null) return value;
    }
  }
  return undefined;
}

const matches = (place: Place, map: JsonMap): boolean =>
  Object.entries(map.when ?? {}).every(([path, values]) =>
    values.includes(String(follow(place.value, path) ?? '')),
  ) &&
  !Object.entries(map.whenNot ?? {}).some(([path, values]) =>
    values.includes(String(follow(place.value, path))),
  ) &&
  (map.unless === undefined || follow(place.value, map.unless) === undefined);

function fieldsOf(place: Place, map: JsonMap): Fields {
  const field = (path: string | undefined) => fieldOf(place, path);
  const number = (path: string | undefined) => {
    const value = Number(field(path) ?? Number.NaN);
    return Number.isNaN(value) ? undefined : value + (map.lineOffset ?? 0);
  };
  return {
    file: field(map.file),
    line: number(map.line),
    column: number(map.column),
    endLine: number(map.endLine),
    rule: field(map.rule),
    severity: field(map.severity) ?? map.fixed?.severity,
    message: field(map.message) ?? map.fixed?.message,
    suggestion: field(map.suggestion),
    name: field(map.name) ?? map.fixed?.name,
    suites: field(map.suites),
    status: field(map.status) ?? map.fixed?.status,
    stack: field(map.stack),
    expected: field(map.expected),
    actual: field(map.actual),
    durationMs: field(map.duration),
  };
}

/** The JSON of a report that a runner may have printed other lines around. */
export function jsonOf(text: string, lines: boolean | undefined): unknown {
  if (lines) {
    const values = text.split('\n').flatMap((line) => {
      // svelte-check writes the time before the object.
      const value = parseJson(/^(?:\d+ )?([[{].*)$/.exec(line.trimEnd())?.[1]);
      return isContainer(value) ? [value] : [];
    });
    return values.length > 0 || text.trim() === '' ? values : undefined;
  }
  const whole = parseJson(text.trim());
  if (isContainer(whole)) return whole;
  const start = /^[[{]/m.exec(text)?.index;
  const value = start === undefined ? undefined : parseJson(text.slice(start, lastEnd(text)));
  return isContainer(value) ? value : undefined;
}

const lastEnd = (text: string): number => Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1;

/** What the maps of a row find in a report; undefined where the text is not JSON. */
export function readJson(
  text: string,
  row: ToolRow,
  root: string,
): { findings: Finding[]; tests: TestResult[] } | undefined {
  const value = jsonOf(text, row.lines);
  if (value === undefined) return undefined;
  const findings: Finding[] = [];
  const tests: TestResult[] = [];
  for (const name of row.maps ?? []) {
    const map = table().maps[name];
    for (const place of map ? placesOf(value, map.items) : []) {
      if (!map || !matches(place, map)) continue;
      const fields = fieldsOf(place, map);
      if (map.ignore && new RegExp(map.ignore).test(String(fields.message))) continue;
      if (map.name) tests.push(testOf(fields, row, root));
      else findings.push(findingOf(fields, row, root));
    }
  }
  return { findings, tests };
}

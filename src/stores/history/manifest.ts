import { join } from 'node:path';
import { readConfigFile } from '../../base/config/index.ts';
import { isObject } from '../../base/json.ts';

export interface Component {
  name: string;
  paths: string[];
}

/** The components of a `varp.yaml`: a name with `path`, at the top, under `components`, or nested. */
export function readManifest(root: string): Component[] | undefined {
  const file = readConfigFile(join(root, 'varp.yaml'), root);
  return file ? [...componentsIn(file.value, 0)] : undefined;
}

function* componentsIn(value: unknown, depth: number): Generator<Component> {
  if (!value || typeof value !== 'object' || depth > 8) return;
  const entries: Array<readonly [unknown, unknown]> = Array.isArray(value)
    ? value.map((entry) => [isObject(entry) ? entry['name'] : undefined, entry])
    : Object.entries(value);
  for (const [name, entry] of entries) {
    const { path, paths } = isObject(entry) ? entry : {};
    const listed = [path, paths]
      .flat()
      .filter((each): each is string => typeof each === 'string' && each !== '');
    if (typeof name === 'string' && listed.length > 0) yield { name, paths: listed };
    yield* componentsIn(entry, depth + 1);
  }
}

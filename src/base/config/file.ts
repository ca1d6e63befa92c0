import { createRequire } from 'node:module';
import { SylkError } from '../errors.ts';
import { person, tree } from '../files/index.ts';

/** A parsed YAML file that still knows on which line each value stands. */
export interface ConfigFile {
  path: string;
  value: Record<string, unknown>;
  lineOf(keys: string[]): number;
}

/** Most repositories have no file, and then the parser is never loaded. */
const loadYaml = () => createRequire(import.meta.url)('yaml') as typeof import('yaml');

const limit = 1_000_000;

/** A file of the person; with the root of a repository, a file of that repository. */
export function readConfigFile(path: string, root?: string): ConfigFile | undefined {
  const text = root === undefined ? person.readText(path, { limit }) : tree.readText(root, path, { limit });
  if (text === undefined) return undefined;
  const { LineCounter, parseDocument } = loadYaml();
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: true,
    maxAliasCount: 50,
  } as never);
  const broken = document.errors[0];
  if (broken) {
    const line = lines.linePos(broken.pos[0]).line;
    throw new SylkError(
      'VALIDATION_ERROR',
      `${path}:${line}: not valid YAML: ${broken.message.split('\n')[0]}`,
      {
        hint: 'Correct that line; `sylk config show` then tells what is in force.',
      },
    );
  }
  const value = document.toJS({ maxAliasCount: 50 }) ?? {};
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new SylkError('VALIDATION_ERROR', `${path}:1: expected keys and values.`, {
      hint: 'Start with a section, such as `history:`.',
    });
  }
  return {
    path,
    value: value as Record<string, unknown>,
    lineOf: (keys) => {
      for (let depth = keys.length; depth > 0; depth--) {
        const node = document.getIn(keys.slice(0, depth), true) as
          | { range?: [number, number, number] }
          | undefined;
        if (node?.range) return lines.linePos(node.range[0]).line;
      }
      return 1;
    },
  };
}

import { createRequire } from 'node:module';
import type { Document } from 'yaml';
import { messageOf, SylkError } from '../errors.ts';
import { person, tree } from '../files/index.ts';
import { isObject } from '../json.ts';
import { isNestedTooDeep } from '../text/index.ts';

/** A parsed YAML file that still knows on which line each value stands. */
export interface ConfigFile {
  path: string;
  value: Record<string, unknown>;
  lineOf(keys: string[]): number;
}

/** Most repositories have no file, and then the parser is never loaded. */
const loadYaml = () => createRequire(import.meta.url)('yaml') as typeof import('yaml');

const limit = 65_536;

/** A file of the person; with the root of a repository, a file of that repository. */
export function readConfigFile(path: string, root?: string): ConfigFile | undefined {
  const text = root === undefined ? person.readText(path, { limit }) : tree.readText(root, path, { limit });
  if (text === undefined) return undefined;
  if (isNestedTooDeep(text)) throw invalid(path, 1, new Error('nested deeper than 64 levels'));
  const { LineCounter, parseDocument } = loadYaml();
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: true,
  });
  const broken = document.errors[0];
  if (broken) throw invalid(path, lines.linePos(broken.pos[0]).line, broken);
  const value = plainValue(document, path);
  if (!isObject(value)) {
    throw new SylkError('VALIDATION_ERROR', `${path}:1: expected keys and values.`, {
      hint: 'Start with a section, such as `history:`.',
    });
  }
  return {
    path,
    value,
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

/** Aliases are resolved only here: one that leads nowhere, or too many, is found now. */
function plainValue(document: Document, path: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 50 }) ?? {};
  } catch (error) {
    throw invalid(path, 1, { message: messageOf(error) });
  }
}

const invalid = (path: string, line: number, { message }: { message: string }): SylkError =>
  new SylkError(
    'VALIDATION_ERROR',
    `${path}:${line}: not valid YAML: ${message.split('\n')[0]?.replace(/:?$/, '.')}`,
    {
      hint: 'Fix that line; `sylk config show` then lists the active settings.',
    },
  );

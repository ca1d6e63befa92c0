import type { EdgeKind } from '../edge.ts';
import type { ModuleSettings } from '../link/script-modules.ts';

/** What the compiler's process is asked, one JSON text in a line. */
export interface CompileRequest {
  root: string;
  /** Every script of the repository. */
  files: string[];
  aliases: ModuleSettings['aliases'];
  packages: Array<[name: string, value: { directory: string; entries: Array<[string, string[]]> }]>;
  /** The files whose links are wanted, the most urgent first. */
  wanted: string[];
}

/** A name in the file that the compiler follows to a declaration of this repository. Offsets are UTF-16 units. */
export type CompiledLink = [
  at: number,
  line: number,
  kind: EdgeKind,
  path: string,
  name: string,
  targetAt: number,
];

/** The reply for one file; the last line of a request is `{ done: true }`. */
export interface CompiledFile {
  path: string;
  /** Hash of the content that was read. */
  hash: string;
  links: CompiledLink[];
  /** Calls by a name on something whose type is unknown. */
  unknown: Array<[at: number, line: number, name: string]>;
}

export type CompileReply = CompiledFile | { done: true };

import type { Import } from './imports.ts';
import type { DefinitionKind } from './languages.ts';

export interface Definition {
  kind: DefinitionKind;
  name: string;
  /** `Outer.inner`, with the type that a method belongs to even where that is defined elsewhere. */
  qualified: string;
  /** Index of the enclosing definition, -1 at the top of the file. */
  parent: number;
  /** The type named by a receiver, an `impl` or an extension; '' otherwise. */
  container: string;
  /** Offsets in UTF-16 units, end exclusive; lines count from 1. */
  start: number;
  end: number;
  line: number;
  endLine: number;
  /** The head, on one line, without the body. */
  signature: string;
  /** First sentence of the comment or docstring. */
  doc: string;
  exported: boolean;
  /** Announces what is defined elsewhere (a prototype in a header). */
  declaration: boolean;
}

export type UseKind =
  | 'call'
  | 'new'
  | 'extends'
  | 'implements'
  | 'embeds'
  | 'decorator'
  | 'reference'
  | 'pointer';

/** A use of something by a name that still has to be followed. */
export interface Use {
  kind: UseKind;
  /** See `chain`. */
  path: string;
  /** Index of the innermost definition around it, -1 at the top of the file. */
  scope: number;
  line: number;
}

/** What is known of a name inside a scope: the value it was given, its type, or what a function returns. */
export interface Binding {
  /** `value`: `name` is that expression; `type`: is of that type; `result`: the scope returns it; `param`: is given by the caller. */
  how: 'value' | 'type' | 'result' | 'param';
  scope: number;
  name: string;
  path: string;
}

export interface Facts {
  definitions: Definition[];
  uses: Use[];
  bindings: Binding[];
  imports: Import[];
  /** Exported name → local name, where the two differ or the export is a statement of its own. */
  exports: Array<{ name: string; as: string }>;
  /** Start and end of what names nothing although it is spelled like names: imports, texts, regular expressions. */
  quiet: Array<[start: number, end: number]>;
  /** Java, Kotlin, C#, PHP, Go: the package or namespace that the file says it is in. */
  package: string;
  /** The parser met something it could not read; the rest is still there. */
  broken: boolean;
}

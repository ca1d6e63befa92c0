/** A place in the code. */
export interface Place {
  ref: string;
  path: string;
  line: number;
}

/** A package that a manifest lists. */
export interface Declaration extends Place {
  /** As installed, else as asked for. */
  version: string;
}

export interface DefinedName extends Place {
  kind: string;
  /** The head on one line. */
  signature: string;
  /** `Outer.inner`. */
  qualified: string;
}

/** The commit that took something away. */
export interface Removal {
  commit: string;
  author: string;
  date: string;
  /** The file that lost it: a manifest, the file itself, or the one that defined the symbol. */
  path: string;
  /** Where that commit put it instead, if it did. */
  movedTo: string;
}

/** What the code of one tree, and the commits before it, can say about a claim. */
export interface CodeEvidence {
  /** Files whose path is this, or ends with it. */
  files(path: string): Promise<string[]>;
  definitions(name: string): Promise<DefinedName[]>;
  /** Declared in a manifest of the project itself, under this name or one that differs only in how it is written. */
  dependency(name: string): Promise<Declaration | undefined>;
  /** A file that only this tool reads or writes, for tools that no manifest lists; `undefined` where the tool is not known by its files. */
  toolFile(name: string): Promise<{ found: Place | undefined } | undefined>;
  /** A line of code of the project itself that imports it. */
  importOf(name: string): Promise<Place | undefined>;
  /** A code file that contains the word. */
  mention(name: string): Promise<Place | undefined>;
  /** The file contains the word on disk now. */
  holds(path: string, word: string): Promise<boolean>;
  /** The last commit that took the package out of a manifest of the project. */
  packageRemoval(name: string): Promise<Removal | undefined>;
  /** The last commit that deleted or moved the file. */
  fileRemoval(path: string): Promise<Removal | undefined>;
  /** The last commit that took the symbol's definition out of the code, or out of one file. */
  symbolRemoval(name: string, path?: string): Promise<Removal | undefined>;
  /** `Child` names `Parent` in its head, or a separate line says so. */
  inherits(child: string, parent: string): Promise<Place | undefined>;
  /** The text of a definition's lines; for values. */
  lineOf(place: Place): Promise<string>;
}

/** A place in the code. */
export interface Place {
  ref: string;
  path: string;
  line: number;
}

export interface DefinedName extends Place {
  kind: string;
  /** The head on one line. */
  signature: string;
  /** `Outer.inner`. */
  qualified: string;
}

export interface Removal {
  commit: string;
  date: string;
  /** The manifest it was removed from. */
  path: string;
}

/** What the code of one tree can say about a claim. */
export interface CodeEvidence {
  /** Files whose path is this, or ends with it. */
  files(path: string): Promise<string[]>;
  definitions(name: string): Promise<DefinedName[]>;
  /** Declared in a manifest, under this name or one that differs only in how it is written. */
  dependency(name: string): Promise<Place | undefined>;
  /** The first manifest; without one nothing can be said about packages. */
  manifest(): Promise<Place | undefined>;
  /** A line of code that imports it. */
  importOf(name: string): Promise<Place | undefined>;
  /** A code file that contains the word. */
  mention(name: string): Promise<Place | undefined>;
  /** The file contains the word on disk now. */
  holds(path: string, word: string): Promise<boolean>;
  /** The last commit that removed the package from a manifest, if any. */
  removal(name: string): Promise<Removal | undefined>;
  /** `Child` names `Parent` in its head, or a separate line says so. */
  inherits(child: string, parent: string): Promise<Place | undefined>;
  /** The text of a definition's lines; for values. */
  lineOf(place: Place): Promise<string>;
}

import type { Binding, Facts, Use } from './facts.ts';
import type { Import } from './imports.ts';
import type { DefinitionKind } from './languages.ts';

/** A definition as it was found: nesting, kind by place, head and comment still to come. */
export interface DraftDefinition {
  kind: DefinitionKind | 'impl' | 'prototype';
  name: string;
  container: string;
  start: number;
  end: number;
  exported?: boolean;
  /** Said of `self`: it belongs to the class around, not to the method it stands in. */
  own?: boolean;
  path?: string;
  /** A signature without a body, such as an overload. */
  declaration?: boolean;
}

export interface Placed<T> {
  at: number;
  item: T;
}

/** What is gathered from the matches before scopes are known. */
export interface Draft {
  definitions: DraftDefinition[];
  uses: Array<Placed<Omit<Use, 'scope' | 'line'>>>;
  bindings: Array<Placed<Omit<Binding, 'scope'>>>;
  imports: Import[];
  exports: Facts['exports'];
  package: string;
}

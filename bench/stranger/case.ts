import type { Place } from './place.ts';

/**
 * One hostile repository. A case is data: somebody who wants another one adds an object to a table in `cases/`.
 */
export interface StrangerCase {
  /** `group: what`, unique. */
  name: string;
  /** Changes a harmless repository into the hostile one. */
  make(place: Place): void | Promise<void>;
  /** The same size and shape without malice: what it costs is the measure. The plain repository when left out. */
  twin?(place: Place): void | Promise<void>;
  /** Texts that no answer may contain. */
  absent?: string[];
  /** Lines that no answer may contain: what was meant as one line of text pretends to be several. */
  forgedLines?: RegExp[];
  /** The answers that texts and lines are looked for in, by command name. All when left out. */
  spoken?: RegExp;
  /** Commands that fail here must fail in the twin too: the content is odd, not wrong. */
  mustAnswer?: boolean;
  /** Commands tried first, because the attack aims at them. */
  aims?: string[];
  /** Big: the repository is made once and not again for every command. */
  big?: boolean;
  /** Where git itself says that the repository is kept, relative to the place: state may be kept there. */
  stateAt?: string;
  /** Cases of one batch differ in a name only and can be made in one repository; the lab makes some of them alone too. */
  batch?: string | undefined;
  /** The path that a case of a batch changes: what is below or above it can't be made beside it. */
  path?: string;
  /** Belongs to neither the report of attacks nor the request: ideas of the author of the lab. */
  own?: boolean;
}

/** One row for each combination of a place in the repository and something hostile to put there. */
export function combine<A, B>(left: A[], right: B[], row: (a: A, b: B) => StrangerCase): StrangerCase[] {
  return left.flatMap((a) => right.map((b) => row(a, b)));
}

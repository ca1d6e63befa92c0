export const claimKinds = ['uses', 'implements', 'has', 'is', 'location'] as const;

/** A sentence that somebody wrote about a repository, and in which of its trees it is true. */
export interface LabelledClaim {
  repository: string;
  source: 'commit' | 'readme';
  /** As it was written. */
  text: string;
  kind: (typeof claimKinds)[number];
  /** Who does it; empty where the sentence speaks of the project. */
  subject: string;
  object: string;
  /** The sentence says that it is so no more. */
  negated: boolean;
  /** The commit at which it was written. */
  at: string;
  labels: TreeLabel[];
}

export interface TreeLabel {
  /** The tree before the sentence was written, that of its own commit, and today's. */
  which: 'before' | 'written' | 'now';
  tree: string;
  holds: boolean;
}

export type Draft = Omit<LabelledClaim, 'repository' | 'labels' | 'at'>;

/** Two sentences about one repository; in conflict when they speak of one thing and no tree lets both be true. */
export interface ClaimPair {
  left: LabelledClaim;
  right: LabelledClaim;
  conflict: boolean;
}

/** What the sentence is about: two claims with one key can contradict each other. */
export const keyOf = (claim: LabelledClaim): string =>
  claim.kind === 'location' ? `location ${claim.subject}` : `${claim.kind} ${claim.subject} ${claim.object}`;

export const holdsNow = (claim: LabelledClaim): boolean =>
  claim.labels.find(({ which }) => which === 'now')!.holds;

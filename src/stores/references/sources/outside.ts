import type { AddressRules } from '../../../base/fetch/index.ts';

/** How the world is reached. Everything here is an argument, so that a test stands in for the world. */
export interface Outside extends AddressRules {
  /** `file://` repositories, for tests and by explicit wish only. */
  allowFile?: boolean;
  /** The GitHub program, where it is installed; '' never uses it. */
  gh?: string;
  /** Where GitHub answers questions about its repositories. */
  gitHubApi?: string;
  signal?: AbortSignal;
}

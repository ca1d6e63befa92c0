import type { AddressRules } from '../../../base/fetch/index.ts';

/** Access to the network. Everything here is an argument, so that a test can replace it. */
export interface Outside extends AddressRules {
  /** `file://` repositories, for tests and by explicit request only. */
  allowFile?: boolean;
  /** The GitHub program, if installed; '' never uses it. */
  gh?: string;
  /** The API address of GitHub. */
  gitHubApi?: string;
  signal?: AbortSignal;
}

/** What is known of a repository before anything of it is fetched. */
export interface GitMetadata {
  name: string;
  commit: string;
  ref: string;
  files?: number;
  bytes?: number;
  /** Files that will not be taken: pictures, archives, keys. */
  leftOut?: number;
  language?: string;
  description?: string;
  filtered: boolean;
}

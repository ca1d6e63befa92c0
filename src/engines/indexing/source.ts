import type { SylkError } from '../../base/errors.ts';

/** A store that is kept up to date. Its input decides when it is updated. */
export interface IndexSource {
  name: string;
  /** `files` follows every save; `commits` follows HEAD. */
  follows: 'files' | 'commits';
  update(options: SourceUpdate): Promise<SourceReport>;
  freshness(): Promise<{ state: string; detail?: string }>;
}

export interface SourceUpdate {
  paths?: string[] | undefined;
  rebuild?: boolean;
  signal?: AbortSignal;
  progress?: (event: { done: number; total?: number; message: string }) => void;
}

export interface SourceReport {
  /** A one-line summary. */
  summary: string;
  /** Paths whose content or presence changed. */
  changed?: string[];
  detail?: Record<string, unknown>;
  /** What could not be read, although the rest was. */
  failure?: SylkError | undefined;
}

/** Called after every batch that changed something: caches and queues listen. */
export interface IndexBatch {
  source: string;
  changed: string[];
}

import type { SylkError } from '../errors.ts';

type Listener = (skipped: { path: string; message: string }) => void;

const listeners = new Set<Listener>();

/** Tells of files that were left out because of what they are. Answers how to stop listening. */
export function onSkippedFile(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function reportSkipped(path: string, error: SylkError): void {
  for (const listener of listeners) listener({ path, message: `${error.message} It was skipped.` });
}

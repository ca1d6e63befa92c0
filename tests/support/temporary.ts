import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A directory that is gone after the test. */
export function temporaryDirectory(label = 'test'): string {
  const directory = mkdtempSync(join(tmpdir(), `sylk-${label}-`));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }));
  return directory;
}

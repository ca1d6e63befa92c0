import type { RequestListener } from 'node:http';
import { onTestFinished } from 'vitest';
import { gitBackend } from './local-forge.ts';
import { startSite, type TestSite } from './local-site.ts';

/** A site on loopback that is gone after the test. */
export async function testSite(content: Record<string, string> | RequestListener): Promise<TestSite> {
  const site = await startSite(content);
  onTestFinished(site.close);
  return site;
}

/** A forge on loopback with the bare repositories of a directory. */
export const testGitServer = (root: string): Promise<TestSite> => testSite(gitBackend(root));

import type { Page } from 'playwright-core';

export interface LargeMap {
  files: Array<{ path: string; commits: number }>;
  imports: Array<[number, number]>;
  together: Array<[number, number, number]>;
  total: number;
}

/** A repository of any size, the same each time: nested folders, imports mostly to neighbours. */
export function largeMap(size: number): LargeMap {
  let state = 7;
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) % below;
  };
  const files = Array.from({ length: size }, (_, at) => ({
    path: `package-${at % 40}/folder-${Math.floor(at / 40) % 25}/part-${Math.floor(at / 1000) % 10}/file-${at}.ts`,
    commits: 1 + random(90),
  }));
  const near = (at: number) => (at + 40 * (1 + random(20))) % size;
  const imports = files.map((_, at): [number, number] => [at, near(at)]);
  const together = Array.from({ length: Math.floor(size / 10) }, (): [number, number, number] => {
    const at = random(size);
    return [at, random(8) === 0 ? random(size) : near(at), random(100) / 100];
  });
  return { files, imports, together, total: size };
}

/** Answers the question for the map with the given one; everything else comes from the real server. */
export async function giveMap(page: Page, map: LargeMap): Promise<void> {
  await page.route('**/api/get_repository_map', (route) => route.fulfill({ json: map }));
}

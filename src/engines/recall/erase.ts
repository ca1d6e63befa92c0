import type { Domain } from '../../stores/passages/index.ts';
import type { Recall } from './recall.ts';

/** What was forgotten elsewhere leaves no words and no vectors here; freed pages are overwritten. */
export const createErasing =
  ({ parts: { passages }, meaning }: Recall) =>
  (domain: Domain, owners: string[]): void => {
    const sqlite = passages.sqlite();
    sqlite.exec('PRAGMA secure_delete = ON');
    const keys = owners.flatMap((owner) => passages.ofOwner(domain, owner).map(({ key }) => key));
    passages.remove(domain, owners);
    const used = new Set(passages.byKey(domain, keys).map(({ key }) => key));
    if (!meaning.off && keys.length > 0) meaning.space(domain).erase(keys.filter((key) => !used.has(key)));
    passages.settle(domain);
    sqlite.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  };

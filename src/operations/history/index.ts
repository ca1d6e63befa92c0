import { operations as artifacts } from './artifacts.ts';
import { operations as cochange } from './cochange.ts';
import { operations as gitHooks } from './git-hooks.ts';
import { operations as indexing } from './indexing.ts';
import { operations as provenance } from './provenance.ts';
import { operations as show } from './show.ts';
import { operations as snapshots } from './snapshots.ts';
import { operations as summary } from './summary.ts';
import { operations as touches } from './touches.ts';

export const operations = [
  ...touches,
  ...show,
  ...provenance,
  ...cochange,
  ...artifacts,
  ...summary,
  ...snapshots,
  ...gitHooks,
  ...indexing,
];

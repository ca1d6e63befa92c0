import { operations as dependencies } from './dependencies.ts';
import { operations as history } from './history.ts';
import { operations as impact } from './impact.ts';
import { operations as overview } from './overview.ts';
import { operations as scip } from './scip.ts';
import { operations as search } from './search.ts';
import { operations as symbol } from './symbol.ts';

export const operations = [
  ...search,
  ...symbol,
  ...dependencies,
  ...impact,
  ...history,
  ...overview,
  ...scip,
];

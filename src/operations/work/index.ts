import type { AnyOperation } from '../operation.ts';
import { operations as containers } from './containers.ts';
import { operations as dependencies } from './dependencies.ts';
import { operations as flow } from './flow.ts';
import { operations as graph } from './graph.ts';
import { operations as foreign } from './import-tasks.ts';
import { operations as next } from './next.ts';
import { operations as plan } from './plan.ts';
import { operations as sections } from './sections.ts';
import { operations as tags } from './tags.ts';
import { operations as templates } from './templates.ts';
import { operations as upkeep } from './upkeep.ts';

export const operations: AnyOperation[] = [
  ...plan,
  ...containers,
  ...sections,
  ...templates,
  ...tags,
  ...next,
  ...dependencies,
  ...graph,
  ...flow,
  ...upkeep,
  ...foreign,
];

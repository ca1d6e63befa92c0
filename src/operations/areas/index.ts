import type { AnyOperation } from '../operation.ts';
import { operations as coverage } from './coverage.ts';
import { operations as graph } from './graph.ts';
import { operations as upkeep } from './upkeep.ts';

export const operations: AnyOperation[] = [...graph, ...upkeep, ...coverage];

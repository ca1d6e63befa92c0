import type { AnyOperation } from '../operation.ts';
import { operations as graph } from './graph.ts';
import { operations as upkeep } from './upkeep.ts';

export const operations: AnyOperation[] = [...graph, ...upkeep];

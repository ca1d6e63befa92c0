import { operations as flow } from './flow.ts';
import { operations as importTasks } from './import-tasks.ts';
import { operations as plan } from './plan.ts';
import { operations as read } from './read.ts';
import { operations as sections } from './sections.ts';
import { operations as upkeep } from './upkeep.ts';
import { operations as write } from './write.ts';

export const operations = [...plan, ...read, ...sections, ...write, ...flow, ...upkeep, ...importTasks];

import { operations as read } from './read.ts';
import { operations as write } from './write.ts';

const [save, ...changes] = write;

/** Saving comes first and deleting last: the examples build on one another. */
export const operations = [...(save ? [save] : []), ...read, ...changes];

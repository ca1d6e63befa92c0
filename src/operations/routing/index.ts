import { classify } from './classify.ts';
import { help } from './help.ts';
import { route } from './route.ts';
import { status } from './status.ts';

/** The status first: what it counts of this process is then the same on every surface. */
export const operations = [status, help, classify, route];

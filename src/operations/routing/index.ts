import { classify } from './classify.ts';
import { help } from './help.ts';
import { route } from './route.ts';
import { status } from './status.ts';

export const operations = [route, classify, help, status];

import { describe } from 'vitest';
import { externalWorker, ownWorker } from '../support/worker-cases.ts';
import { describeWorker } from '../support/worker-suite.ts';

describe.each([ownWorker, externalWorker({ unconfined: true })])('$name', describeWorker);

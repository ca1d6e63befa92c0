import { describe } from 'vitest';
import { externalWorker } from '../support/worker-cases.ts';
import { describeWorker } from '../support/worker-suite.ts';

describe('an external agent in the sandbox', () => describeWorker(externalWorker({ unconfined: false })));

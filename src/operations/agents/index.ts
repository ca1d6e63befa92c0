import { runAgent } from './run-agent.ts';
import { getTranscript } from './transcript.ts';

export const operations = [runAgent, getTranscript];

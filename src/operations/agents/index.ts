import { keepConversation } from './conversation.ts';
import { listAgents, testAgent } from './external-agents.ts';
import { runAgent } from './run-agent.ts';
import { getTranscript } from './transcript.ts';

export const operations = [runAgent, getTranscript, listAgents, testAgent, keepConversation];

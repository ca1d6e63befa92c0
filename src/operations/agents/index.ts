import { consultOperation } from './consult.ts';
import { keepConversation } from './conversation.ts';
import { listAgents, testAgent } from './external-agents.ts';
import { exportRoles, importRole, listRoles } from './roles.ts';
import { runAgent } from './run-agent.ts';
import { getTranscript } from './transcript.ts';

export const operations = [
  runAgent,
  getTranscript,
  listAgents,
  testAgent,
  keepConversation,
  listRoles,
  exportRoles,
  importRole,
  consultOperation,
];

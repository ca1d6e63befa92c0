import { z } from 'zod';
import { type MessageType, messageTypeAliases, messageTypes } from './message-types.ts';

export const priorities = ['low', 'normal', 'high', 'critical'] as const;
export type Priority = (typeof priorities)[number];

export const messageStatuses = [
  'queued',
  'delivered',
  'processing',
  'done',
  'failed',
  'expired',
  'dead',
] as const;
export type MessageStatus = (typeof messageStatuses)[number];

const typeSchema = z.preprocess(
  (given) => (typeof given === 'string' ? (messageTypeAliases[given] ?? given) : given),
  z.enum(messageTypes),
);
const agentName = z
  .string()
  .max(120)
  .regex(/^[a-z][a-z0-9_-]*(?:[:/][A-Za-z0-9_.-]+)?$/, 'an agent is named like librarian or engineer:2');
const metadata = z.record(z.string(), z.unknown());

/** A message: sender, receiver, session, deadline and outcome. */
export const messageSchema = z.object({
  id: z.string(),
  correlation_id: z.string().optional(),
  parent_id: z.string().optional(),
  session_id: z.string(),
  source: agentName,
  target: agentName.optional(),
  type: typeSchema,
  payload: z.unknown(),
  timestamp: z.string(),
  deadline: z.string().optional(),
  /** Milliseconds after the timestamp; the earlier of this and the deadline counts. */
  ttl: z.number().int().min(1).optional(),
  status: z.enum(messageStatuses),
  attempt: z.number().int().min(0),
  max_attempts: z.number().int().min(1).max(20).optional(),
  priority: z.enum(priorities),
  metadata: metadata.optional(),
  error: z.string().optional(),
  processed_at: z.string().optional(),
});

export type Message = Omit<z.output<typeof messageSchema>, 'type'> & { type: MessageType };

/** The fields that a sender sets; the bus fills in the rest of the envelope. */
export const newMessageSchema = z.object({
  id: z
    .string()
    .regex(/^[A-Za-z0-9_.:-]{1,80}$/)
    .optional(),
  correlation_id: z.string().max(120).optional(),
  parent_id: z.string().max(120).optional(),
  session_id: z.string().max(120).default(''),
  source: agentName,
  target: agentName.optional(),
  type: typeSchema,
  payload: z.unknown(),
  deadline: z.iso.datetime({ offset: true }).optional(),
  ttl: z.number().int().min(1).optional(),
  max_attempts: z.number().int().min(1).max(20).optional(),
  priority: z.enum(priorities).default('normal'),
  metadata: metadata.optional(),
});

export type NewMessage = z.input<typeof newMessageSchema>;

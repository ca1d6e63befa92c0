import { TransformStream } from 'node:stream/web';
import type * as acp from '@agentclientprotocol/sdk';
import { methods } from '@agentclientprotocol/sdk';
import { z } from 'zod';

const text = z.looseObject({ type: z.literal('text'), text: z.string() });
const content = z.union([text, z.looseObject({ type: z.string().refine((type) => type !== 'text') })]);
const part = z.union([
  z.looseObject({ type: z.literal('content'), content }),
  z.looseObject({ type: z.literal('diff'), path: z.string() }),
  z.looseObject({ type: z.string().refine((type) => type !== 'content' && type !== 'diff') }),
]);
const chunk = z.looseObject({ content });
const call = z.looseObject({
  toolCallId: z.string(),
  title: z.string().nullish(),
  kind: z.string().nullish(),
  status: z.string().nullish(),
  name: z.string().nullish(),
  content: z.array(part).nullish(),
  locations: z.array(z.looseObject({ path: z.string() })).nullish(),
});
const entry = z.looseObject({ content: z.string(), status: z.string() });
const cost = z.looseObject({ amount: z.number(), currency: z.string() });

/** As much of each update as is read here. Those of kinds that nobody knows yet pass. */
const shapes: Record<string, z.ZodType> = {
  agent_message_chunk: chunk,
  agent_thought_chunk: chunk,
  tool_call: call,
  tool_call_update: call,
  plan: z.looseObject({ entries: z.array(entry) }),
  usage_update: z.looseObject({ cost: cost.nullish() }),
};
const kinded = z.looseObject({ sessionUpdate: z.string().max(100) });

const isUpdate = (value: unknown): boolean => {
  const { success, data } = kinded.safeParse(value);
  return success && (shapes[data.sessionUpdate]?.safeParse(value).success ?? true);
};

const notification = z.looseObject({ sessionId: z.string(), update: z.custom<acp.SessionUpdate>(isUpdate) });

/**
 * Takes updates of a session out of what an agent sends and passes on the rest, as far as it is the protocol: the library behind it
 * would print anything else on the person's terminal.
 */
export function guardedStream(
  { readable, writable }: acp.Stream,
  { onUpdate, onOdd }: { onUpdate(update: acp.SessionNotification): void; onOdd(what: string): void },
): acp.Stream {
  const asked = new Set<unknown>();
  const outgoing = new TransformStream<acp.AnyMessage, acp.AnyMessage>({
    transform: (message, controller) => {
      if ('method' in message && 'id' in message) asked.add(message.id);
      controller.enqueue(message);
    },
  });
  // Writing fails when the agent has ended; its exit says so.
  outgoing.readable.pipeTo(writable).catch(() => undefined);
  const incoming = new TransformStream<acp.AnyMessage, acp.AnyMessage>({
    transform: (message, controller) => {
      if ('method' in message && message.method === methods.client.session.update) {
        const { data } = notification.safeParse(message.params);
        if (data) onUpdate(data);
        else onOdd('an update that is not as the protocol has it');
      } else if ('method' in message || ('id' in message && asked.delete(message.id)))
        controller.enqueue(message);
      else onOdd('an answer that nobody asked for');
    },
  });
  return { readable: readable.pipeThrough(incoming), writable: outgoing.writable };
}

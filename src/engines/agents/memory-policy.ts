import { messageOf } from '../../base/errors.ts';
import { costOf, type ModelMessage, modelErrorKind } from '../../base/model/index.ts';
import type { Step } from '../../stores/transcripts/index.ts';
import { documentText, notesRequest } from './document.ts';
import type { Loop } from './loop-state.ts';
import type { WorkResult } from './worker.ts';

/** Percent of a window that may be filled before the work is handed over, where the role says nothing else. */
const mostFilled = 95;
/** Share of a window that the last exchanges may take when a conversation is shortened. */
const keptShare = 0.1;
/** Tokens that are kept free for writing a summary. */
const mostNotes = 2_000;

/** What the provider counted last, and a guess for what came since: three characters make a token. */
export const filledTokens = ({ conversation: { tokens, added } }: Pick<Loop, 'conversation'>): number =>
  tokens + Math.ceil(added / 3);

const filledPercent = (loop: Loop): number => (100 * filledTokens(loop)) / loop.model.window;

/**
 * What the file of a role says about its window: stores a summary at each threshold that was passed, in order, once for each fill; then
 * shortens the conversation, or ends the leg so that a fresh one goes on.
 */
export async function keepToWindow(loop: Loop): Promise<WorkResult | undefined> {
  const { checkpoints = [], compact, hand_over } = loop.context.role?.memory ?? {};
  const percent = filledPercent(loop);
  const due = checkpoints.filter((each) => percent >= each && !loop.conversation.summaries.has(each));
  for (const each of due.toSorted((a, b) => a - b)) await summarise(loop, each);
  if (compact !== undefined && percent >= compact) {
    await shorten(loop, compact);
    // A brief that fills the window by itself leaves nothing to shorten.
    return filledPercent(loop) >= compact ? handOver(loop) : undefined;
  }
  return percent > (hand_over ?? mostFilled) ? handOver(loop) : undefined;
}

/**
 * Ends the leg with everything that a fresh conversation needs; also stored, for whoever looks back. A model that has just refused the
 * conversation for its length is not asked about it.
 */
export async function handOver(loop: Loop, { isRefused = false } = {}): Promise<WorkResult> {
  const role = loop.context.role?.name ?? loop.brief.role;
  const reason = `${role}_context_${Math.round(filledPercent(loop))}%`;
  const bundle = documentText(loop, { reason, notes: isRefused ? '' : await writeNotes(loop) });
  await store(loop, bundle);
  return { result: 'context_full', bundle, cost: loop.conversation.cost };
}

async function summarise(loop: Loop, percent: number): Promise<void> {
  const index = loop.conversation.summaryCount + 1;
  const notes = await writeNotes(loop);
  const text = documentText(loop, { reason: `checkpoint_${percent}%`, index, notes });
  await store(loop, text);
  await loop.record({ kind: 'summarised', percent, index, text });
}

/** The task, a summary and the last exchanges stay; everything else is found again with `recall_steps`. */
async function shorten(loop: Loop, percent: number): Promise<void> {
  const { conversation, model } = loop;
  const notes = await writeNotes(loop);
  const text = documentText(loop, { reason: `shortened_${percent}%`, notes });
  // Three characters make a token.
  const kept = lastExchanges(conversation.messages, {
    usual: model.window * keptShare * 3,
    most: model.window * 1.5,
  });
  await loop.record({ kind: 'compacted', text, kept });
  // The provider counts the shorter conversation anew.
  loop.counted = undefined;
}

/** How many messages at the end, from an answer on, have no more characters than these; the last exchange may have half a window. */
function lastExchanges(messages: ModelMessage[], { usual, most }: { usual: number; most: number }): number {
  let kept = 0;
  let size = 0;
  for (let at = messages.length - 1; at > 0; at--) {
    const message = messages[at];
    size += JSON.stringify(message).length;
    if (size > (kept === 0 ? most : usual)) break;
    if (message?.role === 'assistant') kept = messages.length - at;
  }
  return kept;
}

/** A summary is a courtesy to later work: a library that can't take it does not stop this one. */
async function store(loop: Loop, text: string): Promise<void> {
  const document = loop.context.role?.memory.document;
  if (!document || !loop.store) return;
  await loop
    .store(loop.brief, document, text)
    .catch((error) => loop.record(noteOf(`The summary was not stored: ${messageOf(error)}`)));
}

const noteOf = (text: string): Step => ({ kind: 'note', about: 'memory', text });

/** The agent's own words, where there is room for them; a model that can't be asked leaves what the steps tell. */
async function writeNotes(loop: Loop): Promise<string> {
  const { model, conversation, context } = loop;
  const room = Math.min(mostNotes, Math.floor(model.window * 0.04), model.maxOutput);
  const asked = conversation.notedAt === conversation.messages.length;
  if (asked) return conversation.notes;
  if (conversation.messages.length < 2 || filledTokens(loop) + 2 * room > model.window) return '';
  try {
    const reply = await model.stream({
      ...notesRequest(loop),
      maxOutputTokens: room,
      signal: context.signal,
    });
    const cost = costOf(model.price, reply.usage);
    await loop.record({ kind: 'noted', text: reply.text, usage: reply.usage, cost });
    return reply.text;
  } catch (error) {
    if (context.signal.aborted || modelErrorKind(error) === 'cancelled') throw error;
    await loop.record(noteOf(`The model wrote no summary: ${messageOf(error)}`));
    return '';
  }
}

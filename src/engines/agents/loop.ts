import { SylkError } from '../../base/errors.ts';
import type { Step } from '../../stores/transcripts/index.ts';
import { askModel } from './ask-model.ts';
import { briefText, feedbackText, toldOf } from './brief-text.ts';
import { answerCall } from './calls.ts';
import { findStall, guardLimits } from './guards.ts';
import type { Loop } from './loop-state.ts';
import { handOver } from './memory-policy.ts';
import type { WorkResult } from './worker.ts';

/**
 * The loop, as a rule for each state that a conversation can be in. Nothing else is remembered between two steps, so a process
 * that goes on needs no rule of its own.
 *
 * 1. A call without a result is answered, in order.
 * 2. A call that ends the leg, once all are answered, ends it.
 * 3. A stall asks the person.
 * 4. What a person said is told.
 * 5. An answer that called nothing gets a word, so that the next one does.
 * 6. Otherwise the model is asked.
 */
export async function takeStep(loop: Loop): Promise<WorkResult | undefined> {
  const { conversation, context } = loop;
  context.signal.throwIfAborted();
  const [call] = conversation.open;
  if (call) {
    await answerCall(loop, call);
    return undefined;
  }
  const ending = endingOf(loop);
  if (ending) return ending;
  const stall = findStall(conversation, { ...guardLimits, calls: loop.mostCalls });
  if (stall) return stop(loop, stall);
  if (conversation.unsaved >= loop.checkpointEvery) {
    await context.checkpoint();
    // Whoever makes it writes it down beside this conversation.
    conversation.unsaved = 0;
  }
  const news = await tellNews(loop);
  if (news === 'told') return undefined;
  if (news === 'hand over') return handOver(loop);
  if (conversation.messages.at(-1)?.role === 'assistant') return answerSilence(loop);
  if (
    hasReadEnough(loop) &&
    !conversation.messages.some(
      ({ role, ...said }) => role === 'user' && 'text' in said && said.text === enough,
    )
  )
    await loop.record({ kind: 'told', from: 'sylk', text: enough });
  return askModel(loop);
}

/** Opens the conversation, or goes on with it where a new leg has something to say. */
export async function openConversation(loop: Loop, begun: Extract<Step, { kind: 'begun' }>): Promise<void> {
  const { brief, conversation } = loop;
  const isNewLeg = conversation.leg !== brief.leg;
  const told = conversation.told;
  await loop.record(begun);
  if (conversation.messages.length === 0 || (isNewLeg && conversation.wasFull))
    await loop.record({
      kind: 'told',
      from: 'brief',
      text: briefText(brief),
      feedback: brief.feedback.length,
    });
  else if (isNewLeg) {
    const text = feedbackText(brief, told) || 'Go on with the task.';
    await loop.record({ kind: 'told', from: 'feedback', text, feedback: brief.feedback.length });
  }
}

function endingOf({ conversation }: Loop): WorkResult | undefined {
  const { ending, cost } = conversation;
  if (ending?.name === 'signal_complete') return { result: 'done', output: ending.text, cost };
  if (ending?.name === 'request_help') return { result: 'asks', question: ending.text, cost };
  return undefined;
}

async function stop({ conversation, context }: Loop, reason: string): Promise<WorkResult> {
  await context.checkpoint();
  const said = conversation.lastAnswer?.text.trim();
  const question = `${reason} ${said ? `It last said: ${said.slice(0, 2000)}` : ''} How should it go on?`;
  return { result: 'asks', question, cost: conversation.cost };
}

async function tellNews({ context, record }: Loop): Promise<'nothing' | 'told' | 'hand over'> {
  const { said, handOver } = await context.news();
  for (const each of said) await record(toldOf(each));
  if (handOver) return 'hand over';
  return said.length > 0 ? 'told' : 'nothing';
}

/** An answer without a call ends nothing: what it means is asked. */
const enough =
  'You have read as much as this question allows. Answer now from what you have, and say what is missing.';

/** Whoever is asked something looks further only as often, and reads only as much, as the depth of the question allows. */
export function hasReadEnough({ brief: { retrieval }, steps }: Pick<Loop, 'brief' | 'steps'>): boolean {
  if (!retrieval) return false;
  const rounds = steps.filter((step) => step.kind === 'said' && step.calls.length > 0).length;
  const read = steps.reduce((sum, step) => sum + (step.kind === 'result' ? step.text.length : 0), 0);
  // Three characters make a token.
  return rounds >= retrieval.rounds || read / 3 >= retrieval.tokens;
}

async function answerSilence({ brief, conversation, record }: Loop): Promise<WorkResult | undefined> {
  const { lastAnswer, cost } = conversation;
  if (!lastAnswer)
    throw new SylkError('INTERNAL_ERROR', 'A conversation ends with an answer that nobody gave.');
  const { finish, text, answers } = lastAnswer;
  if (finish === 'refusal')
    return { result: 'asks', question: `The model refused: ${text.trim() || 'without a word'}`, cost };
  if (brief.retrieval && text.trim() !== '') return { result: 'done', output: text.trim(), cost };
  const word =
    finish === 'length'
      ? 'Your answer was cut at its limit of length. Go on in smaller steps: one call at a time, smaller edits.'
      : answers
        ? 'Go on with the task.'
        : text.trim() === ''
          ? 'Your answer was empty. Go on with the task.'
          : 'You called no tool. Go on with the task; call signal_complete when it is done, or request_help to ask.';
  await record({ kind: 'told', from: 'sylk', text: word });
  return undefined;
}

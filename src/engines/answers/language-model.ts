import { SylkError } from '../../base/errors.ts';
import { costOf, type Model } from '../../base/model/index.ts';
import type { AnswerModel } from './answer.ts';
import type { ClassifyingModel } from './reader/index.ts';

/** Enough for an answer of a page; what is longer is not an answer to a question. */
const answerTokens = 2_000;
const verdictTokens = 300;

/** A model of the person as the writer of level 3. */
export async function writeAnswer(
  model: Model,
  { system, user, signal }: Parameters<AnswerModel>[0],
): ReturnType<AnswerModel> {
  const reply = await model.stream({
    instructions: system,
    messages: [{ role: 'user', text: user }],
    maxOutputTokens: answerTokens,
    signal,
  });
  if (reply.finish !== 'stop')
    throw new SylkError('UNAVAILABLE', `${model.id} ended its answer early (${reply.finish}).`);
  const { inputTokens, outputTokens } = reply.usage;
  return { text: reply.text, tokens: inputTokens + outputTokens, usd: costOf(model.price, reply.usage) };
}

/** The same as the judge of where a message goes. */
export async function classify(
  model: Model,
  { instructions, text, phase, signal }: Parameters<ClassifyingModel>[0],
): Promise<string> {
  const reply = await model.stream({
    instructions,
    messages: [{ role: 'user', text: phase ? `Phase: ${phase}\n\n${text}` : text }],
    maxOutputTokens: verdictTokens,
    signal,
  });
  return reply.text;
}

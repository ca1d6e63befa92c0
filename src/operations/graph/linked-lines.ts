import { SylkError } from '../../base/errors.ts';
import type { OperationContext } from '../operation.ts';
import { looking } from './shared.ts';

const most = 8;

/** The answer that links give to a question; empty where they cannot answer it. */
export async function linkedLines(context: OperationContext, question: string): Promise<string[]> {
  try {
    const { viewer, knowledge } = await looking(context, {}, { code: false });
    return (await knowledge.answer(viewer, { question }))?.lines.slice(0, most) ?? [];
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof SylkError) return [];
    throw error;
  }
}

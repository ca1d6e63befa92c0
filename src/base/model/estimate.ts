import type { ModelRequest } from './model.ts';

/** Everything of a request that a provider counts as input. */
export const requestText = ({ instructions, messages, tools = [] }: ModelRequest): string =>
  instructions + JSON.stringify(messages) + JSON.stringify(tools);

/** About as many tokens as a provider counts, for figures that nobody reported. */
export const estimateTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4);

/**
 * More tokens than a provider counts, for reservations: no current tokenizer needs a token for each 2.5 bytes of a
 * conversation. A text of rare signs may need more; it is then settled with what the provider reports.
 */
export const mostTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / 2.5) + 500;

import { z } from 'zod';

export const limitInput = (standard: number, most: number) =>
  z.coerce
    .number()
    .int()
    .min(1)
    .max(most)
    .default(standard)
    .describe(`at most this many (default ${standard})`);


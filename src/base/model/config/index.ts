import { z } from 'zod';
import { configSection, type SectionValue, userKey } from '../../config/index.ts';

const dollars = z.number().min(0);
const priceSchema = z.strictObject({
  input: dollars,
  output: dollars,
  cached_input: dollars.optional(),
  cache_write: dollars.optional(),
});
const limitSchema = z.strictObject({
  window: z.number().int().positive().optional(),
  max_output: z.number().int().positive().optional(),
});

/** All of them are the person's alone: a repository neither chooses who reads it nor what that costs. */
export const modelsSection = configSection('models', {
  fast: userKey(z.string().default(''), 'model for short questions, as provider/model'),
  strong: userKey(z.string().default(''), 'model for hard work, as provider/model'),
  roles: userKey(
    z.record(z.string(), z.string()).default({}),
    'models of single roles: provider/model, fast or strong',
  ),
  endpoints: userKey(
    z.record(z.string(), z.url({ protocol: /^https?$/ })).default({}),
    'addresses of OpenAI-compatible servers by name, such as ollama: http://127.0.0.1:11434/v1',
  ),
  prices: userKey(
    z.record(z.string(), priceSchema).default({}),
    'US dollars for a million tokens, by provider/model',
  ),
  limits: userKey(
    z.record(z.string(), limitSchema).default({}),
    'tokens of the window and of one answer, by provider/model',
  ),
});
export type ModelSettings = SectionValue<typeof modelsSection.keys>;

// owns: what can be set about embeddings; apart from the engine, because every start reads it
// knows: base/config
// must not know: the engine
import { z } from 'zod';
import { actingKey, configSection, type SectionValue, userKey } from '../../../base/config/index.ts';

/** How texts become vectors. Addresses and keys act outside: from a repository they hold only after trust. */
export const embeddingSection = configSection('embedding', {
  enabled: userKey(z.boolean().default(true), 'search by meaning; words always work'),
  runtime: userKey(z.enum(['auto', 'onnx', 'wasm']).default('auto'), 'what runs the local model'),
  threads: userKey(
    z.number().int().min(0).max(64).default(0),
    'threads of the local model; 0 leaves one core free',
  ),
  idle_seconds: userKey(z.number().int().min(1).default(60), 'how long the model stays in memory unused'),
  weights: userKey(z.string().default(''), 'directory with the weights, instead of the installed package'),
  endpoint_url: actingKey(
    z.string().default(''),
    'OpenAI-compatible embeddings API, such as http://127.0.0.1:11434/v1',
  ),
  endpoint_model: actingKey(z.string().default(''), 'model name at the endpoint'),
  endpoint_dimensions: actingKey(z.number().int().min(0).max(4096).default(0), 'dimensions of its vectors'),
  endpoint_key: actingKey(z.string().default(''), 'its key'),
});

export type EmbeddingSettings = SectionValue<(typeof embeddingSection)['keys']>;

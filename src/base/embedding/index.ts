// owns: turning text into vectors: the local model in its process, the static tier, an optional endpoint
// knows: the weights package and the runtimes
// must not know: where vectors are kept or what the texts mean
export { type Embedder, normalise, similarity } from './embedder.ts';
export { createEndpointEmbedder } from './endpoint-embedder.ts';
export { fromHalf, toHalf } from './half-floats.ts';
export { createModelEmbedder, type ModelEmbedderOptions } from './model-embedder.ts';
export { createStaticEmbedder, type StaticEmbedder } from './static-embedder.ts';
export { findWeights, readVocabulary } from './weights.ts';

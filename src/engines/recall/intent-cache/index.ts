// owns: when an answer that was given may be given again, by intent; what makes two questions one
// knows: the store of answers; the state of the world through what is handed to it
// must not know: how answers are made, other stores, surfaces
export { createIntentCaches } from './caches.ts';
export type { CacheQuestion, Evidence, IntentCaches } from './question.ts';
export type { World } from './world.ts';

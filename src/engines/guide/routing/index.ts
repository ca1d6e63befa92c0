// owns: who a message is for and what it wants: commands, cache, rules, examples, a model that is passed in
// knows: base only
// must not know: stores, the bus, who answers
export type { Classification, Target } from './classification.ts';
export { answersNow, intents, methods, phases, targets, verbs } from './classification.ts';
export { type Classifier, createClassifier } from './classify.ts';
export type { ClassifyingModel } from './model.ts';

// owns: reading a question once: who answers it, what it wants, its subject and time, and how it can be found
// knows: base, and how recall reads a query
// must not know: stores, the bus, how it is answered
export type {
  Classification,
  QuestionIntent,
  ReadQuestion,
  Specialist,
  Target,
} from './classification.ts';
export {
  answersNow,
  intents,
  isSpecialist,
  methods,
  phases,
  specialists,
  targets,
  verbs,
} from './classification.ts';
export type { LookUp } from './look-up-forms.ts';
export type { ClassifyingModel } from './model.ts';
export { createReader } from './read.ts';
export { nextStepFor, routeLine } from './route-line.ts';

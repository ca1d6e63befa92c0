// owns: matching paths against patterns from outside, in time that grows with pattern times path and no faster.
// knows: nothing else of base. must not know: whose patterns they are.
export { compileGlob, globText, type PathTest } from './glob.ts';
export { ignoreRules } from './ignore-rules.ts';

// Owns: links as a compiler makes them: its process, which files it still has to read, how its answers become edges.
// Knows: the code_* tables, base/process.
// Must not know: when it runs, who asks.

export { type CompileReport, compileLinks } from './compile.ts';
export { type CompilerLimits, openCompiler } from './compiler-process.ts';
export { followServed } from './served-links.ts';

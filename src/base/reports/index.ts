// Owns: how tools are told to check only and report, and how their reports are read.
// Knows: report formats, exit codes, and one table of tools.
// Must not know: how tools are found or run, and what is done with their findings.
export { readReport } from './read.ts';
export type {
  Finding,
  GateCategory,
  Reading,
  ShapedCommand,
  TestResult,
  ToolOutput,
} from './record.ts';
export { shapeCommand } from './shape.ts';
export { readableTools } from './table.ts';

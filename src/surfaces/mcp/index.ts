// owns: the Model Context Protocol surface of the registry. knows: operations. must not know: stores, engines.
export { createMcpServer } from './server.ts';
export { serveMcpOverStdio } from './stdio.ts';
export type { ToolSelection } from './tools.ts';

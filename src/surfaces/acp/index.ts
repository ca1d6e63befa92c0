// owns: the Agent Client Protocol surface: Sylk as an agent in editors
// knows: operations
// must not know: stores, engines
export { serveAcp } from './serve.ts';

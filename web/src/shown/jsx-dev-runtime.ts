/** The same while developing. */
export { Fragment, jsx as jsxDEV } from './jsx-runtime.ts';

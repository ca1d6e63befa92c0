import { checkDependency } from './dependencies.ts';
import { getFile, listReadFiles, previewEdit } from './files.ts';
import { findDesignToken, getDesignTokens } from './tokens.ts';
import { chooseTool, discoverTools } from './tools.ts';

export const operations = [
  discoverTools,
  chooseTool,
  checkDependency,
  getDesignTokens,
  findDesignToken,
  getFile,
  listReadFiles,
  previewEdit,
];

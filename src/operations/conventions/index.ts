import { findComponent } from './components.ts';
import { checkDependency } from './dependencies.ts';
import { getFile, listReadFiles, previewEdit } from './files.ts';
import { getStyleGuide } from './style.ts';
import { findDesignToken, getDesignTokens } from './tokens.ts';
import { chooseTool, discoverTools } from './tools.ts';

export const operations = [
  discoverTools,
  chooseTool,
  getStyleGuide,
  findComponent,
  checkDependency,
  getDesignTokens,
  findDesignToken,
  getFile,
  listReadFiles,
  previewEdit,
];

import { checkDependency } from './dependencies.ts';
import { getFile, listReadFiles, previewEdit } from './files.ts';
import { chooseTool, discoverTools } from './tools.ts';

export const operations = [discoverTools, chooseTool, checkDependency, getFile, listReadFiles, previewEdit];

import { chooseTool, discoverTools } from './tools.ts';

export const operations = [discoverTools, chooseTool];

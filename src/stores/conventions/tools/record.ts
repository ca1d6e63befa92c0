import { z } from 'zod';

export const toolCategories = ['linter', 'formatter', 'type_checker', 'test_framework', 'lsp'] as const;
export type ToolCategory = (typeof toolCategories)[number];

export const confidenceLevels = ['high', 'medium', 'low'] as const;
/**
 * high: a file of the project names the tool; medium: it is a declared dependency or part of the toolchain; low: only the
 * language is known.
 */
export type Confidence = (typeof confidenceLevels)[number];

export const toolSources = [
  'config_file',
  'package_manifest',
  'ci',
  'script',
  'editor_settings',
  'registry',
  'user_choice',
] as const;
export type ToolSource = (typeof toolSources)[number];

export const discoveredTool = z.object({
  name: z.string(),
  category: z.enum(toolCategories),
  language: z.string(),
  version: z.string().optional().describe('exact, from a lock file or a pin'),
  config_path: z.string().optional(),
  run_command: z.string(),
  words: z
    .array(z.string())
    .describe('the bare tool command as the project calls it, without scripts and runners'),
  one_test: z
    .string()
    .optional()
    .describe('how to run a single test; the words in capitals are to be filled in'),
  directory: z.string().describe('working directory, relative to the root'),
  install_cmd: z.string().optional(),
  is_installed: z.boolean(),
  program: z
    .string()
    .optional()
    .describe('for an installed tool: a path relative to the root, or a name on PATH'),
  source: z.enum(toolSources),
  confidence: z.enum(confidenceLevels),
  rationale: z.string().optional(),
  evidence: z.array(z.string()).describe('file:line and what it says'),
});
export type DiscoveredTool = z.infer<typeof discoveredTool>;

export const toolOption = z.object({
  tool: discoveredTool,
  pros: z.array(z.string()),
  cons: z.array(z.string()),
  recommended: z.boolean(),
});
export type ToolOption = z.infer<typeof toolOption>;

/** The decision for one category of one language. */
export const toolAnswer = z.object({
  category: z.enum(toolCategories),
  language: z.string(),
  tier: z.number().int().min(1).max(3),
  confidence: z.enum(confidenceLevels),
  satisfactory: z.boolean(),
  requires_user: z.boolean(),
});
export type ToolAnswer = z.infer<typeof toolAnswer>;

export const toolDiscovery = z.object({
  tier: z.number().int().min(1).max(3),
  confidence: z.enum(confidenceLevels),
  tools: z.array(discoveredTool),
  requires_user: z.boolean(),
  user_options: z.array(toolOption),
  answers: z.array(toolAnswer),
  languages: z.array(z.string()),
  project_path: z.string(),
  branch: z.string(),
  discovered_at: z.string(),
  cache_hit: z.boolean(),
  registry_date: z.string(),
  user_overrides: z.record(z.string(), z.string()),
  problems: z.array(z.string()),
});
export type ToolDiscovery = z.infer<typeof toolDiscovery>;

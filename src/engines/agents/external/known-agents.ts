import { z } from 'zod';
import rows from './agents.json' with { type: 'json' };

const paths = z.array(z.string()).default([]);

/** A coding agent that speaks the Agent Client Protocol, and what is peculiar to it. Paths are below the home directory. */
const agentSchema = z.strictObject({
  id: z.string(),
  title: z.string(),
  /** What speaks the protocol: the first of these on PATH. */
  programs: z.array(z.string()),
  arguments: z.array(z.string()).default([]),
  /** The program that a person has of it, which may lack the adapter. */
  client: z.string().optional(),
  install: z.string().optional(),
  login: z.strictObject({ command: z.string(), files: paths, variables: z.array(z.string()) }).optional(),
  /** The provider's hosts; the sandbox reaches no others. */
  hosts: z.array(z.string()).default([]),
  /** Variables of the person's environment that it gets, beside those of its login. */
  passes: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.string()).default({}),
  /** A settings file of ours, which the variable names. */
  settings: z.strictObject({ variable: z.string(), content: z.record(z.string(), z.unknown()) }).optional(),
  home: z
    .strictObject({
      /** Seen and never changed. */
      read: paths,
      /** Seen as a copy. */
      copy: paths,
      /** Of the overlay: what it needs to go on with a session; `*` for all of it. */
      keep: paths,
    })
    .default({ read: [], copy: [], keep: [] }),
  session: z
    .strictObject({
      /** The mode in which it asks before it acts. */
      mode: z.string().optional(),
      /** Sent with every session: forbids agents of its own, and settings of the repository. */
      meta: z.record(z.string(), z.unknown()).optional(),
      /** A refused permission ends its turn: it has to be told to go on. */
      refusalEndsTurn: z.boolean().optional(),
    })
    .default({}),
  /** Where it reports what a turn took, and whether it leaves out some questions to its model: titles, earlier steps. */
  usage: z
    .strictObject({ from: z.enum(['turn', 'quota', 'none']), isPartial: z.boolean() })
    .default({ from: 'turn', isPartial: true }),
});
export type KnownAgent = z.output<typeof agentSchema>;

export const knownAgents: KnownAgent[] = z.array(agentSchema).parse(rows);

/** An agent that only the person's own config file names. */
export const configuredAgent = (
  id: string,
  { command: [program = '', ...args], hosts, environment }: ConfiguredAgent,
): KnownAgent =>
  agentSchema.parse({
    id,
    title: id,
    programs: [program],
    arguments: args,
    hosts,
    environment,
    home: { read: [], copy: [], keep: ['*'] },
  });

export interface ConfiguredAgent {
  command: string[];
  hosts: string[];
  environment: Record<string, string>;
}

// Owns: claims that a text makes about the code, and whether the code confirms them.
// Knows: stores. Must not know: surfaces, operations, engines above it.
import type { Clock } from '../../base/clock.ts';
import type { Git } from '../../base/git/index.ts';
import type { Conventions } from '../../stores/conventions/index.ts';
import { type CheckStores, createEntryCheck } from './check-entry.ts';
import { createCodeEvidence } from './code-evidence.ts';
import type { CodeEvidence } from './evidence.ts';

export { type CheckedClaim, type Claim, isAboutCode, isVerifiable } from './claim.ts';
export { disagree } from './contradiction.ts';
export type { CodeEvidence, Place } from './evidence.ts';
export { checkText, isBorneOut, isContradicted, verifyText } from './firewall.ts';
export { isPath } from './names.ts';

/** Manifests and the file list are read again after this time, even if no indexed file changed. */
const evidenceMs = 30_000;

export function createClaims(
  context: CheckStores & { conventions: () => Promise<Conventions>; git: Git; clock: Clock },
) {
  const { clock, git } = context;
  let latest: { generation: number; at: number; evidence: CodeEvidence } | undefined;
  /** The current code of the working tree. */
  const evidence = async (): Promise<CodeEvidence> => {
    const code = await context.code();
    const generation = code.generation();
    if (latest?.generation === generation && clock.now() - latest.at <= evidenceMs) return latest.evidence;
    const { dependencies, projectFiles } = await context.conventions();
    latest = {
      generation,
      at: clock.now(),
      evidence: createCodeEvidence({
        files: projectFiles,
        git,
        dependencies: dependencies.declared,
        definitions: (name) =>
          code.find(name).filter(({ kind, name: own }) => kind !== 'file' && own === name),
      }),
    };
    return latest.evidence;
  };
  return { evidence, checkEntry: createEntryCheck(context, evidence) };
}

export type Claims = ReturnType<typeof createClaims>;

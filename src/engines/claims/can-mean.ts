import { isTestPath } from '../../base/text/index.ts';
import type { Claim } from './claim.ts';
import type { DefinedName } from './evidence.ts';
import { isBesideProject } from './names.ts';

/** The number that follows the name: "React 18", "zod v4.1". */
export const versionSaid = ({ sentence, object }: Claim): string | undefined => {
  const plain = sentence.replace(/[`*]/g, '').toLowerCase();
  const after = plain.slice(plain.indexOf(object.toLowerCase().replaceAll('-', ' ')) + object.length);
  return /^(?:\.js)? v?(\d+(?:\.\d+)*)(?![\w%]|\.\d)/.exec(after)?.[1];
};

/** "4" and "4.1" fit what is installed as 4.1.2; a range counts by its first number. */
export const isVersion = (said: string, known: string): boolean => {
  const first = /\d+(?:\.\d+)*/.exec(known)?.[0] ?? '';
  return `${first}.`.startsWith(`${said}.`);
};

/** "The extension tests use x" is not borne out by the manifest of the command line. */
export const isOfAnotherPart = (subject: string, manifest: string): boolean => {
  if (subject.includes('/')) return !manifest.startsWith(`${subject.replace(/\/$/, '')}/`);
  const [folder = ''] = /^.*\//.exec(manifest.toLowerCase()) ?? [];
  const words = subject.toLowerCase().match(/[a-z]{3,}/g) ?? [];
  return (
    folder !== '' && words.length > 0 && !words.some((word) => isWhole.test(word) || folder.includes(word))
  );
};
const isWhole =
  /^(?:projects?|applications?|apps?|repository|repo|codebase|package|software|product|team|tests?|suite)$/;

/**
 * Whether these definitions can only be what the name means: of the project itself, and one of them where a member is
 * meant, because many types have a member of the same name. What a variable holds (`app.fetch`) is not known.
 */
export function isTheOne(owner: string, defined: DefinedName[], sameName: number): boolean {
  if (/^[a-z]/.test(owner) || defined.some(({ path }) => isBesideProject(path) || isTestPath(path)))
    return false;
  return (
    sameName === 1 ||
    (owner !== '' && defined.length === 1) ||
    defined.every(
      ({ kind, qualified }) => !qualified.includes('.') && !/^(?:field|property|method|variable)$/.test(kind),
    )
  );
}

import type { Language } from '../languages.ts';
import { javascript, tsx, typescript } from './ecmascript.ts';
import { csharp, java, kotlin, swift } from './managed.ts';
import { python } from './python.ts';
import { bash, php, ruby } from './scripting.ts';
import { c, cpp, go, rust } from './systems.ts';

/**
 * One query a language finds everything that is read off a tree. Captures:
 * a kind (`@function`, `@class`, …) with `@name`, `@type`, `@value` defines; `@bind`, `@pattern` and `@target`
 * give a local name a value or a type; `@call`, `@invocation` (up to `@last`), `@new`, `@extends`, `@implements`,
 * `@embeds`, `@result`, `@decorator` use something; `@import`, `@export`, `@package` tie files together;
 * `@receiver` and `@impl` put methods into a type that is defined elsewhere. Parameters and result types are read from a
 * definition's head, other mentions from the identifier scan: both cost less there.
 */
export const queries: Partial<Record<Language, string>> = {
  javascript,
  typescript,
  tsx,
  python,
  go,
  rust,
  java,
  c,
  cpp,
  csharp,
  ruby,
  php,
  bash,
  kotlin,
  swift,
};

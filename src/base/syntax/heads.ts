import { type DefinitionKind, type Language, languages } from './languages.ts';

const longest = 600;

/** The head of a definition: up to the body, blanks folded. */
export function signatureOf(text: string, start: number, end: number, language: Language): string {
  const stop = Math.min(end, start + longest);
  const cut = headEnd(text, start, stop, languages[language].head ?? 'brace');
  const head = text.slice(start, cut).replace(/\s+/g, ' ').trim();
  return head.length > 240 ? `${head.slice(0, 239)}…` : head;
}

function headEnd(text: string, start: number, stop: number, style: string): number {
  let depth = 0;
  for (let at = start; at < stop; at++) {
    const character = text.charCodeAt(at);
    if (character === 40 || character === 91) depth++;
    else if (character === 41 || character === 93) depth--;
    else if (depth > 0) continue;
    else if (endsHead(text, at, character, style)) return at;
    else if (character === 61 && text.charCodeAt(at + 1) === 62) return at + 2;
  }
  return stop;
}

function endsHead(text: string, at: number, character: number, style: string): boolean {
  switch (character) {
    case 10:
      return style === 'line';
    case 59:
      return true;
    case 123:
      return style === 'brace';
    case 58:
      return style === 'colon' && beginsBody.test(text.slice(at + 1, at + 60));
    default:
      return false;
  }
}

/** After the colon of a Python head: the end of the line, a comment, or a body in one line. */
const beginsBody = /^(?:$|[\n\r#]| (?:\s*(?:#.*)?\n|(?:return|pass|\.\.\.|raise|yield)))/;

/** Text between the first parenthesis of a head and its partner, and what follows. */
function splitHead(signature: string): { inside: string; after: string } {
  const open = signature.indexOf('(');
  if (open < 0) return { inside: '', after: '' };
  let depth = 0;
  for (let at = open; at < signature.length; at++) {
    const character = signature[at];
    if (character === '(' || character === '[' || character === '{' || character === '<') depth++;
    else if (character === ')' || character === ']' || character === '}') depth--;
    else if (character === '>' && signature[at - 1] !== '=' && signature[at - 1] !== '-') depth--;
    if (depth === 0) return { inside: signature.slice(open + 1, at), after: signature.slice(at + 1).trim() };
  }
  return { inside: signature.slice(open + 1), after: '' };
}

const withoutReceiver = (signature: string): string => signature.replace(/^func\s*\([^)]*\)/, 'func');

export interface Parameter {
  name: string;
  type: string;
}

const typeFirst = new Set<Language>(['java', 'c', 'cpp', 'csharp', 'php']);

export function parametersOf(signature: string, language: Language): Parameter[] {
  const found: Parameter[] = [];
  const list = splitHead(language === 'go' ? withoutReceiver(signature) : signature).inside;
  for (const part of splitTop(list)) {
    const bare = part.replace(/=[\s\S]*$/, '').trim();
    if (bare === '') continue;
    if (typeFirst.has(language)) {
      const name = /(\$?[\p{L}_][\p{L}\p{N}_]*)\s*(?:\[\s*\])*$/u.exec(bare)?.[1];
      if (name) found.push({ name, type: bare.slice(0, bare.length - name.length).trim() });
    } else if (language === 'go') {
      const [name = '', ...type] = bare.split(/\s+/);
      found.push({ name, type: type.join(' ') });
    } else {
      const name =
        /^(?:(?:public|private|protected|readonly|mut|vararg|ref|_|\.\.\.|\*{1,2}|&|@\w+)\s*)*([\p{L}_$][\p{L}\p{N}_$]*)(?:\s+[\p{L}_]\w*(?=\s*:))?\??/u.exec(
          bare,
        )?.[1];
      if (name) found.push({ name, type: afterColon(bare) });
    }
  }
  return found;
}

const afterColon = (text: string): string => {
  const at = text.indexOf(':');
  return at < 0 ? '' : text.slice(at + 1).trim();
};

/** What the head says the result is: after `->`, after the parameters and a colon, or before the name. */
export function resultType(signature: string, name: string, language: Language): string {
  const arrow = /(?:->)\s*([^{]+)$/.exec(signature)?.[1];
  if (arrow) return arrow.replace(/:\s*$/, '').trim();
  if (typeFirst.has(language) && language !== 'php') {
    signature = signature.replace(/@\w+(?:\([^)]*\))?\s*/g, '');
    const at = signature.indexOf(`${name}(`);
    return at > 0
      ? signature
          .slice(0, at)
          .replace(
            /\b(?:public|private|protected|static|final|abstract|async|virtual|override|inline|extern|const)\b/g,
            '',
          )
          .trim()
      : '';
  }
  const { after } = splitHead(language === 'go' ? withoutReceiver(signature) : signature);
  if (language === 'go') return after;
  return /^:\s*(.+?)(?:\s*=>|\s+=\s.*)?$/.exec(after)?.[1] ?? '';
}

/** Parts between commas that stand outside of every bracket. */
export function splitTop(list: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at <= list.length; at++) {
    const character = list[at];
    if (character === '(' || character === '[' || character === '{' || character === '<') depth++;
    else if (character === ')' || character === ']' || character === '}') depth--;
    else if (character === '>' && list[at - 1] !== '=' && list[at - 1] !== '-') depth--;
    else if (at === list.length || (character === ',' && depth <= 0)) {
      found.push(list.slice(from, at));
      from = at + 1;
    }
  }
  return found;
}

const slashes = /^\s*(?:\/\/[/!]?|\*(?!\/)|\/\*\*?)\s?(.*?)(?:\*\/)?\s*$/;
const hashes = /^\s*#+(?!!)\s?(.*?)\s*$/;
const hashed = new Set<Language>(['python', 'ruby', 'bash']);

/** First sentence of the comment above, or of the docstring below, a definition. */
export function docOf(text: string, start: number, end: number, language: Language): string {
  const docstring =
    language === 'python' ? docstringOf(text.slice(start, Math.min(end, start + 900))) : undefined;
  if (docstring !== undefined) return sentence(docstring);
  const lines: string[] = [];
  let at = text.lastIndexOf('\n', start - 1);
  if (!/^[\w\s@]*$/.test(text.slice(at + 1, start))) return '';
  for (let count = 0; at > 0 && count < 12; count++) {
    const before = text.lastIndexOf('\n', at - 1);
    const line = text.slice(before + 1, at);
    at = before;
    if (/^\s*(?:@|#\[|\[[\w(])/.test(line)) continue;
    if (/^\s*\*\/\s*$/.test(line)) continue;
    const found = (hashed.has(language) ? hashes : slashes).exec(line);
    if (!found) break;
    lines.unshift(found[1] ?? '');
    if (/^\s*\/\*/.test(line)) break;
  }
  return sentence(lines.join(' '));
}

function docstringOf(body: string): string | undefined {
  // Most functions have no docstring: a plain look is much cheaper than the pattern.
  if (!body.includes('"""') && !body.includes("'''")) return undefined;
  const inside = /:\s*(?:#.*)?\n\s*[rRbBuU]?("""|''')([\s\S]*?)(?:\1|$)/.exec(body);
  const isOfAnother = inside && /\n\s*(?:def|class|return|if|for)\b/.test(body.slice(0, inside.index));
  return inside && !isOfAnother ? (inside[2] ?? '') : undefined;
}

function sentence(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  const end = /[.!?](?:\s|$)/.exec(flat);
  return flat.slice(0, Math.min(end ? end.index + 1 : flat.length, 160));
}

/** Whether others can see it, by the rules of the language. */
export function isExported(
  name: string,
  kind: DefinitionKind,
  signature: string,
  before: string,
  language: Language,
): boolean {
  if (language === 'typescript' || language === 'tsx' || language === 'javascript')
    return kind === 'method' || kind === 'field' || kind === 'constructor'
      ? !/^(?:private|protected)\b|^#/.test(signature)
      : exportBefore.test(before) || /^export\b/.test(signature);
  return visible[language]?.(name, signature) ?? true;
}

const exportBefore =
  /\bexport\s+(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:const\s+|let\s+|var\s+)?$/;

type Visibility = (name: string, signature: string) => boolean;
const byUnderscore: Visibility = (name) => !name.startsWith('_');
const unlessPrivate: Visibility = (_, signature) => !/\b(?:private|fileprivate|protected)\b/.test(signature);
const ifPublic: Visibility = (_, signature) => /\b(?:public|protected)\b/.test(signature);

const visible: Partial<Record<Language, Visibility>> = {
  python: byUnderscore,
  ruby: byUnderscore,
  bash: byUnderscore,
  go: (name) => /^\p{Lu}/u.test(name),
  rust: (_, signature) => /^pub\b/.test(signature),
  java: ifPublic,
  csharp: ifPublic,
  c: (_, signature) => !/\bstatic\b/.test(signature),
  kotlin: unlessPrivate,
  swift: unlessPrivate,
  php: unlessPrivate,
};

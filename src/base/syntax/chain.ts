/**
 * An expression or a type as a path that can be followed step by step: `foo(x, y)[0].bar` → `foo()[].bar`,
 * `new a.B<T>(z)` → `a.B()`, `pkg::Thing` → `pkg.Thing`, `this.x` → `self.x`. Undefined where it is something else.
 */
export function chain(text: string): string | undefined {
  if (plain.test(text)) return text.startsWith('this') ? text.replace(/^this(?=\.|$)/, 'self') : text;
  if (text.length > limit) return trailingName(text);
  let source = text.trim();
  source = source.replace(/^(?:await|yield|new|typeof|try)\s+/, '').replace(/^[&*!]+(?:mut\s+)?/, '');
  let path = '';
  for (let at = 0; at < source.length; ) {
    if ('([<{'.includes(source.charAt(at))) {
      const end = skip(source, at);
      const longer = end < 0 ? undefined : withBracket(path, source.slice(at, end));
      if (longer === undefined) return trailingName(source);
      path = longer;
      at = end;
      continue;
    }
    step.lastIndex = at;
    const found = step.exec(source);
    if (!found) return trailingName(source);
    path += found[1] ? (path === '' || path.endsWith('.') ? '' : '.') : found[2];
    at = step.lastIndex;
  }
  const clean = path.replace(/^(?:\$?this|Self|cls)(?=\.|$|\()/, 'self').replace(/\.+$/, '');
  return clean === '' || !/[\p{L}_$]/u.test(clean) ? undefined : clean;
}

/** A path with a bracket after it; undefined where it can't be followed. */
function withBracket(path: string, bracket: string): string | undefined {
  switch (bracket.charAt(0)) {
    case '(':
      // A parenthesis that opens the expression only groups it.
      return path === '' ? chain(bracket.slice(1, -1)) : `${path}()`;
    case '[':
      return path === '' ? undefined : `${path}[]`;
    case '<':
      return path;
    default:
      return undefined;
  }
}

const limit = 600;
const plain = /^[\p{L}_$][\p{L}\p{N}_$]*(?:\.[\p{L}_$][\p{L}\p{N}_$]*)*$/u;
const step =
  /\s*(?:(\?\.|\.|::|->|\\|&\.|!!\.|!(?=[.(]|$)|\?)|([@$]{0,2}#?[\p{L}_$][\p{L}\p{N}_$]*(?:[?!](?=\s*$|\())?))\s*/uy;

/** What is called on something that cannot be followed: `(a + b).foo` → `?.foo`. */
function trailingName(text: string): string | undefined {
  const name = /(?:\.|->|::)\s*([\p{L}_$][\p{L}\p{N}_$]*)\s*$/u.exec(text.slice(-120))?.[1];
  return name ? `?.${name}` : undefined;
}

const closing: Record<string, string> = { '(': ')', '[': ']', '<': '>', '{': '}' };

/** Where the bracket that opens at `at` is closed; strings inside do not count. */
function skip(text: string, at: number): number {
  const open = text.charAt(at);
  const close = closing[open] ?? '';
  let depth = 0;
  for (let here = at; here < text.length; here++) {
    const character = text.charAt(here);
    if (character === '"' || character === "'" || character === '`') {
      const end = endOfString(text, here);
      if (end < 0) return -1;
      here = end;
    } else if (character === open) depth++;
    else if (character === close && !(close === '>' && (text[here - 1] === '=' || text[here - 1] === '-'))) {
      if (--depth === 0) return here + 1;
    }
  }
  return -1;
}

function endOfString(text: string, at: number): number {
  for (let here = at + 1; here < text.length; here++) {
    if (text[here] === '\\') here++;
    else if (text[here] === text[at]) return here;
  }
  return -1;
}

const wrappers = new Set(
  'public private protected Optional Promise Array ReadonlyArray List Iterable Iterator Sequence Union Awaitable Type Vec Option Box Arc Rc Result Ref RefCell Mutex Readonly Partial Required Annotated Final ClassVar Callable list dict tuple set type Set Map Dict Tuple const mut unsigned signed struct class enum static final readonly volatile dyn impl out ref params var let val void int string bool boolean number any unknown never null None undefined str float double char long short byte object String Integer Boolean'.split(
    ' ',
  ),
);

/** The named types that a type annotation speaks of, built-in ones left out: `Promise<a.B | null>` → [`a.B`]. */
export function typeNames(text: string): string[] {
  const found: string[] = [];
  for (const match of text.slice(0, 300).matchAll(typePath)) {
    const path = match[0].replaceAll('::', '.').replaceAll('\\', '.');
    if (!wrappers.has(path.slice(path.lastIndexOf('.') + 1)) && !found.includes(path)) found.push(path);
  }
  return found;
}

const typePath = /[\p{L}_][\p{L}\p{N}_]*(?:(?:\.|::|\\)[\p{L}_][\p{L}\p{N}_]*)*/gu;

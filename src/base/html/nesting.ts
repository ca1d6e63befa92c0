const voidElements = words(
  'area base basefont br col command embed frame hr img input isindex keygen link meta param source track wbr',
);
/** What stands in these is text up to their own closing tag. */
const rawElements = words('script style title textarea xmp');
const foreign = words('math svg');
const home = words('mi mo mn ms mtext annotation-xml foreignobject desc title');
const paragraph = words('p');
const field = words('input option optgroup select button datalist textarea');
const closes = new Map<string, Set<string>>([
  ['tr', words('tr th td')],
  ['th', words('th')],
  ['td', words('thead th td')],
  ['li', words('li')],
  ['body', words('head link script')],
  ['option', words('option')],
  ['optgroup', words('optgroup option')],
  ...each('dd dt', words('dd dt')),
  ...each('rt rp', words('rt rp')),
  ...each('tbody tfoot', words('thead tbody')),
  ...each('select input output button datalist textarea', field),
  ...each(
    'p h1 h2 h3 h4 h5 h6 address article aside blockquote details div dl fieldset figcaption figure footer form header hr main nav ol pre section table ul',
    paragraph,
  ),
]);

function words(text: string): Set<string> {
  return new Set(text.split(' '));
}

function each(names: string, closed: Set<string>): Array<[string, Set<string>]> {
  return names.split(' ').map((name) => [name, closed]);
}

/**
 * Whether tags nest deeper than a limit, by one pass over the text and without a tree: building one takes time by the
 * square of the depth. Tags open and close each other as the parser of this package has it.
 */
export function nestsDeeperThan(html: string, limit: number): boolean {
  const open: string[] = [];
  const spaces: boolean[] = [];
  const tag = /<(?:!--|(\/?)([a-z][^\s/>]*))/gi;
  for (let found = tag.exec(html); found; found = tag.exec(html)) {
    const [, slash, given] = found;
    if (given === undefined) {
      const end = html.indexOf('-->', tag.lastIndex);
      if (end < 0) return false;
      tag.lastIndex = end;
      continue;
    }
    const name = given.toLowerCase();
    if (slash) {
      if (foreign.has(name) || home.has(name)) spaces.pop();
      if (!close(open, name) && name === 'p' && open.length >= limit) return true;
      continue;
    }
    const implied = closes.get(name);
    while (implied?.has(open.at(-1) ?? '')) open.pop();
    const end = endOfTag(html, tag.lastIndex);
    if (end < 0) return false;
    tag.lastIndex = end;
    if (open.length >= limit) return true;
    if (voidElements.has(name)) continue;
    const slashed =
      html[end - 1] === '/' && !/=\s*[^\s"'>]*$/.test(html.slice(Math.max(found.index, end - 200), end));
    if (slashed && spaces.at(-1)) continue;
    open.push(name);
    if (rawElements.has(name) && !slashed) {
      const length = html.slice(end).search(new RegExp(`</${name}[\\s/>]`, 'i'));
      if (length < 0) return false;
      tag.lastIndex = end + length;
    } else if (foreign.has(name)) spaces.push(true);
    else if (home.has(name)) spaces.push(false);
  }
  return false;
}

function close(open: string[], name: string): boolean {
  const at = open.lastIndexOf(name);
  if (at >= 0) open.length = at;
  return at >= 0;
}

/** Where a tag ends: a quote counts only as the beginning of a value. */
function endOfTag(html: string, from: number): number {
  const stop = /[>=]/g;
  stop.lastIndex = from;
  for (let found = stop.exec(html); found; found = stop.exec(html)) {
    if (found[0] === '>') return found.index;
    const value = /\s*(["'])/y;
    value.lastIndex = stop.lastIndex;
    const quote = value.exec(html)?.[1];
    if (!quote) continue;
    const end = html.indexOf(quote, value.lastIndex);
    if (end < 0) return -1;
    stop.lastIndex = end + 1;
  }
  return -1;
}

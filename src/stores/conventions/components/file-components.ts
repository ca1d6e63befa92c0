import { type Definition, type Facts, type Language, readFacts } from '../../../base/syntax/index.ts';
import { destructured, insideOf, literalsOf, membersOf, splitMembers } from './members.ts';
import type { Component, PropDefinition } from './record.ts';

const script = new Set<Language>(['typescript', 'tsx', 'javascript']);

/** Components, hooks and functions that a file exports. */
export async function readComponents(text: string, language: Language): Promise<Component[]> {
  const facts = await readFacts(text, language, 3000);
  const exportedNames = new Set(facts.exports.map((entry) => entry.as));
  return facts.definitions.flatMap((definition) => {
    if (definition.parent !== -1 || definition.declaration) return [];
    const visible = definition.exported || exportedNames.has(definition.name);
    const body = text.slice(definition.start, definition.end);
    if (script.has(language) && isComponent(definition, body) && visible)
      return [uiComponent(definition, body, text, facts)];
    if (definition.kind !== 'function' || !visible || !/^\w/.test(definition.name)) return [];
    const hook = script.has(language) && /^use[A-Z]/.test(definition.name);
    return [callable(definition, body, hook ? 'hook' : 'utility')];
  });
}

/** What a declaration file says about the functions that it declares. */
export async function readDeclared(
  text: string,
  language: Language,
): Promise<Array<{ name: string; doc: string }>> {
  const { definitions } = await readFacts(text, language, 3000);
  return definitions.flatMap(({ name, kind, doc }) =>
    kind === 'function' && descriptionOf(doc) ? [{ name, doc: descriptionOf(doc) }] : [],
  );
}

/** A comment of nothing but tags describes types, not what something does. */
const descriptionOf = (doc: string): string => (doc.trimStart().startsWith('@') ? '' : doc);

const quotes = /^["']|["']$/g;
const unquoted = (value: string | undefined): string | undefined =>
  value ? value.replace(quotes, '') : undefined;

const wraps = /^[\s\S]{0,200}?=\s*(?:React\.)?(?:forwardRef|memo|observer|styled[.(]|lazy)\b/;

function isComponent(definition: Definition, body: string): boolean {
  if (!/^[A-Z]/.test(definition.name) || /^[A-Z0-9_]+$/.test(definition.name)) return false;
  if (definition.kind === 'function') return /<[A-Za-z][\w.]*[\s/>]|<>|React\.createElement|\bh\(/.test(body);
  if (definition.kind === 'class')
    return /extends\s+(?:React\.)?(?:Pure)?Component\b|extends\s+LitElement\b/.test(body);
  return (
    /^(constant|variable)$/.test(definition.kind) &&
    (wraps.test(body) || /^[^=]*:\s*(?:React\.)?(?:FC|FunctionComponent)\b/.test(body))
  );
}

const component = (
  given: Pick<Component, 'type' | 'name' | 'signature'> & Partial<Component>,
): Component => ({
  line: 1,
  description: '',
  props: [],
  parameters: [],
  returns: '',
  variants: [],
  ...given,
});

/** Names of styling props. */
const looksOf = (props: PropDefinition[]): string[] =>
  props
    .filter((prop) => /^(variant|size|kind|color|tone|intent|appearance|type)$/.test(prop.name))
    .flatMap((prop) => literalsOf(prop.type));

function uiComponent(definition: Definition, body: string, text: string, facts: Facts): Component {
  const { name, line, doc, signature } = definition;
  const description = descriptionOf(doc);
  const props = propsOf(body, text, facts);
  const variants = [...new Set([...looksOf(props), ...classVariants(text, body)])];
  return component({ type: 'ui', name, line, description, signature, props, variants });
}

/** The props of a component: from its own type, from a named type in the same file, or from the destructured names. */
function propsOf(body: string, text: string, facts: Facts): PropDefinition[] {
  const head = body.slice(0, 1500);
  const open = head.search(/\(\s*\{/);
  const pattern = open >= 0 ? insideOf(head, head.indexOf('{', open)) : '';
  const defaults = destructured(pattern);
  const after = open >= 0 ? head.slice(head.indexOf('{', open) + pattern.length + 2) : head;
  const inline = /^\s*:\s*\{/.exec(after);
  const named =
    /^\s*:\s*(?:Readonly<|PropsWithChildren<|React\.PropsWithChildren<)?([A-Z]\w*)/.exec(after)?.[1] ??
    /\(\s*(?:this:\s*\w+,\s*)?props\s*:\s*([A-Z]\w*)/.exec(head)?.[1] ??
    /(?:FC|FunctionComponent|forwardRef|Component|memo)\s*<\s*(?:[\w.]+,\s*)?([A-Z]\w*)/.exec(head)?.[1];
  const typed = named ? typeMembers(named, text, facts) : [];
  const members = inline ? membersOf(insideOf(after, after.indexOf('{'))) : typed;
  if (members.length === 0)
    return [...defaults].map(([name, value]) => ({
      name,
      type: 'unknown',
      required: value === undefined,
      default: value || undefined,
    }));
  return members.map((member) => {
    const value = defaults.get(member.name);
    return value === undefined ? member : { ...member, required: false, default: value.replace(quotes, '') };
  });
}

function typeMembers(name: string, text: string, facts: Facts): PropDefinition[] {
  const type = facts.definitions.find(
    (definition) => definition.name === name && /^(interface|type)$/.test(definition.kind),
  );
  if (!type) return [];
  const body = text.slice(type.start, type.end);
  const open = body.indexOf('{');
  return open < 0 ? [] : membersOf(insideOf(body, open));
}

/** Variants declared with class-variance-authority, when the component uses them. */
function classVariants(text: string, body: string): string[] {
  const used = /\b(\w+Variants)\b/.exec(body)?.[1];
  const start = used ? text.search(new RegExp(`\\b${used}\\s*=\\s*(?:cva|tv)\\(`)) : -1;
  if (start < 0) return [];
  const at = text.indexOf('variant', text.indexOf('variants', start) + 8);
  const open = at < 0 ? -1 : text.indexOf('{', at);
  if (open < 0 || open - at > 20) return [];
  return splitMembers(insideOf(text, open)).flatMap(
    (part) => /^["']?([\w-]+)["']?\s*:/.exec(part)?.[1] ?? [],
  );
}

function callable(definition: Definition, body: string, type: 'hook' | 'utility'): Component {
  const { signature } = definition;
  const open = signature.indexOf('(', /^func\s*\(/.test(signature) ? signature.indexOf(')') : 0);
  const inside = open < 0 ? '' : insideOf(signature, open);
  const parameters = splitMembers(inside).flatMap((part) => {
    const [, name, of = ''] =
      /^(?:\.\.\.|\*{1,2}|&|mut\s+)*([\w$]+)\??\s*(?::\s*([\s\S]*?))?(?:\s*=\s*[\s\S]*)?$/.exec(part) ?? [];
    return name && !/^(self|cls|this)$/.test(name) ? [{ name, type: of.trim() }] : [];
  });
  const tail = open < 0 ? '' : signature.slice(open + inside.length + 2);
  const declared = /^\s*(?:->|:)\s*(.+?)\s*(?:=>|:)?\s*$/.exec(tail)?.[1];
  const returned =
    type === 'hook' ? /\breturn\s+(\{[^{}]*\}|\[[^[\]]*\])/.exec(body)?.[1]?.replace(/\s+/g, ' ') : undefined;
  const { name, line, doc } = definition;
  return component({
    type,
    name,
    line,
    description: descriptionOf(doc),
    signature,
    parameters,
    returns: declared ?? returned ?? '',
  });
}

/** Vue and Svelte: one file is one component, named after the file. */
export function readSingleFileComponent(text: string, path: string): Component {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.(vue|svelte)$/, '');
  const props = path.endsWith('.vue') ? vueProps(text) : svelteProps(text);
  const doc = /<!--\s*(?:@component\s*)?([\s\S]*?)-->/.exec(text.slice(0, 1500))?.[1];
  return component({
    type: 'ui',
    name: name === 'index' || name.startsWith('+') ? (path.split('/').at(-2) ?? name) : name,
    description: doc?.replace(/\s+/g, ' ').trim().slice(0, 160) ?? '',
    signature: `<${name} ${props.map((prop) => prop.name).join(' ')}>`.replace(' >', '>'),
    props,
    variants: looksOf(props),
  });
}

/** Members of the named type, from the text of the file. */
function namedMembers(text: string, name: string): PropDefinition[] | undefined {
  const start = text.search(new RegExp(`(?:interface\\s+${name}\\b|type\\s+${name}\\s*=)`));
  return start < 0 ? undefined : membersOf(insideOf(text, text.indexOf('{', start)));
}

function vueProps(text: string): PropDefinition[] {
  const typed = /defineProps\s*<\s*\{/.exec(text);
  const defaults = /withDefaults\([\s\S]*?,\s*\{([\s\S]*?)\}\s*\)/.exec(text)?.[1] ?? '';
  const given = new Map(splitMembers(defaults).map((part) => part.split(/:\s*(.*)/s) as [string, string]));
  if (typed)
    return membersOf(insideOf(text, text.indexOf('{', typed.index))).map((prop) =>
      given.has(prop.name)
        ? { ...prop, required: false, default: given.get(prop.name)?.replace(quotes, '') }
        : prop,
    );
  const named = /defineProps\s*<\s*(\w+)\s*>/.exec(text)?.[1];
  const members = named && namedMembers(text, named);
  if (members) return members;
  const runtime = /(?:defineProps\(\s*|props\s*:\s*)\{/.exec(text);
  if (!runtime) return [];
  return splitMembers(insideOf(text, text.indexOf('{', runtime.index))).flatMap((part) => {
    const [, name, given] = /^["']?([\w-]+)["']?\s*:\s*([\s\S]+)$/.exec(part) ?? [];
    if (!name || !given) return [];
    const type = /type\s*:\s*(\[[^\]]*\]|\w+)/.exec(given)?.[1] ?? /^\w+/.exec(given)?.[0] ?? 'unknown';
    const value = /default\s*:\s*([^,}\n]+)/.exec(given)?.[1]?.trim();
    return [{ name, type, required: /required\s*:\s*true/.test(given), default: unquoted(value) }];
  });
}

function svelteProps(text: string): PropDefinition[] {
  const [, names, type = ''] =
    /let\s*\{([\s\S]*?)\}\s*(?::\s*(\w+|\{[\s\S]*?\}))?\s*=\s*\$props\(\)/.exec(text) ?? [];
  if (names !== undefined) {
    const declared = /^\w+$/.test(type) ? namedMembers(text, type) : undefined;
    const types = new Map(
      (declared ?? membersOf(type.replace(/^\{|\}$/g, ''))).map((prop) => [prop.name, prop]),
    );
    return [...destructured(names)].map(([name, value]) => ({
      name,
      type: types.get(name)?.type ?? 'unknown',
      required: value === undefined && (types.get(name)?.required ?? true),
      default: unquoted(value),
    }));
  }
  const exported = /^\s*export let (\w+)(?:\s*:\s*([^=;\n]+))?(?:\s*=\s*([^;\n]+))?;?/gm;
  return [...text.matchAll(exported)].map(([, name = '', type = 'unknown', value]) => ({
    name,
    type: type.trim(),
    required: value === undefined,
    default: unquoted(value?.trim()),
  }));
}

import { type Facts, type Language, readFacts } from '../../../base/syntax/index.ts';
import { tallyFormatting } from './formatting.ts';
import { groupOf, orderPairs } from './import-order.ts';
import { caseOf } from './naming.ts';
import { tallyPatterns } from './patterns.ts';
import { count, emptyTally, type Tally } from './tally.ts';

/** The style facts of one file. `imports` are separate: their groups depend on the project. */
export interface FileStyle {
  tally: Tally;
  imports: Array<{ from: string }>;
}

export async function readFileStyle(text: string, language: Language): Promise<FileStyle> {
  const tally = emptyTally();
  const facts = await readFacts(text, language, 3000);
  tallyNames(facts, language, tally);
  tallyFormatting(text, language, tally);
  tallyPatterns(text, language, facts, tally);
  return { tally, imports: facts.imports.filter((one) => !one.reexport).map(({ from }) => ({ from })) };
}

const aspects: Record<string, string> = {
  function: 'functions',
  method: 'functions',
  variable: 'variables',
  field: 'variables',
  constant: 'constants',
  class: 'types',
  struct: 'types',
  interface: 'types',
  trait: 'types',
  enum: 'types',
  type: 'types',
};

function tallyNames(facts: Facts, language: Language, tally: Tally): void {
  for (const definition of facts.definitions) {
    const aspect = Object.hasOwn(aspects, definition.kind) ? aspects[definition.kind] : undefined;
    if (!aspect || /^(__\w+__|[A-Z]\w*\.)/.test(definition.name)) continue;
    // A component is a function to the parser but a separate kind to people.
    if (
      aspect === 'functions' &&
      (language === 'tsx' || language === 'javascript') &&
      /^[A-Z][a-z]/.test(definition.name)
    )
      continue;
    const style = caseOf(definition.name);
    if (style) count(tally, `naming.${aspect}`, style, definition.line);
  }
  for (const binding of facts.bindings) {
    const style = binding.how === 'value' || binding.how === 'param' ? caseOf(binding.name) : undefined;
    if (style && /^[\w$]+$/.test(binding.name)) count(tally, 'naming.variables', style, 1);
  }
}

/** Adds the relative order of import groups. */
export function importPairs(style: FileStyle, language: string, own: Set<string>): string[] {
  return orderPairs(style.imports.map(({ from }) => groupOf(from, language, own)));
}

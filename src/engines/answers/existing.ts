import { redact } from '../../base/redact.ts';
import { fileRef } from '../../base/ref.ts';
import { isTestPath, searchWords } from '../../base/text/index.ts';
import type { AnswersContext } from './context.ts';
import type { LookUp } from './reader/index.ts';
import type { Cited } from './specialists/compose.ts';

interface Found {
  cited: Cited[];
  total: number;
  notes?: string[];
}

const mostExisting = 5;
const enough = 0.75;
const mostCommands = 5;

/** Commands of the project for a kind of tools, or for one kind of its tests. */
export async function toolsFor(
  { conventions }: AnswersContext,
  { category, which }: Extract<LookUp, { kind: 'tools' }>,
): Promise<Found> {
  const { tools: shelf } = await conventions();
  const { tools } = await shelf.discover({ path: '', category });
  const own = tools.filter(({ source }) => source !== 'registry');
  const byCommand = new Map((own.length > 0 ? own : tools).map((tool) => [tool.run_command, tool]));
  const cited: Cited[] = [...byCommand.values()].map((tool) => {
    const place = tool.config_path ?? tool.evidence[0]?.replace(/:.*$/s, '') ?? tool.name;
    const command = (which === 'one' && tool.one_test) || tool.run_command;
    return {
      ref: fileRef(place),
      domain: 'code',
      place,
      reason: `${tool.name}${tool.version ? ` ${tool.version}` : ''}: \`${command}\` (${tool.language}, ${tool.confidence} confidence${tool.is_installed ? '' : ', not installed'})`,
    };
  });
  const notes =
    own.length > 0 ? [] : ['Nothing in this project names one: this is what is usual for its language.'];
  if (!which) return { total: cited.length, cited, notes };
  const named = (await shelf.testCommands(which)).slice(0, mostCommands).map(({ command, file, line }) => ({
    ref: fileRef(file),
    domain: 'code',
    place: `${file}:${line}`,
    reason: `\`${redact(command)}\``,
  }));
  if (named.length === 0 && which !== 'one')
    notes.push(`No command names ${which} tests: these run all tests.`);
  if (which === 'one' && named.length === 0 && !own.some(({ one_test }) => one_test))
    notes.push('No way to run a single test is documented: this runs all tests.');
  const all = named.length > 0 && which !== 'one' ? named : [...named, ...cited];
  return { total: all.length, cited: all, notes };
}

/** What the project already has for a need. */
export async function existingFor({ conventions, code }: AnswersContext, need: string): Promise<Found> {
  const { matches } = await (await conventions()).components.find({
    need,
    type: 'any',
    path: '',
    limit: mostExisting,
  });
  const cited: Cited[] = matches.map((match) => ({
    ref: fileRef(match.path),
    domain: 'code',
    place: `${match.path}:${match.line}`,
    reason: [match.signature || `${match.type} ${match.name}`, match.description].filter(Boolean).join(' — '),
  }));
  if (cited.length === 0) {
    // Languages without components: symbols whose name or head has the words, of many all but some.
    const words = searchWords(need);
    for (const symbol of (await code()).search({ query: need, limit: mostExisting * 2 }))
      if (
        !isTestPath(symbol.path) &&
        new Set([...symbol.matched.name, ...symbol.matched.head]).size >= Math.ceil(words.length * enough)
      )
        cited.push({
          ref: symbol.ref,
          domain: 'code',
          place: `${symbol.path}:${symbol.line}`,
          reason: [symbol.signature || `${symbol.kind} ${symbol.name}`, symbol.doc]
            .filter(Boolean)
            .join(' — '),
        });
  }
  return { total: cited.length, cited };
}

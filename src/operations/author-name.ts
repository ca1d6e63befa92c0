import { redact } from '../base/redact.ts';
import { isPersonSpeaking, type OperationContext } from './operation.ts';

/**
 * The name under which a caller works on tasks and areas. It may name somebody it works for, but only a person at a
 * terminal, or in the dashboard, goes by a name of the person: claims are told apart by it.
 */
export function authorName({ app, caller }: OperationContext, given?: string): string {
  const own = caller.kind === 'person' && caller.unattended ? 'command line' : caller.name;
  const name = given === undefined ? own : redact(given);
  // A member goes by the name that the server knows; whom it works for stands behind it.
  if (caller.access) return given === undefined || sameName(given, own) ? own : `${own}/${redact(given)}`;
  if (isPersonSpeaking(caller)) return name;
  const persons = [
    'person',
    'dashboard',
    app.env.USER,
    app.git.setting('user.name'),
    app.git.setting('user.email'),
  ];
  const isPersons = persons.some((each) => each !== undefined && sameName(each, name));
  return isPersons ? `agent ${name}` : name;
}

const sameName = (a: string, b: string): boolean => plain(a) === plain(b);
const plain = (name: string): string => name.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase();

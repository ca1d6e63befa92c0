import { z } from 'zod';
import { type Clock, systemClock } from '../../../base/clock.ts';
import { messageOf, SylkError } from '../../../base/errors.ts';
import { objectOf } from '../../../base/json.ts';
import { type Log, silentLog } from '../../../base/log.ts';
import { byId, matchesFilter } from '../collections.ts';
import { lastSegment, requireSkillId, skillNotFound } from '../ids.ts';
import { problemAt } from '../problems.ts';
import {
  type SkillCollection,
  type SkillDescriptor,
  type SkillDocument,
  type SkillProblem,
  type SkillSource,
  skillCollection,
  skillScope,
} from '../skill.ts';
import { guardedGet, type HttpGet } from './guarded-get.ts';
import { documentDigest } from './memory.ts';

export type HttpAuth = { bearer: string } | { header: string; value: string };

export interface HttpSourceOptions {
  /** The API root; `/skills`, `/skills/{id}` and `/skill-collections` are appended. */
  url: string;
  auth?: HttpAuth | undefined;
  refreshSeconds?: number;
  /** When omitted: the guarded network of the product, with `allowHosts`. */
  get?: HttpGet | undefined;
  allowHosts?: string[] | undefined;
  clock?: Clock;
  log?: Log | undefined;
  timeoutMs?: number;
}

interface Cached<T> {
  value: T;
  at: number;
}

const wireSkill = z.object({
  id: z.string(),
  name: z.string().optional(),
  description: z.string().min(1),
  scope: skillScope.catch('project').default('project'),
  requires_capabilities: z.array(z.string()).default([]),
  metadata: z.record(z.string(), z.string()).catch({}).default({}),
});
const wireDocument = wireSkill.extend({
  body: z.string(),
  extensions: z.record(z.string(), z.unknown()).default({}),
});

const listBytes = 16 * 1024 * 1024;
const documentBytes = 2 * 1024 * 1024;
const maxSkills = 20_000;

/** Another Sylk, or any server with the same three endpoints. Nothing is fetched before the first call. */
export function httpSource(options: HttpSourceOptions): SkillSource {
  const { auth, clock = systemClock, log = silentLog, timeoutMs = 10_000 } = options;
  const lifetime = (options.refreshSeconds ?? 300) * 1000;
  const base = requireBase(options.url);
  const get = options.get ?? guardedGet(options.allowHosts);
  const headers = authHeaders(auth);
  let list: Cached<{ skills: SkillDescriptor[]; problems: SkillProblem[] }> | undefined;
  let collections: Cached<SkillCollection[]> | undefined;
  const documents = new Map<string, Cached<SkillDocument>>();

  const ask = async (path: string, maxBytes: number): Promise<unknown> => {
    const { status, body } = await get(`${base}${path}`, { headers, maxBytes, timeoutMs });
    if (status === 404) throw new SylkError('NOT_FOUND', `${base}${path} answered 404.`);
    if (status === 401 || status === 403)
      throw new SylkError('DENIED', `Skill source ${base} refused our credentials (${status}).`, {
        hint: 'Check auth_token and auth_header of this repository in skills.toml.',
      });
    if (status !== 200) throw unavailable(base, `it answered ${status}`);
    try {
      return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    } catch {
      throw unavailable(base, 'its response is not JSON');
    }
  };

  /** Keeps the last good response through failures of the network or the server, never past a refusal. */
  const cached = async <T>(held: Cached<T> | undefined, fetchNew: () => Promise<T>): Promise<Cached<T>> => {
    if (held && clock.now() - held.at < lifetime) return held;
    try {
      return { value: await fetchNew(), at: clock.now() };
    } catch (error) {
      const lasting = error instanceof SylkError && (error.code === 'DENIED' || error.code === 'NOT_FOUND');
      if (!held || lasting) throw error;
      log.warn(`Skill source ${base} could not be refreshed; serving its last response.`, {
        error: String(error),
      });
      return held;
    }
  };

  /** Always the whole list, without parameters: a filtered response must never be cached. */
  const all = async () => {
    list = await cached(list, async () => readList(await ask('/skills', listBytes), base)).catch(
      notThere(base),
    );
    return list.value;
  };

  return {
    list: async (filter) => (await all()).skills.filter((skill) => matchesFilter(skill, filter)),
    load: async (id) => {
      requireSkillId(id);
      const fresh = await cached(documents.get(id), async () =>
        readDocument(await ask(`/skills/${encodeURIComponent(id)}`, documentBytes), id, base),
      ).catch((error: unknown) => {
        documents.delete(id);
        throw error instanceof SylkError && error.code === 'NOT_FOUND' ? skillNotFound(id) : error;
      });
      documents.set(id, fresh);
      return fresh.value;
    },
    collections: async () => {
      collections = await cached(collections, async () =>
        readCollections(await ask('/skill-collections', listBytes), base),
      ).catch(notThere(base));
      return collections.value;
    },
    problems: async () => (await all()).problems,
    digest: async (id) => {
      const document =
        documents.get(id)?.value ??
        readDocument(await ask(`/skills/${encodeURIComponent(id)}`, documentBytes), id, base);
      return documentDigest(document);
    },
    refresh: async () => {
      list = list && { ...list, at: Number.NEGATIVE_INFINITY };
      collections = undefined;
      documents.clear();
      await all();
    },
    origin: () => ({ kind: 'http', location: base, remote: true }),
  };
}

function requireBase(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.username || parsed.search || parsed.hash)
    throw new SylkError(
      'VALIDATION_ERROR',
      `Not the URL of a skills API: ${JSON.stringify(url.slice(0, 200))}`,
      {
        hint: 'Give http(s)://host[:port][/path], without credentials, query or fragment.',
      },
    );
  return parsed.href.replace(/\/+$/, '');
}

function authHeaders(auth: HttpAuth | undefined): Record<string, string> {
  const headers: Record<string, string> = { accept: 'application/json' };
  if (!auth) return headers;
  const [name, value] =
    'bearer' in auth ? ['authorization', `Bearer ${auth.bearer}`] : [auth.header, auth.value];
  if (!/^[A-Za-z0-9-]+$/.test(name) || /[\r\n\0]/.test(value))
    throw new SylkError('VALIDATION_ERROR', `Invalid header name: ${JSON.stringify(name.slice(0, 60))}`, {
      hint: 'auth_header is a name such as X-API-Key; auth_token is one line.',
    });
  headers[name.toLowerCase()] = value;
  return headers;
}

function readList(answer: unknown, base: string): { skills: SkillDescriptor[]; problems: SkillProblem[] } {
  const entries = objectOf(answer)['skills'];
  if (!Array.isArray(entries)) throw unavailable(base, 'its list of skills is invalid');
  const skills = new Map<string, SkillDescriptor>();
  const problems: SkillProblem[] = [];
  const file = `${base}/skills`;
  for (const [index, entry] of entries.slice(0, maxSkills).entries()) {
    const read = readDescriptor(entry);
    if (typeof read === 'string')
      problems.push(problemAt('wire/entry', { file, line: index + 1 }, { why: read }));
    else if (!skills.has(read.id)) skills.set(read.id, read);
  }
  if (entries.length > maxSkills)
    problems.push(problemAt('wire/length', { file }, { count: entries.length, most: maxSkills }));
  return { skills: [...skills.values()].sort(byId), problems };
}

function readDescriptor(entry: unknown): SkillDescriptor | string {
  const parsed = wireSkill.safeParse(entry);
  if (!parsed.success)
    return parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
  try {
    requireSkillId(parsed.data.id);
  } catch (error) {
    return messageOf(error);
  }
  return { ...parsed.data, name: parsed.data.name ?? lastSegment(parsed.data.id), source_name: '' };
}

function readDocument(answer: unknown, id: string, base: string): SkillDocument {
  const parsed = wireDocument.safeParse(answer);
  if (!parsed.success || parsed.data.id !== id)
    throw unavailable(base, `its response for '${id}' is invalid or is about another skill`);
  const { body, extensions, ...rest } = parsed.data;
  return { descriptor: { ...rest, name: rest.name ?? lastSegment(id), source_name: '' }, body, extensions };
}

function readCollections(answer: unknown, base: string): SkillCollection[] {
  const entries = objectOf(answer)['collections'];
  if (!Array.isArray(entries)) throw unavailable(base, 'its list of collections is invalid');
  return entries.flatMap((entry) => {
    const parsed = skillCollection.safeParse(entry);
    return parsed.success ? [parsed.data] : [];
  });
}

/** The lists must exist; only a single skill may be missing. */
const notThere =
  (base: string) =>
  (error: unknown): never => {
    throw error instanceof SylkError && error.code === 'NOT_FOUND'
      ? unavailable(base, 'no skills API at this URL (404)')
      : error;
  };

const unavailable = (base: string, why: string): SylkError =>
  new SylkError('UNAVAILABLE', `Skill source ${base} is unavailable: ${why}.`, {
    hint: 'Check the URL and the server; the other sources still work.',
  });

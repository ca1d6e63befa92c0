import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startMeasured } from './measured.ts';
import type { Lab } from './open-lab.ts';
import { environment, makePlace, type Place, type Product } from './place.ts';

const rounds = 4;

/**
 * Two versions on one repository, first in turn and then at the same time. What this version acknowledged it finds again,
 * what the old one acknowledged is still kept, and every database is sound. The old one may refuse to go on, by naming the newer.
 */
export async function trySideBySide(lab: Lab, from: string | undefined): Promise<string[]> {
  const old = await otherVersion(lab, from ?? 'HEAD');
  const place = makePlace(join(lab.work, 'versions'), lab.base, lab.product, lab);
  const problems: string[] = [];
  const acknowledged: Array<{ product: Product; note: string }> = [];
  let refused = 0;
  const write = async (product: Product, note: string) => {
    const text = `${note} is a decision about sessions.`;
    const { code, text: said } = await run(product, place, ['memory', 'add', text, '--category', 'decision']);
    if (code === 0) acknowledged.push({ product, note });
    else if (product === old && code !== null && /newer Sylk/.test(said)) refused++;
    else problems.push(`${label(product, old)} refused ${note}: exit ${code}, ${said.trim().slice(0, 160)}`);
  };
  for (const product of [old, lab.product]) {
    const { code, text } = await run(product, place, ['index']);
    if (code !== 0) problems.push(`${label(product, old)} index: exit ${code}, ${text.trim().slice(0, 160)}`);
    await write(product, product === old ? 'OLDFIRST' : 'NEWFIRST');
  }
  for (let round = 0; round < rounds; round++) {
    await write(old, `OLDTURN${round}`);
    await write(lab.product, `NEWTURN${round}`);
    await Promise.all([write(old, `OLDSAME${round}`), write(lab.product, `NEWSAME${round}`)]);
  }
  const databases = databasesUnder(place.repository).concat(databasesUnder(place.home));
  for (const { product, note } of acknowledged) {
    const isKept =
      product === old
        ? databases.some((file) => readFileSync(file).includes(note))
        : (await run(product, place, ['memory', 'search', note, '--json'])).text.includes(note);
    if (!isKept) problems.push(`${label(product, old)} acknowledged ${note} and it is gone`);
  }
  for (const file of databases) problems.push(...unsound(file));
  console.log(
    `${acknowledged.length} of ${rounds * 4 + 2} writes acknowledged, ${refused} refused by the old version because of the newer one, ${databases.length} databases: ${databases.map((file) => file.slice(place.root.length + 1)).join(', ')}`,
  );
  return problems;
}

const label = (product: Product, old: Product): string =>
  product === old ? 'the old version' : 'this version';

async function run(product: Product, place: Place, args: string[]) {
  const started = startMeasured('sh', [product.launcher, ...args], {
    cwd: place.repository,
    env: environment(place.home, product),
    seconds: 120,
  });
  const { code } = await started.ended;
  return { code, text: started.out() + started.err() };
}

/** A directory as it is, or a commit of this repository, unpacked, with the dependencies of today. */
async function otherVersion(lab: Lab, from: string): Promise<Product> {
  if (existsSync(from)) return { directory: resolve(from), launcher: join(resolve(from), 'bin/sylk') };
  const directory = join(lab.work, 'old');
  mkdirSync(directory);
  const archive = spawnSync('git', ['archive', from], { cwd: lab.product.directory, maxBuffer: 1 << 30 });
  if (archive.status !== 0) throw new Error(`There is neither a directory nor a commit "${from}".`);
  spawnSync('tar', ['-x', '-C', directory], { input: archive.stdout });
  symlinkSync(join(lab.product.directory, 'node_modules'), join(directory, 'node_modules'));
  return { directory, launcher: join(directory, 'bin/sylk') };
}

function databasesUnder(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.db'))
    .map((entry) => join(entry.parentPath, entry.name));
}

function unsound(file: string): string[] {
  try {
    const database = new DatabaseSync(file, { readOnly: true });
    const { integrity_check: answer } = database.prepare('PRAGMA integrity_check').get() as {
      integrity_check: string;
    };
    database.close();
    return answer === 'ok' ? [] : [`${file}: ${answer}`];
  } catch (error) {
    return [`${file}: ${(error as Error).message}`];
  }
}

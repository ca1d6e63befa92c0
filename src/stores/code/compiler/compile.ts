import { messageOf } from '../../../base/errors.ts';
import type { Sqlite } from '../../../base/sqlite/index.ts';
import { moduleSettings } from '../link/link-base.ts';
import type { UpdateOptions } from '../update.ts';
import type { CompilerProcess } from './compiler-process.ts';
import type { ServedReport } from './served-links.ts';
import { writeCompiled } from './write.ts';

export interface CompileReport {
  /** Scripts of the repository, and how many of them have links of the compiler that fit their text. */
  scripts: number;
  covered: number;
  /** Files read now. */
  read: number;
  /** Language servers that the person has: their files, and how many of them were asked for now. */
  served?: ServedReport[];
  /** Why it ended early; what was read before is kept. */
  problem?: string;
}

const scripts = "f.view = 0 AND f.hash <> '' AND f.language IN ('typescript', 'tsx', 'javascript')";
const largest = 512_000;

/** Reads what the compiler has not read yet, most urgent first: changed files, their users, users of these. */
export async function compileLinks(
  place: { sqlite: Sqlite; mainRoot: string },
  compiler: CompilerProcess,
  { signal, progress }: Pick<UpdateOptions, 'signal' | 'progress'> = {},
): Promise<CompileReport> {
  const { sqlite } = place;
  const files = sqlite.column<string>(
    `SELECT f.path FROM code_files f WHERE ${scripts} AND f.size < ${largest} ORDER BY f.path`,
  );
  const wanted = sqlite.column<string>(
    `SELECT f.path FROM code_files f LEFT JOIN code_compiled c ON c.file = f.id AND c.hash = f.hash
     WHERE ${scripts} AND f.size < ${largest} AND f.linked = 1 AND coalesce(c.stale, 1) > 0
     ORDER BY c.file IS NOT NULL, coalesce(c.stale, 0), f.path`,
  );
  const report: CompileReport = { scripts: files.length, covered: 0, read: 0 };
  if (wanted.length > 0 && !compiler.isOff) {
    const { aliases, packages } = moduleSettings(sqlite, place.mainRoot, 0);
    const request = { root: place.mainRoot, files, aliases, packages: [...packages], wanted };
    try {
      await compiler.compile(
        request,
        (file) => {
          writeCompiled(sqlite, file);
          report.read++;
          progress?.({
            done: report.read,
            total: wanted.length,
            message: `links: ${report.read} of ${wanted.length} files checked by the compiler`,
          });
        },
        signal,
      );
    } catch (error) {
      signal?.throwIfAborted();
      report.problem = messageOf(error);
    }
  }
  report.covered = coveredFiles(sqlite);
  return report;
}

const coveredFiles = (sqlite: Sqlite): number =>
  sqlite.value<number>(
    `SELECT count(*) FROM code_files f JOIN code_compiled c ON c.file = f.id AND c.hash = f.hash WHERE ${scripts}`,
  ) ?? 0;

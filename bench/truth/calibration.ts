import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What was said with which confidence, and whether it was right. */
export interface Claim {
  confidence: number;
  right: boolean;
  language: string;
  source: string;
}

export function showCalibration(claims: Claim[]): void {
  if (claims.length === 0) return;
  const bins = Array.from({ length: 10 }, () => ({ n: 0, said: 0, right: 0 }));
  let brier = 0;
  for (const { confidence, right } of claims) {
    const bin = bins[Math.min(9, Math.floor(confidence * 10))];
    if (!bin) continue;
    bin.n++;
    bin.said += confidence;
    bin.right += Number(right);
    brier += (confidence - Number(right)) ** 2;
  }
  const share = claims.filter((one) => one.right).length / claims.length;
  let error = 0;
  for (const [at, { n, said, right }] of bins.entries()) {
    if (n === 0) continue;
    error += (n / claims.length) * Math.abs(said / n - right / n);
    console.log(
      `    ${(at / 10).toFixed(1)}–${((at + 1) / 10).toFixed(1)}  ${String(n).padStart(6)} links  said ${(said / n).toFixed(3)}  measured ${(right / n).toFixed(3)}`,
    );
  }
  console.log(
    `    calibration error ${error.toFixed(3)}, Brier ${(brier / claims.length).toFixed(4)} (base rate alone ${(share * (1 - share)).toFixed(4)})`,
  );
}

const fewest = 50;
const file = join(import.meta.dirname, '../../src/stores/code/link-confidence.json');

/** Writes the share of right links by language and source to the file that the product reads. Small samples change nothing. */
export function writeConfidence(claims: Claim[]): void {
  const table: Record<string, Record<string, number>> = JSON.parse(readFileSync(file, 'utf8'));
  for (const key of new Set(claims.map(({ language, source }) => `${language} ${source}`))) {
    const [language = '', source = ''] = key.split(' ');
    const own = claims.filter((one) => one.language === language && one.source === source);
    if (own.length < fewest) continue;
    const right = own.filter((one) => one.right).length;
    table[language] = { ...table[language], [source]: Math.round((100 * right) / own.length) / 100 };
  }
  writeFileSync(file, `${JSON.stringify(table, undefined, 2)}\n`);
}

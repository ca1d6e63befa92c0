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

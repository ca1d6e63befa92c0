/** Pairs of letters that words and names of code are made of; of pairs by chance one in four is among them. */
const commonPairs = new Set(
  'th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro ic ne ea ra ce li ch ll be ma si om ur ca el ta la ns di fo ho pe ec pr no ct us ac ot il tr ly nc et ut ss so rs un lo wa ge ie wh ee wi em ad ol rt po we na ul ni ts mo ow pa im mi ai sh ir su id os iv ia am fi ci vi pl ig tu ev ld ry mp fe bl ab gh ty op wo sa ay ex ke fr oo av ag if ap gr od bo sp rd do uc bu ei ov by rm ep tt oc fa ef cu rn sc gi da yo cr cl du ga qu ue ff ba ey ls va um pp up lu go ht ru ug ds lt pi rc rr eg au ck ew mu br bi pt ak pu ui rg ib tl ki rk ob mm fu ph og ud mb ip ub'.split(
    ' ',
  ),
);

/** The share of neighbouring signs that no word or name has beside each other: about .8 by chance, .3 in names of code. */
function oddness(value: string): { share: number; counted: number } {
  let odd = 0;
  let counted = 0;
  for (let at = 1; at < value.length; at++) {
    const pair = value.slice(at - 1, at + 1);
    if (/^[A-Za-z]{2}$/.test(pair)) {
      counted++;
      if (!commonPairs.has(pair.toLowerCase())) odd++;
    } else if (/^(?:[A-Za-z]\d|\d[A-Za-z])$/.test(pair)) {
      counted++;
      odd++;
    }
  }
  return { share: counted === 0 ? 0 : odd / counted, counted };
}

/** Chance repeats itself less: `xxxxxxxx` stands for something. */
const leastSigns = 7;

/** Whether signs stand in an order that chance made. Pairs of hexadecimal digits count as well. */
export function isRandomRun(value: string, leastShare: number): boolean {
  if (new Set(value).size < leastSigns) return false;
  const { share, counted } = oddness(value);
  return counted >= 7 && share >= leastShare;
}

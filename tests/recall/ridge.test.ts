import { expect, test } from 'vitest';
import { fitRidge } from '../../bench/recall/ridge.ts';

test('the fitted matrix carries inputs to their targets', () => {
  let state = 3;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
  const inputs = Array.from({ length: 60 }, () => Float32Array.of(random(), random(), random()));
  const targets = inputs.map(([a, b, c]) => Float32Array.of(2 * a! - b! + 0.5, b! + 3 * c!));
  const { offset, matrix } = fitRidge(inputs, targets, 1e-6);
  expect([...offset].map((value) => Math.round(value * 100) / 100 + 0)).toEqual([0.5, 0]);
  expect([...matrix].map((value) => Math.round(value * 100) / 100 + 0)).toEqual([2, 0, -1, 1, 0, 3]);
});

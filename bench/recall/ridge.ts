/** Ridge regression by normal equations and Cholesky: the matrix that carries `inputs` closest to `targets`. */
export function fitRidge(
  inputs: Float32Array[],
  targets: Float32Array[],
  penalty: number,
): { offset: Float32Array; matrix: Float32Array } {
  const width = inputs[0]!.length;
  const outputs = targets[0]!.length;
  const size = width + 1;
  const left = new Float64Array(size * size);
  const right = new Float64Array(size * outputs);
  for (const [at, input] of inputs.entries()) {
    const row = Float64Array.from({ length: size }, (_, column) => (column < width ? input[column]! : 1));
    for (let one = 0; one < size; one++) {
      for (let other = 0; other <= one; other++) left[one * size + other]! += row[one]! * row[other]!;
      for (let output = 0; output < outputs; output++)
        right[one * outputs + output]! += row[one]! * targets[at]![output]!;
    }
  }
  for (let at = 0; at < width; at++) left[at * size + at]! += penalty;
  factor(left, size);
  for (let output = 0; output < outputs; output++) solve(left, right, size, outputs, output);
  const flat = Float32Array.from(right);
  return { offset: flat.slice(width * outputs), matrix: flat.slice(0, width * outputs) };
}

/** The lower triangle becomes its own Cholesky factor. */
function factor(matrix: Float64Array, size: number): void {
  for (let row = 0; row < size; row++)
    for (let column = 0; column <= row; column++) {
      let sum = matrix[row * size + column]!;
      for (let at = 0; at < column; at++) sum -= matrix[row * size + at]! * matrix[column * size + at]!;
      matrix[row * size + column] = row === column ? Math.sqrt(sum) : sum / matrix[column * size + column]!;
    }
}

function solve(
  factor: Float64Array,
  values: Float64Array,
  size: number,
  outputs: number,
  output: number,
): void {
  const at = (row: number) => row * outputs + output;
  for (let row = 0; row < size; row++) {
    let sum = values[at(row)]!;
    for (let before = 0; before < row; before++) sum -= factor[row * size + before]! * values[at(before)]!;
    values[at(row)] = sum / factor[row * size + row]!;
  }
  for (let row = size - 1; row >= 0; row--) {
    let sum = values[at(row)]!;
    for (let after = row + 1; after < size; after++) sum -= factor[after * size + row]! * values[at(after)]!;
    values[at(row)] = sum / factor[row * size + row]!;
  }
}

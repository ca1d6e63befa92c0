/** Who wrote something down. `unknown` where an older version kept no author. */
export interface Author {
  kind: 'person' | 'agent' | 'unknown';
  name: string;
}

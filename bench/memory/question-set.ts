/** Something remembered. */
export interface Unit {
  id: string;
  text: string;
  at: number;
  session: string;
}

export interface QuestionSet {
  name: string;
  units: Unit[];
  questions: Array<{ question: string; kind: string; gold: Set<string> }>;
}

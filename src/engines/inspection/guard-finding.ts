/** A change to what judges changes, or to what a person wants to see before it goes in. */
export interface GuardFinding {
  guard: 'test' | 'judge' | 'suppression' | 'dependency' | 'secret' | 'agent_rules';
  file: string;
  line?: number;
  message: string;
  /** Nothing that judged is gone: tests were only added. */
  minor?: boolean;
}

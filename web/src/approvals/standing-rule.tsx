import { type Asked, standingRule } from './rule-text.ts';

/**
 * A rule answers for a person for ever, so it is written by that person in a file that no program sets: here is the
 * text, not a button.
 */
export function StandingRule({ approval }: { approval: Asked }) {
  if (approval.targets.length === 0) return null;
  return (
    <details>
      <summary>Allow this kind always, by a rule</summary>
      <p className="muted">
        Add this to <code>~/.config/sylk/config.yaml</code> and start Sylk again. With{' '}
        <code>action: deny</code> it is refused without asking.
      </p>
      <pre className="snippet tall">{standingRule(approval)}</pre>
    </details>
  );
}

import { Component, type ReactNode } from 'react';
import { Failure } from './states.tsx';

/** A page that fails says so and leaves the rest of the dashboard standing. React wants a class for this. */
export class Stumble extends Component<{ children: ReactNode }, { error?: Error }> {
  override state: { error?: Error } = {};

  static getDerivedStateFromError(error: unknown): { error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <div className="stack">
        <Failure error={new Error(`This page could not be shown: ${error.message}`)} />
        <p>
          <button type="button" onClick={() => location.reload()}>
            Load it again
          </button>
        </p>
      </div>
    );
  }
}

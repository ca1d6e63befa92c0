/** Runs a statement whose text never changes, within the transaction that is open. */
export type Statement = <Row = unknown>(text: string, ...values: unknown[]) => Promise<Row[]>;

/** The part of the package that tests use; it has no types of its own. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http';

  interface Account {
    accountId: string;
    claims(): Record<string, unknown>;
  }
  export default class Provider {
    constructor(
      issuer: string,
      options: {
        clients: object[];
        claims: Record<string, string[]>;
        conformIdTokenClaims: boolean;
        features: object;
        findAccount(context: unknown, id: string): Account;
      },
    );
    callback(): RequestListener;
  }
}

import type { IncomingMessage } from 'node:http';

/** Who asks. */
export interface Person {
  readonly name: string;
  readonly groups: readonly string[];
}

/** Knows who sends a request. */
export interface Identity {
  /** Returns undefined for somebody who is not known. Throws if that cannot be found out now. */
  identify(request: IncomingMessage): Promise<Person | undefined>;
  /** What somebody who is not known can do about it. */
  readonly remedy: string;
  /** Takes a token that a person gives, and returns the header that keeps it; undefined if the token is not known. */
  signIn?(token: string): Promise<string | undefined>;
  signOut?(request: IncomingMessage): string;
}

/** Whoever reaches the console is the one who started it: it listens for this machine alone. */
export const everybodyIs = (name: string): Identity => ({
  identify: async () => ({ name, groups: [] }),
  remedy: '',
});

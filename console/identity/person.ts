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
  /** Where people sign in at another server. */
  readonly elsewhere?: SignInElsewhere;
}

export interface SignInElsewhere {
  /** `to`: the page that somebody wants to see. Returns where the browser goes, and what it keeps meanwhile. */
  begin(to: string): Promise<{ readonly location: string; readonly cookie: string }>;
  /** `url`: with which the browser came back. Returns the page to see, and what the browser keeps. */
  finish(request: IncomingMessage, url: URL): Promise<{ readonly to: string; readonly cookie: string }>;
}

/** Whoever reaches the console is the one who started it: it listens for this machine alone. */
export const everybodyIs = (name: string): Identity => ({
  identify: async () => ({ name, groups: [] }),
  remedy: '',
});

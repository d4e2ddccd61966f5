import type { ServerResponse } from 'node:http';

/** What a request is answered with. */
export interface WebAnswer {
  readonly status: number;
  readonly type?: string;
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** Takes the response over instead of a body, e.g. for a stream of events. */
  readonly stream?: (response: ServerResponse) => void;
}

export const HTML = 'text/html; charset=utf-8';

export const redirect = (to: string): WebAnswer => ({ status: 303, headers: { location: to } });

export const plain = (status: number, body: string): WebAnswer => ({
  status,
  body: `${body}\n`,
  type: 'text/plain; charset=utf-8',
});

import { Agent, type Dispatcher, request } from 'undici';

/** Who sends a request, and to which API server. */
export interface Sender {
  readonly url: string;
  readonly ca: string;
  readonly token: string;
}

/** Sends a request that the engine's client has no method for, and returns the status of the answer. */
export async function send(
  { url, ca, token }: Sender,
  method: Dispatcher.HttpMethod,
  path: string,
  body?: object,
): Promise<number> {
  const dispatcher = new Agent({ connect: { ca } });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  try {
    const answer = await request(url + path, { method, headers, body: JSON.stringify(body), dispatcher });
    await answer.body.dump();
    return answer.statusCode;
  } finally {
    await dispatcher.destroy();
  }
}

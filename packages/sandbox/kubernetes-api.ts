import { Agent, type Dispatcher, request } from 'undici';

/** The few calls the sandbox itself makes, over one kept-alive connection pool. */
export interface KubernetesApi {
  /** The decoded answer; throws on any status but 2xx. */
  call<T = unknown>(
    method: Dispatcher.HttpMethod,
    path: string,
    body?: unknown,
    contentType?: string,
  ): Promise<T>;
  close(): Promise<void>;
}

export class KubernetesApiError extends Error {
  readonly status: number;

  constructor(method: string, path: string, status: number, answer: string) {
    super(`${method} ${path}: expected HTTP 2xx, got ${status}: ${answer.slice(0, 500)}`);
    this.name = 'KubernetesApiError';
    this.status = status;
  }
}

export function connect({ url, ca, token }: { url: string; ca: string; token: string }): KubernetesApi {
  const dispatcher = new Agent({ connect: { ca }, connections: 16 });
  return {
    async call<T>(
      method: Dispatcher.HttpMethod,
      path: string,
      body?: unknown,
      contentType = 'application/json',
    ) {
      const headers = { authorization: `Bearer ${token}`, 'content-type': contentType };
      const sent = body === undefined ? undefined : JSON.stringify(body);
      const answer = await request(`${url}${path}`, { method, headers, body: sent, dispatcher });
      const text = await answer.body.text();
      if (answer.statusCode >= 300) throw new KubernetesApiError(method, path, answer.statusCode, text);
      return (text.startsWith('{') ? JSON.parse(text) : text) as T;
    },
    close: () => dispatcher.destroy(),
  };
}

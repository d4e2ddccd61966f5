interface Shown {
  readonly url: string;
  readonly status: number;
  readonly text: string;
}

/** Keeps cookies for each server, follows redirects, and fills in forms. */
export class Browser {
  readonly #cookies = new Map<string, Map<string, string>>();
  /** The headers `set-cookie` that it was given. */
  readonly given: string[] = [];

  async open(url: string, init: RequestInit = {}, most = 20): Promise<Shown> {
    if (most === 0) throw new Error(`it is sent on and on, at last to ${url}`);
    const { origin } = new URL(url);
    const cookies = this.#cookies.get(origin) ?? new Map<string, string>();
    this.#cookies.set(origin, cookies);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, { ...init, redirect: 'manual', headers: { ...init.headers, cookie } });
    for (const one of answer.headers.getSetCookie()) {
      this.given.push(one);
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(one)!;
      if (value === '') cookies.delete(name!);
      else cookies.set(name!, value!);
    }
    const to = answer.headers.get('location');
    if (to !== null && answer.status >= 300 && answer.status < 400)
      return this.open(new URL(to, url).href, {}, most - 1);
    return { url, status: answer.status, text: await answer.text() };
  }

  async send({ url, text }: Shown, fields: Readonly<Record<string, string>>): Promise<Shown> {
    const [, action] = /<form[^>]* action="([^"]+)"/.exec(text) ?? [];
    const hidden = [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
    const body = new URLSearchParams([
      ...hidden.map(([, name, value]): [string, string] => [name!, value!]),
      ...Object.entries(fields),
    ]);
    const { origin } = new URL(url);
    return this.open(new URL(action!.replaceAll('&amp;', '&'), url).href, {
      ...{ method: 'POST', body, headers: { origin } },
    });
  }

  /** Copies what it keeps, as a thief does. */
  stolen(): Browser {
    const other = new Browser();
    for (const [origin, cookies] of this.#cookies) other.#cookies.set(origin, new Map(cookies));
    return other;
  }
}

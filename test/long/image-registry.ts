import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** The used part of a manifest with a signature or an attestation: of `subject`, in its only layer. */
interface Referrer {
  readonly mediaType: string;
  readonly layers: readonly [Descriptor];
  readonly subject: Descriptor;
}

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

/** What a forger does with signatures and attestations. */
interface Forgery {
  /** E.g. `acme/signalbox`. */
  readonly repository: string;
  /** The digest that they are of. */
  readonly from: string;
  /** The digest that they are to be of; it must be in the repository. */
  readonly to: string;
  /** Changes the text of each. */
  readonly change?: (bundle: string) => string;
}

/** crane's registry: on loopback, in memory, writable by anybody. */
export class ImageRegistry {
  /** With its port. */
  readonly host: string;
  readonly #stop: () => Promise<void>;

  private constructor(host: string, stop: () => Promise<void>) {
    this.host = host;
    this.#stop = stop;
  }

  static async open(crane: string): Promise<ImageRegistry> {
    const server = spawn(crane, ['registry', 'serve', '--address', '127.0.0.1:0'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = once(server, 'exit');
    const said: string[] = [];
    const lines = createInterface(server.stderr);
    const port = await new Promise<string>((resolve, reject) => {
      lines.on('line', (line) => {
        said.push(line);
        const [, number] = /serving on port (\d+)$/.exec(line) ?? [];
        if (number) resolve(number);
      });
      ended.then(() => reject(new Error(`${crane} registry serve: ended\n${said.join('\n')}`)), reject);
    });
    return new ImageRegistry(`127.0.0.1:${port}`, async () => {
      server.kill('SIGKILL');
      await ended;
    });
  }

  close(): Promise<void> {
    return this.#stop();
  }

  /** Makes what is signed and attested of one manifest that of another, or of itself, with another text. */
  async forge({ repository, from, to, change = (bundle) => bundle }: Forgery): Promise<void> {
    const index = JSON.parse(await this.#get(repository, `manifests/${tagOf(from)}`)) as {
      readonly mediaType: string;
      readonly manifests: readonly Descriptor[];
    };
    const subject = await this.#get(repository, `manifests/${to}`);
    const { mediaType } = JSON.parse(subject) as Descriptor;
    const manifests: Descriptor[] = [];
    for (const entry of index.manifests) {
      const referrer = JSON.parse(await this.#get(repository, `manifests/${entry.digest}`)) as Referrer;
      const [layer] = referrer.layers;
      const bundle = change(await this.#get(repository, `blobs/${layer.digest}`));
      await this.#send('POST', repository, `blobs/uploads/?digest=${digestOf(bundle)}`, bundle);
      const forged = JSON.stringify({
        ...referrer,
        layers: [{ ...layer, ...measured(bundle) }],
        subject: { mediaType, ...measured(subject) },
      });
      await this.#send('PUT', repository, `manifests/${digestOf(forged)}`, forged, referrer.mediaType);
      manifests.push({ ...entry, ...measured(forged) });
    }
    const text = JSON.stringify({ ...index, manifests });
    await this.#send('PUT', repository, `manifests/${tagOf(to)}`, text, index.mediaType);
  }

  async #get(repository: string, path: string): Promise<string> {
    return (await this.#ask('GET', repository, path)).text();
  }

  async #send(method: string, repository: string, path: string, body: string, type?: string): Promise<void> {
    await this.#ask(method, repository, path, { body, headers: type ? { 'content-type': type } : {} });
  }

  async #ask(method: string, repository: string, path: string, request: RequestInit = {}): Promise<Response> {
    const response = await fetch(`http://${this.host}/v2/${repository}/${path}`, { ...request, method });
    if (!response.ok)
      throw new Error(`${method} ${response.url}: ${response.status} ${await response.text()}`);
    return response;
  }
}

/** Where signatures and attestations of a manifest are listed, if a registry has no API for that. */
const tagOf = (digest: string) => digest.replace(':', '-');

const measured = (text: string) => ({ digest: digestOf(text), size: Buffer.byteLength(text) });

const digestOf = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;

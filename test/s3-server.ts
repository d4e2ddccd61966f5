import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CreateBucketCommand, ListBucketsCommand, S3Client } from '@aws-sdk/client-s3';
import { cacheDir } from '@signalbox/sandbox';
import { freePort } from '../worker/free-port.ts';
import { eventually } from './eventually.ts';

const VERSION = '1.8.0';
const VERSITYGW = `github.com/versity/versitygw/cmd/versitygw@v${VERSION}`;
/** Beside the programs of the sandbox: it outlives a checkout. */
const FOLDER = join(cacheDir(), `versitygw-${VERSION}`);
const PROGRAM = join(FOLDER, 'versitygw');

const run = promisify(execFile);
const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Whether the server is here, or can be built: it is a Go program, from the Go module proxy. */
export const hasS3Server = async (): Promise<boolean> =>
  (await isThere(PROGRAM)) ||
  run('go', ['version']).then(
    () => true,
    () => false,
  );

/** Credentials of the server's owner, as the AWS SDK reads them. */
export const S3_CREDENTIALS = {
  AWS_ACCESS_KEY_ID: 'nobody',
  AWS_SECRET_ACCESS_KEY: 'in-particular',
  AWS_REGION: 'us-east-1',
} as const;

interface S3ServerOptions {
  readonly buckets: readonly string[];
  /** The address at which it listens: this machine only, unless said otherwise. */
  readonly host?: string;
}

/** An S3 server (versitygw) over a directory of its own. It keeps its port when it starts again. */
export class S3Server {
  readonly port: number;
  readonly endpoint: string;
  readonly #folder: string;
  #process: ChildProcess | undefined;

  private constructor(folder: string, host: string, port: number) {
    this.#folder = folder;
    this.port = port;
    this.endpoint = `http://${host}:${port}`;
  }

  static async open({ buckets, host = '127.0.0.1' }: S3ServerOptions): Promise<S3Server> {
    if (!(await isThere(PROGRAM))) {
      const env = { ...process.env, CGO_ENABLED: '0', GOBIN: FOLDER };
      await run('go', ['install', VERSITYGW], { env });
    }
    const folder = await mkdtemp(join(tmpdir(), 'signalbox-s3-'));
    for (const name of ['objects', 'metadata']) await mkdir(join(folder, name));
    const server = new S3Server(folder, host, await freePort());
    await server.start();
    for (const Bucket of buckets)
      await server.#withClient((client) => client.send(new CreateBucketCommand({ Bucket })));
    return server;
  }

  /** `readOnly`: refuses to write. */
  async start({ readOnly = false }: { readonly readOnly?: boolean } = {}): Promise<void> {
    const args = [
      ...['--port', new URL(this.endpoint).host, '--quiet', ...(readOnly ? ['--readonly'] : [])],
      ...['--access', S3_CREDENTIALS.AWS_ACCESS_KEY_ID, '--secret', S3_CREDENTIALS.AWS_SECRET_ACCESS_KEY],
      ...['posix', '--sidecar', join(this.#folder, 'metadata'), join(this.#folder, 'objects')],
    ];
    this.#process = spawn(PROGRAM, args, { stdio: 'ignore' });
    await eventually('the S3 server answers', () =>
      this.#withClient((client) => client.send(new ListBucketsCommand())),
    );
  }

  async stop(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (!child || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  async close(): Promise<void> {
    await this.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #withClient<T>(work: (client: S3Client) => Promise<T>): Promise<T> {
    const client = new S3Client({
      endpoint: this.endpoint,
      region: S3_CREDENTIALS.AWS_REGION,
      forcePathStyle: true,
      credentials: {
        accessKeyId: S3_CREDENTIALS.AWS_ACCESS_KEY_ID,
        secretAccessKey: S3_CREDENTIALS.AWS_SECRET_ACCESS_KEY,
      },
    });
    try {
      return await work(client);
    } finally {
      client.destroy();
    }
  }
}

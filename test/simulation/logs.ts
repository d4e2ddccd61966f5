import type { KubeObject } from '../../contracts/kubernetes.ts';

/** Where lines go. */
interface LogReader {
  push(line: string): void;
  /** No more lines come. */
  fail(): void;
}

interface Line {
  readonly at: number;
  readonly text: string;
}

/** What the programs of pods have written. */
export class ModelLogs {
  readonly #lines = new Map<string, Line[]>();
  readonly #followers = new Map<string, Set<{ readonly stream: LogReader; readonly hasTimes: boolean }>>();

  write(pod: KubeObject, text: string): void {
    const { uid = '' } = pod.metadata;
    const line = { at: Date.now(), text };
    this.#lines.set(uid, [...(this.#lines.get(uid) ?? []), line]);
    for (const { stream, hasTimes } of this.#followers.get(uid) ?? [])
      stream.push(formatLine(line, hasTimes));
  }

  open({ metadata: { uid = '' } }: KubeObject, query: URLSearchParams, stream: LogReader): void {
    const hasTimes = query.get('timestamps') === 'true';
    const since = Date.parse(query.get('sinceTime') ?? '') || 0;
    const lines = (this.#lines.get(uid) ?? []).filter(({ at }) => at >= since);
    const most = Number(query.get('tailLines') ?? lines.length);
    for (const line of most > 0 ? lines.slice(-most) : []) stream.push(formatLine(line, hasTimes));
    if (query.get('follow') !== 'true') {
      stream.fail();
      return;
    }
    const followers = this.#followers.get(uid) ?? new Set();
    this.#followers.set(uid, followers.add({ stream, hasTimes }));
  }

  /** The container has ended: who follows its log comes to its end. */
  end({ metadata: { uid = '' } }: KubeObject): void {
    for (const { stream } of this.#followers.get(uid) ?? []) stream.fail();
    this.#followers.delete(uid);
  }
}

const formatLine = ({ at, text }: Line, hasTimes: boolean) =>
  hasTimes ? `${new Date(at).toISOString()} ${text}` : text;

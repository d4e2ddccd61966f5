import { randomUUID } from 'node:crypto';
import type { JobLogLine } from '../../client/use-cases/pods/log-options.ts';
import { hideInText } from '../../contracts/secrets/hide-in-text.ts';
import { errorMessage } from '../../language/error-message.ts';
import { withoutColours } from '../../record/report/page/markup.ts';
import type { FoundJob } from '../reading/job-from-archive.ts';
import type { EventStream, StreamEvent } from './event-stream.ts';
import { Viewers } from './viewers.ts';

/** Which pods' lines are shown. */
export interface LogChoice {
  readonly role?: string;
  readonly index?: number;
  readonly all?: boolean;
}

/** A line as it is shown. */
export interface ShownLine {
  readonly id: string;
  readonly pod: string;
  readonly text: string;
  readonly isEvidence: boolean;
}

const TAIL = 500;
const MOST_LINES = 2_000;
const MOST_LOGS = 200;
const LONGEST = 16_000;
const LINGERS_MS = 30_000;

/** The log of some pods, followed once for all who look at it. */
class FollowedLog {
  readonly lines: ShownLine[] = [];
  readonly #viewers = new Viewers(LINGERS_MS, () => this.stop());
  readonly #stop = new AbortController();
  readonly #epoch = randomUUID().slice(0, 8);
  readonly #onEnd: () => void;
  #count = 0;
  /** Why there are no more lines. */
  problem: string | undefined;
  /** Settles when the lines that there are have been read, or after a moment. */
  readonly begun: Promise<void>;

  constructor(job: FoundJob, choice: LogChoice, onEnd: () => void) {
    this.#onEnd = onEnd;
    const begun = Promise.withResolvers<void>();
    this.begun = begun.promise;
    void this.#follow(job, choice).finally(begun.resolve);
    let seen = -1;
    // A log that is followed does not say where it is up to date: it is when it pauses.
    const look = setInterval(() => {
      if (this.lines.length === seen && (seen > 0 || this.#waited > 8)) {
        clearInterval(look);
        begun.resolve();
      }
      seen = this.lines.length;
      this.#waited += 1;
    }, 120);
    begun.promise.then(() => clearInterval(look));
    this.#viewers.linger();
  }

  #waited = 0;

  async #follow(job: FoundJob, choice: LogChoice): Promise<void> {
    try {
      const options = { ...choice, follow: true, tailLines: TAIL, signal: this.#stop.signal };
      for await (const line of job.logs(options)) this.#add(line);
    } catch (error) {
      if (!this.#stop.signal.aborted) this.problem = errorMessage(error);
    }
    this.#viewers.send({ event: 'over' });
  }

  #add({ pod, text, from }: JobLogLine): void {
    this.#count += 1;
    const shown = hideInText(withoutColours(text)).slice(0, LONGEST);
    const line = { id: `${this.#epoch}.${this.#count}`, pod, text: shown, isEvidence: from !== undefined };
    this.lines.push(line);
    if (this.lines.length > MOST_LINES) this.lines.shift();
    this.#viewers.send(eventOf(line));
  }

  add(viewer: EventStream, after: string | undefined): void {
    const heard = this.lines.findIndex(({ id }) => id === after);
    const isNew = after === undefined || after === 'none';
    if (heard < 0 && !isNew) viewer.send({ event: 'reload' });
    else for (const line of this.lines.slice(heard + 1)) viewer.send(eventOf(line));
    this.#viewers.add(viewer);
  }

  stop(): void {
    this.#stop.abort();
    this.#viewers.close();
    this.#onEnd();
  }
}

const eventOf = ({ id, pod, text }: ShownLine): StreamEvent => ({ event: 'line', id, data: { pod, text } });

/** Logs that somebody looks at; of many, those opened first give way. */
export class LogFeeds {
  readonly #logs = new Map<string, FollowedLog>();

  open(key: string, job: FoundJob, choice: LogChoice): FollowedLog {
    const known = this.#logs.get(key);
    if (known) return known;
    const [oldest] = this.#logs.values();
    if (this.#logs.size >= MOST_LOGS) oldest?.stop();
    const log: FollowedLog = new FollowedLog(job, choice, () => {
      if (this.#logs.get(key) === log) this.#logs.delete(key);
    });
    this.#logs.set(key, log);
    return log;
  }

  stop(): void {
    for (const log of [...this.#logs.values()]) log.stop();
  }
}

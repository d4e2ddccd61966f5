import { errorMessage } from '../../language/error-message.ts';
import { pause } from '../../language/timers.ts';
import { readShownJob, shownJobText } from '../archived/shown-job.ts';
import { logText } from '../print/log-text.ts';
import { colours } from '../print/output.ts';
import { recordedText } from '../print/recorded.ts';
import { terminalText } from '../print/terminal-text.ts';
import type { Session } from '../session/session.ts';
import { explainError } from '../shell/errors.ts';
import type { TopJob } from './top-job.ts';

interface AskedPage {
  readonly of: 'job' | 'why' | 'log';
  readonly job: TopJob;
  readonly change: (lines: (before: readonly string[]) => readonly string[]) => void;
  readonly signal: AbortSignal;
}

/** Fills a page, and keeps it up to date until the signal aborts. Errors are shown on it. */
export async function readPage(session: Session, asked: AskedPage): Promise<void> {
  const { of, job, change, signal } = asked;
  change(() => [colours.dim('...')].map(terminalText));
  try {
    const handle = await session.client.find({ workflowId: job.workflowId, run: job.runId });
    if (of === 'log') return await followLog(handle, asked);
    const text = of === 'job' ? () => textOfJob(handle, session) : () => textOfWhy(handle);
    while (!signal.aborted) {
      const lines = linesOf(await text());
      change(() => lines);
      await pause(AGAIN_MS, signal);
    }
  } catch (error) {
    if (!signal.aborted) change((before) => [...before, ...linesOf(explainError(error, { debug: false }))]);
  }
}

/** A status costs the worker a query, and `why` several requests to the cluster. */
const AGAIN_MS = 5_000;
const MOST_LINES = 2_000;
/** Before what is written from now on. */
const TAIL = 200;

const linesOf = (text: string): string[] => terminalText(text).split('\n');

type Handle = Awaited<ReturnType<Session['client']['find']>>;

async function textOfJob(job: Handle, session: Session): Promise<string> {
  const shown = await readShownJob(job, session);
  const recorded = recordedText(job, shown.status);
  const text = await shownJobText(shown, { isWide: false });
  return recorded === undefined ? text : `${recorded}\n\n${text}`;
}

async function textOfWhy(job: Handle): Promise<string> {
  const { whyText } = await import('../print/why-text.ts');
  return whyText(await job.whyWaiting());
}

async function followLog(job: Handle, { change, signal }: AskedPage): Promise<void> {
  let isFirst = true;
  const add = (...lines: readonly string[]) => {
    const wasFirst = isFirst;
    isFirst = false;
    change((before) => [...(wasFirst ? [] : before), ...lines].slice(-MOST_LINES));
  };
  try {
    for await (const { pod, text } of job.logs({ follow: true, tailLines: TAIL, signal }))
      add(lastState(logText(text, terminalText(colours.dim(`${pod} `)))));
    add(terminalText(colours.dim('The log has ended.')));
  } catch (error) {
    if (!signal.aborted) add(...linesOf(errorMessage(error)));
  }
}

/** A progress bar writes its line again and again. */
const lastState = (line: string): string => line.slice(line.lastIndexOf('\r') + 1);
